#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "cardpit/messages.hpp"
#include "cardpit/random.hpp"

namespace cardpit {

/// A list of texts, such as cards or actions: it has size(), operator[] and iterators.
using Texts = google::protobuf::RepeatedPtrField<std::string>;

/// A seat at a table, for one match.
struct Table {
  /// Names the table among those of this process.
  int number = 0;
  /// The game's id.
  std::string game;
  /// The version of its rules.
  int rules_version = 0;
  /// Every parameter of the game with its value as text: "true", "4", "redeal".
  std::map<std::string, std::string> parameters;
  /// This bot's seat, from 0, clockwise.
  int seat = 0;
  /// How many seats there are.
  int seats = 0;
  /// The bot's time.
  v1::TimeControl time_control;
  /// 32 bytes of private randomness for this seat.
  std::string bot_seed;

  /// Returns the random numbers of `bot_seed`, from the first on. A bot that keeps them and draws from nothing else
  /// plays reproducibly.
  Random random() const { return Random(bot_seed); }
};

/// A question to a bot. It needs no memory to be answered. It is good until it is answered, and so is what it gives.
class Turn {
 public:
  Turn(const Table& table, const v1::Turn& message) : table_(table), message_(message) {}

  /// The table at which it is asked.
  const Table& table() const { return table_; }
  /// Counts this seat's turns at this table, from 1.
  int number() const { return message_.turn(); }
  /// Every action that may be chosen, in a fixed order.
  const Texts& legal_actions() const { return message_.legal_actions(); }
  /// All that the seat sees.
  const v1::Observation& observation() const { return message_.observation(); }
  /// The part of the match, from the game's page.
  const std::string& phase() const { return observation().phase(); }
  /// What happened from this seat's last turn on, its own action included, oldest first.
  const google::protobuf::RepeatedPtrField<v1::Event>& events() const { return observation().events(); }
  /// The cards in this seat's hand. Throws std::out_of_range in a game without a zone "hand".
  const Texts& hand() const { return zone("hand", table_.seat).cards(); }
  /// The time that is free for this decision.
  std::chrono::nanoseconds move_time() const;
  /// The time left for the rest of the match beyond that.
  std::chrono::nanoseconds bank_time() const;
  /// What the referee did in place of the last answer, if it was late or illegal; else null.
  const v1::Substitution* substitution() const {
    return message_.has_substitution() ? &message_.substitution() : nullptr;
  }
  /// The place of this name and owner, a seat or none. Throws std::out_of_range listing those there are.
  const v1::Zone& zone(std::string_view name, std::optional<int> owner = std::nullopt) const;
  /// A named number. Throws std::out_of_range listing those there are.
  int counter(std::string_view name) const;

 private:
  const Table& table_;
  const v1::Turn& message_;
};

}  // namespace cardpit
