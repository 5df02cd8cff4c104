#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cardpit/views.hpp"

namespace cardpit {

/// What a bot answers: made from an action's notation, or from its place in `turn.legal_actions()`.
class Choice {
 public:
  template <std::integral Place>
  Choice(Place place) {  // NOLINT(google-explicit-constructor): so that a place can be returned as it is
    decision_.set_index(static_cast<std::int32_t>(place));
  }
  Choice(std::string notation) {  // NOLINT(google-explicit-constructor): and a notation
    decision_.set_action(std::move(notation));
  }
  Choice(const char* notation) : Choice(std::string(notation)) {}  // NOLINT(google-explicit-constructor)

  /// Returns the choice with a text that the record keeps: up to 200 characters, the rest is cut off.
  Choice comment(std::string text) && {
    decision_.set_comment(std::move(text));
    return std::move(*this);
  }

  /// The choice as a decision that names no turn yet.
  const v1::Decision& decision() const { return decision_; }

 private:
  v1::Decision decision_;
};

/// A player at one table. Every match has one of its own, made when the match begins.
class Bot {
 public:
  virtual ~Bot() = default;

  /// Returns the action to take. An exception ends the process: the match is lost by CRASH.
  virtual Choice act(const Turn& turn) = 0;

  /// Looks at how the match ended.
  virtual void closed(const v1::MatchResult& /*result*/) {}
};

using MakeBot = std::function<std::unique_ptr<Bot>(const Table&)>;

/// Plays for the referee that started this process, with a bot of `make` at every table. `games` are the ids of the
/// games that it plays, none for all.
///
/// Returns the exit status: 0 after Farewell or the end of the stream, 1 where the referee cannot be reached or refuses
/// the bot, and 2 where no referee started the process.
int run(const MakeBot& make, const std::vector<std::string>& games = {});

/// The same with a class whose constructor takes the table, which lives as long as the bot.
template <std::derived_from<Bot> TheBot>
int run(const std::vector<std::string>& games = {}) {
  return run([](const Table& table) { return std::make_unique<TheBot>(table); }, games);
}

}  // namespace cardpit
