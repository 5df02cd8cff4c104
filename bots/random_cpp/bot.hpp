#pragma once

#include <cardpit/cardpit.hpp>

/// Plays any legal action of any game, each as likely as the others.
class RandomBot : public cardpit::Bot {
 public:
  /// Draws from the seat's private randomness, so that the same board is played the same way.
  explicit RandomBot(const cardpit::Table& table) : random_(table.random()) {}

  cardpit::Choice act(const cardpit::Turn& turn) override { return random_.below(turn.legal_actions().size()); }

 private:
  cardpit::Random random_;
};
