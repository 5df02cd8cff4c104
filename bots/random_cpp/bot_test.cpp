#include "bot.hpp"

#include <iostream>
#include <set>
#include <vector>

namespace {

std::vector<int> play() {
  cardpit::Table table;
  table.bot_seed = std::string(32, '\7');
  cardpit::v1::Turn message;
  for (const char* action : {"play 3", "play 4", "pass"}) {
    message.add_legal_actions(action);
  }
  RandomBot bot(table);
  std::vector<int> played;
  for (int turn = 0; turn < 50; ++turn) {
    played.push_back(bot.act(cardpit::Turn(table, message)).decision().index());
  }
  return played;
}

}  // namespace

int main() {
  const std::vector<int> played = play();
  if (std::set<int>(played.begin(), played.end()) != std::set<int>{0, 1, 2}) {
    std::cerr << "the bot does not play every legal action and no other\n";
    return 1;
  }
  if (play() != played) {
    std::cerr << "the bot plays the same seed in two ways\n";
    return 1;
  }
  return 0;
}
