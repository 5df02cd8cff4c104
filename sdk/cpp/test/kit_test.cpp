#include <iostream>
#include <stdexcept>

#include "cardpit/cardpit.hpp"
#include "session.hpp"

namespace {

int failures = 0;

void expect(bool held, const char* what) {
  if (!held) {
    std::cerr << "not so: " << what << '\n';
    ++failures;
  }
}

template <typename Action>
std::string thrown(Action action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class Tester : public cardpit::Bot {
 public:
  explicit Tester(const cardpit::Table& table) : table_(table) {}

  cardpit::Choice act(const cardpit::Turn& turn) override {
    expect(turn.hand().size() == 2 && turn.hand()[0] == "QS", "the hand is shown");
    expect(turn.counter("multiplier") == 2 && turn.phase() == "play", "counters and the phase are shown");
    expect(thrown([&] { turn.zone("stock"); }) == "no zone stock: there are hand of 1",
           "a zone that is not there is named with those that are");
    if (table_.number == 1) {
      std::string comment;
      for (int character = 0; character < 300; ++character) {
        comment += "\xF0\x9F\x83\x8F";
      }
      return cardpit::Choice(2).comment(comment);
    }
    return "play X";
  }

  void closed(const cardpit::v1::MatchResult& result) override { payoff = result.seats(0).payoff(); }

  static inline double payoff = 0;

 private:
  const cardpit::Table& table_;
};

cardpit::v1::PlayResponse opened(int table) {
  cardpit::v1::PlayResponse response;
  response.mutable_table_opened()->set_table(table);
  response.mutable_table_opened()->set_seat(1);
  return response;
}

cardpit::v1::PlayResponse turns(std::initializer_list<int> tables) {
  cardpit::v1::PlayResponse response;
  for (int table : tables) {
    cardpit::v1::Turn& turn = *response.mutable_turns()->add_turns();
    turn.set_table(table);
    turn.set_turn(7);
    turn.mutable_observation()->set_phase("play");
    cardpit::v1::Zone& hand = *turn.mutable_observation()->add_zones();
    hand.set_name("hand");
    hand.set_owner(1);
    hand.add_cards("QS");
    hand.add_cards("X");
    cardpit::v1::Counter& counter = *turn.mutable_observation()->add_counters();
    counter.set_name("multiplier");
    counter.set_value(2);
  }
  return response;
}

cardpit::Session session() {
  return {[](const cardpit::Table& table) { return std::make_unique<Tester>(table); }, {"landlord"}};
}

void a_session_answers_all_turns_of_a_message_in_one_and_ends_at_farewell() {
  cardpit::Session tested = session();
  expect(tested.hello("secret").hello().token() == "secret", "the token is said");
  expect(tested.hello("").hello().games(0) == "landlord", "the games are said");
  std::vector<cardpit::v1::PlayRequest> sent;
  tested.receive(opened(1), sent);
  tested.receive(opened(2), sent);
  expect(tested.receive(turns({1, 2}), sent), "more is to come");
  expect(sent.size() == 1 && sent[0].decisions().decisions_size() == 2, "both turns are answered in one message");
  const cardpit::v1::Decision& first = sent[0].decisions().decisions(0);
  expect(first.table() == 1 && first.turn() == 7 && first.index() == 2, "an index is sent");
  expect(first.comment().size() == 4 * 200, "a comment is cut off after 200 characters");
  const cardpit::v1::Decision& second = sent[0].decisions().decisions(1);
  expect(second.table() == 2 && second.action() == "play X" && second.comment().empty(), "a notation is sent");
  cardpit::v1::PlayResponse closed;
  closed.mutable_table_closed()->set_table(1);
  closed.mutable_table_closed()->mutable_result()->add_seats()->set_payoff(-2);
  tested.receive(closed, sent);
  expect(Tester::payoff == -2, "the bot is told the result");
  cardpit::v1::PlayResponse farewell;
  farewell.mutable_farewell();
  expect(!tested.receive(farewell, sent) && sent.size() == 1, "nothing comes after farewell");
}

void decisions_that_are_too_large_for_one_message_travel_in_several() {
  cardpit::Session tested = session();
  std::vector<cardpit::v1::PlayRequest> sent;
  cardpit::v1::PlayResponse welcome;
  welcome.mutable_welcome()->set_max_message_size(20);
  tested.receive(welcome, sent);
  tested.receive(opened(2), sent);
  tested.receive(turns({2, 2, 2, 2}), sent);
  expect(sent.size() == 4, "each decision has a message of its own");
}

void the_random_numbers_are_those_of_every_kit() {
  std::string seed;
  for (char byte = 0; byte < 32; ++byte) {
    seed += byte;
  }
  cardpit::Random random(seed);
  for (std::uint32_t wanted : {1896324570U, 633098894U, 3018375U, 2145950261U}) {
    expect(random() == wanted, "the numbers are right");
  }
  for (std::size_t wanted : {47, 31, 28, 31, 42, 32, 47, 12}) {
    expect(random.below(52) == wanted, "the numbers below 52 are right");
  }
  for (std::size_t wanted : {2672327894U, 2436581595U, 2798424326U, 298443684U, 721305680U, 2277623200U}) {
    expect(random.below(3'000'000'000) == wanted, "the numbers below 3,000,000,000 are right");
  }
  std::string letters = "ABCDEFGH";
  random.shuffle(letters);
  expect(letters == "CBAFHDGE", "the shuffle is right");
  expect(thrown([] { cardpit::Random(std::string(32, '\0')); }).starts_with("a seed of 32 bytes"), "zeros are refused");
}

void a_card_is_a_rank_and_a_suit() {
  expect(cardpit::parse_cards(" QS x  TD ") == std::vector<std::string>{"QS", "x", "TD"}, "cards are parsed");
  expect(cardpit::rank("QS") == 'Q' && cardpit::suit("QS") == 'S' && cardpit::suit("x") == '\0', "a card has parts");
  expect(cardpit::pack().size() == 52, "a pack has 52 cards");
  for (std::string wrong : {"1S", "QX", "Q", "QSH"}) {
    expect(thrown([&] { cardpit::parse_cards("QS " + wrong); }).starts_with('"' + wrong + "\" is no card"), "no card");
  }
}

}  // namespace

int main() {
  a_session_answers_all_turns_of_a_message_in_one_and_ends_at_farewell();
  decisions_that_are_too_large_for_one_message_travel_in_several();
  the_random_numbers_are_those_of_every_kit();
  a_card_is_a_rank_and_a_suit();
  return failures == 0 ? 0 : 1;
}
