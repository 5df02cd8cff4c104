package cardpit;

import java.util.Arrays;
import java.util.List;

/** Playing cards as two characters: QS is the queen of spades; the jokers are x (small) and X (big). */
public final class Cards {
    /** Every rank with suits, lowest first where aces are high. */
    public static final String RANKS = "23456789TJQKA";

    /** Every suit, in the order in which a pack is laid out. */
    public static final String SUITS = "SHDC";

    /** The 52 cards, suit by suit, two to ace. */
    public static final List<String> PACK = SUITS.chars()
            .boxed()
            .flatMap(suit -> RANKS.chars().mapToObj(rank -> "" + (char) rank + (char) (int) suit))
            .toList();

    private Cards() {}

    /** Returns the rank of a card: a joker is its own rank. */
    public static char rank(String card) {
        return card.charAt(0);
    }

    /** Returns the suit of a card; 0 for a joker. */
    public static char suit(String card) {
        return card.length() > 1 ? card.charAt(1) : 0;
    }

    /**
     * Returns the cards named in a text, in its order.
     *
     * @throws IllegalArgumentException that names the first word that is no card
     */
    public static List<String> parse(String text) {
        List<String> cards =
                Arrays.stream(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
        for (String card : cards) {
            if (!PACK.contains(card) && !card.equals("x") && !card.equals("X")) {
                throw new IllegalArgumentException("\"" + card + "\" is no card: a card is a rank of " + RANKS
                        + " and a suit of " + SUITS + ", or x, or X");
            }
        }
        return cards;
    }
}
