#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cardpit/bot.hpp"

namespace cardpit {

/// What one bot process says on its stream, whatever carries it: a bot at each table, an answer to each turn.
class Session {
 public:
  Session(MakeBot make, std::vector<std::string> games);

  v1::PlayRequest hello(const std::string& token) const;

  /// Does what a message asks for and adds what is to be sent. Returns whether more is to come: false after Farewell.
  bool receive(const v1::PlayResponse& message, std::vector<v1::PlayRequest>& requests);

 private:
  struct Seating {
    std::unique_ptr<Table> table;
    std::unique_ptr<Bot> bot;
  };

  void open(const v1::TableOpened& message);
  v1::Decision decide(const v1::Turn& turn);
  void answer(const google::protobuf::RepeatedPtrField<v1::Turn>& turns, std::vector<v1::PlayRequest>& requests);

  MakeBot make_;
  std::vector<std::string> games_;
  std::unordered_map<int, Seating> seatings_;
  std::size_t max_message_size_ = 64 * 1024;
  std::size_t max_comment_length_ = 200;
};

}  // namespace cardpit
