#include "session.hpp"

#include <stdexcept>

namespace cardpit {
namespace {

constexpr int kProtocol = 1;
constexpr int kMaxTables = 1024;
/// Bytes around a decision in its message.
constexpr std::size_t kFrame = 8;

/// Returns the first characters of a text in UTF-8.
std::string cut(const std::string& text, std::size_t length) {
  std::size_t place = 0;
  for (; place < text.size(); ++place) {
    const bool begins = (static_cast<unsigned char>(text[place]) & 0xC0) != 0x80;
    if (begins && length-- == 0) {
      break;
    }
  }
  return text.substr(0, place);
}

}  // namespace

Session::Session(MakeBot make, std::vector<std::string> games) : make_(std::move(make)), games_(std::move(games)) {}

v1::PlayRequest Session::hello(const std::string& token) const {
  v1::PlayRequest request;
  v1::Hello& hello = *request.mutable_hello();
  hello.set_token(token);
  hello.set_protocol(kProtocol);
  hello.set_sdk_name("cardpit-cpp");
  hello.set_sdk_version("0.1.0");
  hello.mutable_games()->Assign(games_.begin(), games_.end());
  hello.set_max_tables(kMaxTables);
  return request;
}

bool Session::receive(const v1::PlayResponse& message, std::vector<v1::PlayRequest>& requests) {
  switch (message.kind_case()) {
    case v1::PlayResponse::kTurns:
      answer(message.turns().turns(), requests);
      break;
    case v1::PlayResponse::kTableOpened:
      open(message.table_opened());
      break;
    case v1::PlayResponse::kTableClosed:
      if (auto found = seatings_.extract(message.table_closed().table())) {
        found.mapped().bot->closed(message.table_closed().result());
      }
      break;
    case v1::PlayResponse::kWelcome:
      max_message_size_ = message.welcome().max_message_size();
      max_comment_length_ = message.welcome().max_comment_length();
      break;
    case v1::PlayResponse::kFarewell:
      return false;
    case v1::PlayResponse::KIND_NOT_SET:
      break;
  }
  return true;
}

void Session::open(const v1::TableOpened& message) {
  auto table = std::make_unique<Table>();
  table->number = message.table();
  table->game = message.game();
  table->rules_version = message.rules_version();
  for (const v1::Parameter& parameter : message.parameters()) {
    table->parameters[parameter.name()] = parameter.value();
  }
  table->seat = message.seat();
  table->seats = message.seats();
  table->time_control = message.time_control();
  table->bot_seed = message.bot_seed();
  auto bot = make_(*table);
  seatings_[message.table()] = Seating{std::move(table), std::move(bot)};
}

v1::Decision Session::decide(const v1::Turn& turn) {
  const auto found = seatings_.find(turn.table());
  if (found == seatings_.end()) {
    throw std::out_of_range("a turn at table " + std::to_string(turn.table()) + ", which is not open");
  }
  v1::Decision decision = found->second.bot->act(Turn(*found->second.table, turn)).decision();
  decision.set_table(turn.table());
  decision.set_turn(turn.turn());
  decision.set_comment(cut(decision.comment(), max_comment_length_));
  return decision;
}

/// Answers in as few messages as the referee's limit on their size allows, each as full as can be.
void Session::answer(const google::protobuf::RepeatedPtrField<v1::Turn>& turns,
                     std::vector<v1::PlayRequest>& requests) {
  std::size_t size = 0;
  for (const v1::Turn& turn : turns) {
    v1::Decision decision = decide(turn);
    const std::size_t more = decision.ByteSizeLong() + kFrame;
    if (size == 0 || size + more > max_message_size_) {
      requests.emplace_back();
      size = 0;
    }
    *requests.back().mutable_decisions()->add_decisions() = std::move(decision);
    size += more;
  }
}

}  // namespace cardpit
