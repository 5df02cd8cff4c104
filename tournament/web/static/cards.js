// Cards: two characters, as "QS"; jokers are "x" and "X".

const RANKS = { T: "10", J: "J", Q: "Q", K: "K", A: "A" };
const SUITS = { S: ["♠", "spades"], H: ["♥", "hearts"], D: ["♦", "diamonds"], C: ["♣", "clubs"] };
const WORDS = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };

// Return a card lying face-up; `moved` marks one that has just come.
export function face(card, moved = false) {
  const item = document.createElement("li");
  const shown = document.createElement("span");
  shown.className = moved ? "card moved" : "card";
  shown.dataset.card = card;
  shown.setAttribute("role", "img");
  if (card === "x" || card === "X") {
    shown.classList.add("joker", card === "X" ? "red" : "black");
    shown.setAttribute("aria-label", card === "X" ? "big joker" : "small joker");
    shown.append(part("rank", card === "X" ? "★" : "☆"), part("corner", "JOKER"));
  } else {
    const [rank, suit] = [card[0], card[1]];
    const [sign, name] = SUITS[suit] ?? ["", ""];
    shown.classList.add(suit === "H" || suit === "D" ? "red" : "black");
    shown.setAttribute("aria-label", `${WORDS[rank] ?? rank} of ${name}`);
    shown.append(part("rank", RANKS[rank] ?? rank), part("suit", sign), part("pip", sign));
  }
  item.append(shown);
  return item;
}

// Return a card lying face-down.
export function back() {
  const item = document.createElement("li");
  const shown = document.createElement("span");
  shown.className = "card back";
  shown.setAttribute("aria-hidden", "true");
  item.append(shown);
  return item;
}

function part(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.setAttribute("aria-hidden", "true");
  element.textContent = text;
  return element;
}
