#include "cardpit/cards.hpp"

#include <sstream>
#include <stdexcept>

namespace cardpit {
namespace {

bool is_card(std::string_view word) {
  if (word == "x" || word == "X") {
    return true;
  }
  return word.size() == 2 && kRanks.find(word[0]) != kRanks.npos && kSuits.find(word[1]) != kSuits.npos;
}

}  // namespace

std::vector<std::string> pack() {
  std::vector<std::string> cards;
  for (char suit : kSuits) {
    for (char rank : kRanks) {
      cards.push_back({rank, suit});
    }
  }
  return cards;
}

std::vector<std::string> parse_cards(std::string_view text) {
  std::vector<std::string> cards;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (!is_card(word)) {
      throw std::invalid_argument('"' + word + "\" is no card: a card is a rank of " + std::string(kRanks) +
                                  " and a suit of " + std::string(kSuits) + ", or x, or X");
    }
    cards.push_back(word);
  }
  return cards;
}

}  // namespace cardpit
