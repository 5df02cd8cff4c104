/**
 * Playing cards as two characters: `"QS"` is the queen of spades; the jokers are `"x"` (small) and `"X"` (big).
 */

/** Every rank with suits, lowest first where aces are high. */
export const RANKS = "23456789TJQKA";

/** Every suit, in the order in which a pack is laid out. */
export const SUITS = "SHDC";

/** The 52 cards, suit by suit, two to ace. */
export const PACK: readonly string[] = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

const NAMES = new Set([...PACK, "x", "X"]);

/** Returns the rank of a card, one character: a joker is its own rank. */
export function rank(card: string): string {
  return card.charAt(0);
}

/** Returns the suit of a card, one character; empty for a joker. */
export function suit(card: string): string {
  return card.charAt(1);
}

/** Returns the cards named in a text, in its order. Throws a RangeError that names the first word that is no card. */
export function parseCards(text: string): string[] {
  const cards = text.split(/\s+/).filter((word) => word !== "");
  for (const card of cards) {
    if (!NAMES.has(card)) {
      throw new RangeError(`"${card}" is no card: a card is a rank of ${RANKS} and a suit of ${SUITS}, or x, or X`);
    }
  }
  return cards;
}
