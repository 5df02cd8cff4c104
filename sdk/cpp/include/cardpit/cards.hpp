/// Playing cards as two characters: "QS" is the queen of spades; the jokers are "x" (small) and "X" (big).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardpit {

/// Every rank with suits, lowest first where aces are high.
inline constexpr std::string_view kRanks = "23456789TJQKA";

/// Every suit, in the order in which a pack is laid out.
inline constexpr std::string_view kSuits = "SHDC";

/// Returns the rank of a card: a joker is its own rank.
inline char rank(std::string_view card) { return card.at(0); }

/// Returns the suit of a card; '\0' for a joker.
inline char suit(std::string_view card) { return card.size() > 1 ? card[1] : '\0'; }

/// Returns the 52 cards, suit by suit, two to ace.
std::vector<std::string> pack();

/// Returns the cards named in a text, in its order. Throws std::invalid_argument naming the first word that is no card.
std::vector<std::string> parse_cards(std::string_view text);

}  // namespace cardpit
