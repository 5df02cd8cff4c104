"""Every numbered rule of Landlord, each test named after its rule, and every position of the rules' test vectors."""

from collections.abc import Iterable

import pytest

from cardpit.games import (
    ALL,
    PUBLIC,
    BadParameter,
    BadPosition,
    BadSeats,
    IllegalAction,
    State,
    Value,
    find_game,
)
from cardpit.games.__main__ import perft
from cardpit.games.landlord_deal import PACK
from cardpit.games.landlord_lists import find_book
from cardpit.games.landlord_plays import MOST_CARDS, RANKS, read_hand
from cardpit.games.seeds import Stream, coin, derive

GAME = find_game("landlord")
SEED = derive(bytes(32), "a match")
SEEDS = tuple(derive(SEED, str(number)) for number in range(20))
BOOK = find_book(False)


def play(state: State, *actions: str) -> State:
    """Apply actions of whichever seat is to act."""
    for action in actions:
        (seat,) = state.turn
        state = state.apply({seat: action})
    return state


def auction(*actions: str, **parameters: Value) -> tuple[State, int, int]:
    """Return the state after an auction, the seat that spoke first and the other."""
    state = GAME.deal(SEED, 2, parameters)
    (first,) = state.turn
    return play(state, *actions), first, 1 - first


def legal(state: State) -> tuple[str, ...]:
    (seat,) = state.turn
    return state.legal_actions(seat)


def leads(hand: str, **parameters: Value) -> set[str]:
    """Return what may be led from a hand, without the word play."""
    options = "".join(f" {name}={str(value).lower()}" for name, value in parameters.items())
    actions = legal(GAME.parse(f"{hand}/{spare(hand)}{options}"))
    assert len(set(actions)) == len(actions)
    return {action.removeprefix("play ") for action in actions}


def answers(hand: str, to: str) -> set[str]:
    """Return what may be answered from a farmer's hand to a lead, without the word play."""
    cards = to.replace("+", "")
    state = play(GAME.parse(f"{cards}{spare(hand + cards)[:1]}/{hand}"), f"play {to}")
    return {action.removeprefix("play ") for action in legal(state)}


def spare(taken: str) -> str:
    """Return a few cards that the pack still has, single ones."""
    return "".join(rank for rank in RANKS if taken.count(rank) < (1 if rank in "xX" else 4))[:3]


def counters(state: State, *names: str) -> tuple[int, ...]:
    """Return the public counters of these names."""
    public = dict(state.observe(PUBLIC).counters)
    return tuple(public[name] for name in names)


def zone(state: State, viewer: int, name: str, owner: int | None = None) -> tuple[tuple[str, ...], int]:
    """Return the cards that a viewer sees in a place, and how many more lie there."""
    (found,) = (z for z in state.observe(viewer).zones if (z.name, z.owner) == (name, owner))
    return found.cards, found.unseen


def kinds(texts: Iterable[str]) -> set[str]:
    return {BOOK.by_text[f"play {text}"].kind for text in texts}


def beats(high: str, low: str) -> bool:
    return BOOK.by_text[f"play {high}"].beats(BOOK.by_text[f"play {low}"])


# Deal and auction


def test_ll_01_the_pack_is_46_cards_without_threes_and_fours() -> None:
    assert len(PACK) == len(set(PACK)) == 46
    assert {card[0] for card in PACK} == set("56789TJQKA2xX")
    assert PACK[:3] == ("2S", "5S", "6S")
    assert PACK[-3:] == ("AC", "x", "X")
    assert (GAME.min_seats, GAME.max_seats) == (2, 2)
    with pytest.raises(BadSeats, match="landlord is not for 3 players: allowed is 2"):
        GAME.deal(SEED, 3)


def test_ll_02_each_seat_gets_17_cards_three_lie_face_down_and_nine_stay_unused() -> None:
    state = GAME.deal(SEED)
    for viewer, other in ((0, 1), (1, 0)):
        cards, unseen = zone(state, viewer, "hand", viewer)
        assert (len(cards), unseen) == (17, 0)
        assert zone(state, viewer, "hand", other) == ((), 17)
        assert zone(state, viewer, "bottom") == ((), 3)
        assert zone(state, viewer, "unused") == ((), 9)
    assert sorted(card for place in state.observe(ALL).zones for card in place.cards) == sorted(PACK)


def test_ll_02_the_deal_is_the_shuffled_pack_in_order() -> None:
    cards = Stream(SEED, "deal/0").shuffled(PACK)
    state = GAME.deal(SEED)
    assert state.chance == (f"deal/0 {' '.join(cards)}", f"first/0 {coin(SEED, 'first/0')}")
    assert set(zone(state, ALL, "hand", 0)[0]) == set(cards[:17])
    assert set(zone(state, ALL, "hand", 1)[0]) == set(cards[17:34])
    assert set(zone(state, ALL, "bottom")[0]) == set(cards[34:37])
    assert set(zone(state, ALL, "unused")[0]) == set(cards[37:])


def test_ll_02_the_unused_cards_are_never_shown() -> None:
    state, _, _ = auction("call", "no")
    while state.outcome is None:
        state = play(state, legal(state)[0])
        for viewer in (0, 1, PUBLIC):
            assert zone(state, viewer, "unused") == ((), 9)


def test_ll_03_chance_chooses_who_speaks_first() -> None:
    first = {GAME.deal(seed).turn for seed in SEEDS}
    assert first == {(0,), (1,)}
    for seed in SEEDS:
        state = GAME.deal(seed)
        assert state.turn == (coin(seed, "first/0"),)
        assert counters(state, "first") == state.turn


def test_ll_10_the_first_may_call_or_say_no_and_after_a_no_so_may_the_other() -> None:
    state, first, other = auction()
    assert state.turn == (first,)
    assert legal(state) == ("call", "no")
    assert state.default_action(first) == "no"
    state = play(state, "no")
    assert state.turn == (other,)
    assert legal(state) == ("call", "no")
    assert state.default_action(other) == "no"


def test_ll_11_a_seat_that_said_no_is_not_asked_whether_it_grabs() -> None:
    state, _, other = auction("no", "call")
    assert state.turn == (other,)
    assert counters(state, "landlord", "ceded", "multiplier") == (other, 0, 1)
    assert state.observe(other).phase == "play"


def test_ll_11_when_both_say_no_the_first_is_landlord() -> None:
    state, first, _ = auction("no", "no")
    assert state.turn == (first,)
    assert counters(state, "landlord", "ceded", "multiplier") == (first, 0, 1)
    assert state.observe(first).phase == "play"


def test_ll_11_all_pass_redeal_deals_again_from_the_stream_of_that_deal() -> None:
    state, first, other = auction("no", "no", all_pass="redeal")
    cards = Stream(SEED, "deal/1").shuffled(PACK)
    assert state.chance == (f"deal/1 {' '.join(cards)}", f"first/1 {coin(SEED, 'first/1')}")
    assert state.turn == (coin(SEED, "first/1"),)
    assert legal(state) == ("call", "no")
    assert counters(state, "redeals") == (1,)
    assert [event.text for event in state.observe(first).events] == ["no", "no", "redeal"]
    assert [event.text for event in state.observe(other).events] == ["no", "redeal"]


def test_ll_11_after_ten_redeals_the_first_is_landlord() -> None:
    state, _, _ = auction(*["no", "no"] * 10, all_pass="redeal")
    (first,) = state.turn
    assert counters(state, "redeals") == (10,)
    state = play(state, "no", "no")
    assert counters(state, "landlord") == (first,)
    assert state.observe(first).phase == "play"
    assert counters(state, "redeals") == (10,)


def test_ll_12_grabs_alternate_until_someone_says_no_or_four_are_made() -> None:
    state, first, other = auction("call")
    for grabs, seat in enumerate((other, first, other, first)):
        assert state.turn == (seat,)
        assert legal(state) == ("grab", "no")
        assert state.default_action(seat) == "no"
        assert counters(state, "grabs") == (grabs,)
        state = play(state, "grab")
    assert state.observe(first).phase == "play"
    assert counters(state, "landlord", "ceded", "multiplier") == (first, 4, 16)


@pytest.mark.parametrize("most", range(5))
def test_ll_12_max_grabs_ends_the_auction_with_no_further_question(most: int) -> None:
    state, first, other = auction("call", *["grab"] * most, max_grabs=most)
    assert state.observe(first).phase == "play"
    assert counters(state, "landlord", "ceded") == ((first, other)[most % 2], most)
    if most:
        state, _, _ = auction("call", *["grab"] * (most - 1), max_grabs=most)
        assert state.observe(first).phase == "auction"


@pytest.mark.parametrize(
    ("spoken", "landlord", "ceded"),
    [
        ("no no", 0, 0),
        ("no call", 1, 0),
        ("call no", 0, 0),
        ("call grab no", 1, 1),
        ("call grab grab no", 0, 2),
        ("call grab grab grab no", 1, 3),
        ("call grab grab grab grab", 0, 4),
    ],
)
def test_ll_13_the_last_to_call_or_grab_is_landlord_and_each_grab_cedes_a_card_and_doubles(
    spoken: str, landlord: int, ceded: int
) -> None:
    state, first, other = auction(*spoken.split())
    seat = (first, other)[landlord]
    assert state.turn == (seat,)
    found = counters(state, "landlord", "caller", "grabs", "ceded", "multiplier")
    assert found == (seat, seat, ceded, ceded, 2**ceded)


def test_ll_14_the_landlord_takes_the_bottom_cards_and_all_see_them() -> None:
    state, first, other = auction("call")
    bottom, _ = zone(state, ALL, "bottom")
    state = play(state, "no")
    assert zone(state, other, "bottom") == ((), 0)
    assert set(bottom) < set(zone(state, first, "hand", first)[0])
    for viewer in (other, PUBLIC):
        assert zone(state, viewer, "hand", first) == (bottom, 17)
    assert len(zone(state, ALL, "hand", first)[0]) == 20
    for viewer in (first, other, PUBLIC):
        event = state.observe(viewer).events[-1]
        assert event.seat is None
        assert event.text.split()[0] == "bottom"
        assert set(event.text.split()[1:]) == set(bottom)


# Combinations


def test_ll_20_a_single_is_one_card_and_the_ranks_go_from_5_to_the_big_joker() -> None:
    order = "56789TJQKA2xX"
    assert kinds(order) == {"single"}
    assert all(beats(high, low) == (order.index(high) > order.index(low)) for high in order for low in order)


def test_ll_21_a_pair_is_two_cards_of_a_rank_up_to_twos() -> None:
    order = "56789TJQKA2"
    assert kinds(2 * rank for rank in order) == {"pair"}
    assert all(beats(2 * high, 2 * low) == (order.index(high) > order.index(low)) for high in order for low in order)
    assert "play xx" not in BOOK.by_text


def test_ll_22_a_triple_is_three_cards_of_a_rank() -> None:
    assert kinds(["999", "222"]) == {"triple"}
    assert beats("222", "AAA")
    assert not beats("999", "TTT")


def test_ll_23_a_triple_may_take_one_single_of_another_rank() -> None:
    assert kinds(["555+6", "222+x", "222+5"]) == {"triple+single"}
    assert leads("99925") >= {"999", "999+2", "999+5"}
    assert not {"99925", "999+25", "999+2+5"} & leads("99925")
    assert beats("666+5", "555+X")
    assert not beats("555+X", "666+5")


def test_ll_24_a_triple_may_take_one_pair() -> None:
    assert kinds(["888+99"]) == {"triple+pair"}
    assert "play 888+xX" not in BOOK.by_text
    assert not beats("999+88", "888+9")


def test_ll_25_a_straight_is_five_or_more_consecutive_ranks_up_to_the_ace() -> None:
    assert kinds(["56789", "789TJQK", "TJQKA", "56789TJQKA"]) == {"straight"}
    found = leads("TJQKA22KKAA")
    assert "TJQKA" in found
    assert not {"TJQKA2", "JQKA2", "KKAA22"} & found
    assert not {"5678", "JQKA2", "A5678"} & {text.removeprefix("play ") for text in BOOK.by_text}


def test_ll_25_a_straight_may_go_through_a_rank_held_four_times() -> None:
    assert leads("55556789") >= {"56789", "5555"}


def test_ll_26_a_pair_run_is_three_or_more_consecutive_pairs_up_to_the_aces() -> None:
    assert kinds(["556677", "QQKKAA"]) == {"pair run"}
    assert not {"play KKAA22", "play 5566"} & set(BOOK.by_text)


def test_ll_27_a_plane_is_two_or_more_consecutive_triples_up_to_the_aces() -> None:
    assert kinds(["555666", "KKKAAA", "555666777888"]) == {"plane"}
    assert "play AAA222" not in BOOK.by_text
    assert "555666777888" in leads("555666777888")


def test_ll_28_a_plane_takes_as_many_singles_or_as_many_pairs_of_different_ranks() -> None:
    assert kinds(["555666+7+8", "555666+7+7", "555666777+T+T+T"]) == {"plane+singles"}
    assert kinds(["555666+77+88"]) == {"plane+pairs"}
    assert not {"play 555666+7", "play 555666+77", "play 555666+77+77"} & set(BOOK.by_text)
    whole = read_hand("555666777TTT")
    assert [p.text for p in BOOK.by_text.values() if p.cards == whole] == ["play 555666777+T+T+T"]


def test_ll_29_a_four_with_two_takes_two_singles_of_different_ranks_or_two_pairs() -> None:
    assert kinds(["5555+8+x"]) == {"four+singles"}
    assert kinds(["5555+66+77"]) == {"four+pairs"}
    assert not {"play 5555+8+8", "play 5555+6", "play 5555+66+66"} & set(BOOK.by_text)
    assert leads("55556666") >= {"5555", "6666"}
    assert not any(BOOK.by_text[f"play {text}"].size == 8 for text in leads("55556666"))


def test_ll_29_four_plus_pair_as_singles_also_takes_one_pair() -> None:
    assert "5555+8+8" not in leads("555588")
    found = leads("555588", four_plus_pair_as_singles=True)
    assert found - leads("555588") == {"5555+8+8"}
    assert "5555+8+9" in leads("555589", four_plus_pair_as_singles=True)


def test_ll_30_an_attached_card_has_another_rank_than_the_body() -> None:
    assert not {"play 555+5", "play 5555+5+6", "play 555666+6+7"} & set(BOOK.by_text)
    assert "555+5" not in leads("55556")


def test_ll_30_both_jokers_are_never_attached_together() -> None:
    assert not {"play 5555+x+X", "play 555666+x+X", "play 555666777+8+x+X"} & set(BOOK.by_text)
    assert "555666+x+X" not in leads("555666xX")
    assert leads("555666xX") >= {"555+x", "555+X", "xX"}


def test_ll_30_three_attached_alike_never_adjoin_the_plane_but_twos_may() -> None:
    assert "play 666777888+5+5+5" not in BOOK.by_text
    assert "play 555666777+8+8+8" not in BOOK.by_text
    assert "play QQQKKKAAA+2+2+2" in BOOK.by_text
    assert "555666777+2+2+2" in leads("555666777222")
    whole = read_hand("555666777888")
    assert [p.text for p in BOOK.by_text.values() if p.cards == whole] == ["play 555666777888"]
    assert not [p for p in BOOK.by_text.values() if p.cards == read_hand("56667777")]


def test_ll_30_four_attached_are_never_alike() -> None:
    assert "play 555666777888+T+T+T+T" not in BOOK.by_text
    assert "play 555666777888+T+T+T+J" in BOOK.by_text


def test_ll_31_a_bomb_is_four_of_a_rank() -> None:
    assert kinds(["7777", "2222"]) == {"bomb"}
    assert beats("8888", "7777")
    assert not beats("7777", "7777")
    assert not beats("7777", "8888")


def test_ll_32_the_rocket_is_both_jokers() -> None:
    assert kinds(["xX"]) == {"rocket"}
    assert "play Xx" not in BOOK.by_text


def test_ll_33_the_rocket_beats_everything_and_a_bomb_everything_else() -> None:
    for play_ in BOOK.by_text.values():
        text = play_.text.removeprefix("play ")
        assert beats("xX", text) == (play_.kind != "rocket")
        assert beats("5555", text) == (play_.kind not in ("rocket", "bomb"))
        assert not play_.beats(play_)


def test_ll_33_otherwise_the_kind_and_the_number_of_cards_must_agree_and_the_body_be_higher() -> None:
    assert beats("6789T", "56789")
    assert not beats("6789TJ", "56789")
    assert not beats("667788", "555666")
    assert not beats("666777+8+9", "555666+88+99")
    assert not beats("2222+8+x", "5")
    assert not beats("2222+8+x", "5555")
    assert beats("5555", "2222+8+x")
    assert beats("666777+5+8", "555666+2+X")


@pytest.mark.parametrize(
    ("hand", "to", "expected"),
    [
        ("555666777KKK", "888999TTT+5+6+Q", {"pass"}),
        ("888822TT", "QQ", {"8888", "22", "pass"}),
        ("22Q", "22", {"pass"}),
        ("xXQ", "56789", {"xX", "pass"}),
        ("777888TT", "555666", {"777888", "pass"}),
        ("777888TT9", "555666+9+J", {"777888+9+T", "777888+T+T", "pass"}),
    ],
)
def test_ll_33_answers_are_the_higher_plays_of_the_kind_the_bombs_the_rocket_and_a_pass(
    hand: str, to: str, expected: set[str]
) -> None:
    assert answers(hand, to) == expected


def test_ll_34_there_are_9684_combinations_no_two_with_the_same_ranks() -> None:
    for doubles, number in ((False, 9684), (True, 9794)):
        plays = find_book(doubles).by_text.values()
        assert len(plays) == len({p.cards for p in plays}) == number
        assert max(p.size for p in plays) == MOST_CARDS


def test_ll_34_a_play_is_written_in_one_way_only() -> None:
    for text, play_ in BOOK.by_text.items():
        parts = text.removeprefix("play ").split("+")
        assert all(list(part) == sorted(part, key=RANKS.index) for part in parts)
        assert parts[1:] == sorted(parts[1:], key=lambda part: RANKS.index(part[0]))
        assert read_hand("".join(parts)) == play_.cards


def test_ll_34_the_legal_list_never_has_a_play_twice() -> None:
    assert len(leads("5567999TTTJ")) > 30
    with pytest.raises(IllegalAction, match="is not the notation of a combination or a pass"):
        GAME.parse("555666/789").apply({0: "play 666555"})


# Play


def test_ll_40_the_landlord_leads_and_must_play() -> None:
    state, first, _ = auction("call", "no")
    assert state.turn == (first,)
    assert "pass" not in legal(state)
    assert state.default_action(first) == legal(state)[0]
    assert BOOK.by_text[legal(state)[0]].kind == "single"
    with pytest.raises(IllegalAction, match="'pass' is not legal when leading"):
        state.apply({first: "pass"})


def test_ll_40_the_other_may_beat_or_pass_and_after_a_pass_the_last_player_leads_anything() -> None:
    state = play(GAME.parse("558899/666TTQ"), "play 88")
    assert state.turn == (1,)
    assert legal(state) == ("play TT", "pass")
    assert state.default_action(1) == "pass"
    state = play(state, "pass")
    assert state.turn == (0,)
    assert set(legal(state)) == {"play 5", "play 9", "play 55", "play 99"}
    assert state.default_action(0) == "play 5"


def test_ll_40_a_beaten_player_may_beat_in_turn_and_turns_alternate() -> None:
    state = play(GAME.parse("55QQ8/TTJJK"), "play 55", "play TT")
    assert state.turn == (0,)
    assert legal(state) == ("play QQ", "pass")
    state = play(state, "pass")
    assert state.turn == (1,)
    assert "pass" not in legal(state)


def test_ll_40_the_default_action_of_a_leader_is_his_lowest_single() -> None:
    assert GAME.parse("X8877/55").default_action(0) == "play 7"
    assert GAME.parse("xX/55").default_action(0) == "play x"


def test_ll_41_the_landlord_wins_with_no_cards_left() -> None:
    state = play(GAME.parse("55/TTJ grabs=1"), "play 55")
    assert state.outcome is not None
    assert state.outcome.places == (1, 2)
    assert state.turn == ()
    assert legal_of_both(state) == ((), ())
    assert state.observe(0).phase == "end"
    state = play(GAME.parse("5578/TTJJ grabs=1"), "play 55", "play TT", "pass", "play J")
    assert state.outcome is not None
    state = play(GAME.parse("557/TTJJ grabs=1"), "play 55", "play TT", "pass")
    assert state.outcome is None


def legal_of_both(state: State) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return state.legal_actions(0), state.legal_actions(1)


def test_ll_41_the_farmer_wins_with_as_many_cards_as_were_ceded() -> None:
    state = GAME.parse("56/888TT grabs=2")
    state = play(state, "play 5", "pass", "play 6")
    assert state.outcome is not None
    assert state.outcome.places == (1, 2)
    leading = play(GAME.parse("569/888TT grabs=2"), "play 5", "play T", "pass")
    assert leading.outcome is None
    three = play(GAME.parse("5567/888TT grabs=2"), "play 55", "play TT")
    assert three.outcome is None
    assert zone(three, 0, "hand", 1) == ((), 3)
    two = play(GAME.parse("55567/888TT grabs=2"), "play 555", "play 888")
    assert two.outcome is not None
    assert two.outcome.places == (2, 1)


def test_ll_41_with_nothing_ceded_whoever_finishes_first_wins() -> None:
    state = play(GAME.parse("567/89"), "play 5", "play 8", "pass")
    assert state.outcome is None
    state = play(state, "play 9")
    assert state.outcome is not None
    assert state.outcome.places == (2, 1)


def test_ll_42_plays_and_counts_are_public_and_hands_are_private() -> None:
    state = play(GAME.parse("555667/89TTQ"), "play 555+6")
    for viewer in (1, PUBLIC):
        assert zone(state, viewer, "hand", 0) == ((), 2)
        assert zone(state, viewer, "trick", 0) == (("5S", "5H", "5D", "6S"), 0)
    state = play(state, "pass", "play 6")
    assert zone(state, 1, "trick", 0) == (("6H",), 0)
    assert zone(state, 1, "played", 0) == (("5S", "5H", "5D", "6S"), 0)
    assert zone(state, 0, "hand", 1) == ((), 5)
    assert zone(state, 1, "hand", 1) == (("8S", "9S", "TS", "TH", "QS"), 0)
    assert [tuple(event) for event in state.observe(1).events] == [(1, "pass"), (0, "play 6")]
    assert [tuple(event) for event in state.observe(0).events] == [(0, "play 6")]
    assert [tuple(event) for event in state.observe(PUBLIC).events] == [(0, "play 6")]


# Payoff


def test_ll_50_grabs_bombs_and_spring_multiply() -> None:
    state = play(GAME.parse("77778/55669 grabs=1"), "play 7777", "pass", "play 8")
    assert state.outcome == ((8.0, -8.0), (1, 2), (8, -8))
    assert counters(state, "multiplier", "bombs") == (8, 1)


def test_ll_50_a_bomb_still_in_hand_does_not_count_and_a_rocket_played_does() -> None:
    held = play(GAME.parse("57/88889"), "play 5", "play 9", "pass", "play 8", "pass", "play 888")
    assert held.outcome is not None
    assert held.outcome.payoffs == (-2.0, 2.0)
    rocket = play(GAME.parse("57xX/889"), "play 5", "play 9", "play xX", "pass", "play 7")
    assert rocket.outcome is not None
    assert rocket.outcome.payoffs == (2.0, -2.0)


def test_ll_50_a_bomb_that_ends_the_match_counts() -> None:
    state = play(GAME.parse("57777/889"), "play 5", "play 8", "play 7777")
    assert state.outcome is not None
    assert state.outcome.payoffs == (2.0, -2.0)


def test_ll_50_spring_is_when_the_farmer_has_played_nothing() -> None:
    spring = play(GAME.parse("57/88"), "play 5", "pass", "play 7")
    assert spring.outcome is not None
    assert spring.outcome.payoffs == (2.0, -2.0)
    none = play(GAME.parse("59/88"), "play 5", "play 8", "play 9")
    assert none.outcome is not None
    assert none.outcome.payoffs == (1.0, -1.0)


def test_ll_50_spring_is_when_the_landlord_has_made_only_his_opening_play() -> None:
    spring = play(GAME.parse("57/88"), "play 5", "play 8", "pass", "play 8")
    assert spring.outcome is not None
    assert spring.outcome.payoffs == (-2.0, 2.0)
    none = play(GAME.parse("577/8TT"), "play 5", "play 8", "pass", "play T", "pass", "play T")
    assert none.outcome is not None
    assert none.outcome.payoffs == (-2.0, 2.0)
    twice = play(GAME.parse("5797/8TJ"), "play 5", "play 8", "play 9", "play T", "pass", "play J")
    assert twice.outcome is not None
    assert twice.outcome.payoffs == (-1.0, 1.0)


def test_ll_50_bomb_x2_and_spring_x2_can_be_switched_off() -> None:
    for options, points in (
        ("", 8.0),
        (" bomb_x2=false", 4.0),
        (" spring_x2=false", 4.0),
        (" bomb_x2=false spring_x2=false", 2.0),
    ):
        state = play(GAME.parse(f"77778/55669 grabs=1{options}"), "play 7777", "pass", "play 8")
        assert state.outcome is not None
        assert state.outcome.payoffs == (points, -points)


def test_ll_51_the_payoff_is_capped_and_the_margin_is_not() -> None:
    line = ("play 7777", "pass", "play 8888", "pass", "play 9999", "pass", "play 5")
    state = play(GAME.parse("5777788889999/66TTJ grabs=4"), *line)
    assert state.outcome == ((64.0, -64.0), (1, 2), (256, -256))
    state = play(GAME.parse("5777788889999/66TTJ grabs=4 cap=100"), *line)
    assert state.outcome is not None
    assert state.outcome.payoffs == (100.0, -100.0)
    state = play(GAME.parse("5777788889999/66TTJ grabs=4 cap=65536"), *line)
    assert state.outcome is not None
    assert state.outcome.payoffs == (256.0, -256.0)


def test_ll_51_the_bounds_hold_the_payoffs_and_a_forfeit_costs_the_most() -> None:
    assert GAME.payoff_bounds(2, {}) == (-64.0, 64.0)
    assert GAME.payoff_bounds(2, {"cap": 65536}) == (-8192.0, 8192.0)
    assert GAME.payoff_bounds(2, {"cap": 65536, "bomb_x2": False, "max_grabs": 1}) == (-4.0, 4.0)
    assert GAME.payoff_bounds(2, {"bomb_x2": False, "spring_x2": False, "max_grabs": 0}) == (-1.0, 1.0)
    assert GAME.forfeit(GAME.deal(SEED), frozenset({1}), 2, {}).payoffs == (64.0, -64.0)


def test_ll_52_a_seed_gives_the_same_cards_and_the_same_first_seat_again() -> None:
    one, other = GAME.deal(SEED), GAME.deal(SEED)
    assert one.text == other.text
    assert one.observe(ALL) == other.observe(ALL)
    assert GAME.deal(SEEDS[0]).observe(ALL) != GAME.deal(SEEDS[1]).observe(ALL)


def test_ll_53_no_seat_is_asked_more_often_than_the_longest_match() -> None:
    for seed in SEEDS:
        state = GAME.deal(seed)
        asked = [0, 0]
        while state.outcome is None:
            (seat,) = state.turn
            asked[seat] += 1
            state = play(state, legal(state)[0])
        assert max(asked) <= GAME.longest_match
    assert GAME.longest_match == 37 + 3


@pytest.mark.parametrize(
    ("position", "lines"),
    [
        ("55566678/77889", (18, 31, 134, 315)),
        ("5555667788/99TTJJQQK", (25, 66, 273, 1141)),
        ("555666777889/88TTTJJJ99QK", (53, 366, 1069, 8843)),
        ("56789TJQKA2xX/56789TJQKA222", (35, 125, 947, 4552)),
    ],
)
def test_the_lines_of_play_are_as_many_as_the_rules_say(position: str, lines: tuple[int, ...]) -> None:
    state = GAME.parse(position)
    assert tuple(perft(state, depth) for depth in (1, 2, 3, 4)) == lines


# What is refused


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ({0: "play 9"}, "seat 0: 'play 9' is not legal: allowed is any combination of the hand 5588"),
        ({0: "bid"}, "seat 0: 'bid' is not the notation of a combination or a pass"),
        ({1: "play 6"}, "seat 1: 'play 6' is not asked for: the turn is seat 0's"),
        ({0: "play 5", 1: "pass"}, "seat 1: 'pass' is not asked for: the turn is seat 0's"),
        ({}, "seat 0: None is no action: the turn is this seat's"),
    ],
)
def test_an_illegal_action_is_refused_and_named(actions: dict[int, str], message: str) -> None:
    state = GAME.parse("5588/667")
    before = state.text
    with pytest.raises(IllegalAction) as caught:
        state.apply(actions)
    assert str(caught.value) == message
    assert state.text == before


def test_an_action_that_does_not_beat_is_refused_and_named() -> None:
    state = play(GAME.parse("7788/566"), "play 77")
    for action in ("play 66", "play 5"):
        with pytest.raises(IllegalAction, match="any combination of the hand 566 that beats play 77, or pass"):
            state.apply({1: action})


def test_nothing_may_be_done_after_the_end() -> None:
    state = play(GAME.parse("5/66"), "play 5")
    for actions in ({}, {0: "pass"}, {1: "pass"}, {-1: "pass"}, {1: "play 6"}):
        with pytest.raises(IllegalAction, match="the match has ended"):
            state.apply(actions)


def test_an_illegal_word_in_the_auction_is_refused_and_named() -> None:
    state, first, other = auction()
    with pytest.raises(IllegalAction, match=f"seat {first}: 'grab' is not legal now: allowed is call or no"):
        state.apply({first: "grab"})
    with pytest.raises(IllegalAction, match=f"the turn is seat {first}'s"):
        state.apply({other: "call"})
    with pytest.raises(IllegalAction, match="the turn is"):
        state.apply({first: "call", other: "no"})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"cap": 0}, "parameter cap cannot be 0: allowed is 1 to 65536"),
        ({"max_grabs": 5}, "parameter max_grabs cannot be 5: allowed is 0 to 4"),
        ({"all_pass": "void"}, "parameter all_pass cannot be 'void': allowed is first or redeal"),
        ({"bomb": True}, "landlord has no parameter 'bomb'"),
    ],
)
def test_a_bad_parameter_is_refused_and_named(parameters: dict[str, Value], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        GAME.deal(SEED, 2, parameters)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with ''"),
        ("spit seed=00", "begins with 'spit'"),
        ("55/6/7", "has 3 hands, not 2"),
        ("5Z/6", "'Z' is no rank: the ranks are 56789TJQKA2xX"),
        ("55555/6", "more cards of rank 5 than the pack"),
        ("xx/6", "more cards of rank x than the pack"),
        ("/6", "the landlord has 0 cards: allowed is 1 to 20"),
        ("5/66 grabs=2", "the farmer has 2 cards: allowed is 3 to 17 after 2 grabs"),
        ("5/66 grabs=5", "grabs is '5': allowed is 0 to 4"),
        ("5/66 cap=0", "parameter cap cannot be '?0'?"),
        ("5/66 speed=3", "no parameter 'speed'"),
        ("5/66 grabs", "'grabs' is not name=value"),
        ("57/66 | 0 play 9", "seat 0: 'play 9' is not legal"),
        ("57/66 | play 5", "does not begin with a seat"),
        ("landlord seed=00", "it has no deal"),
    ],
)
def test_a_text_that_is_no_position_is_refused_and_named(text: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message.replace("[", r"\[")):
        GAME.parse(text)
