"""Positions of Twenty-Two: their texts, what is drawn anew for a seat, and how a match ends by forfeit."""

from itertools import combinations
from random import Random

import pytest

import cardpit.games.twenty_two_sample
from cardpit.cards import PACK, RANKS
from cardpit.games import ALL, PUBLIC, BadPosition, BadSeats, State
from cardpit.games.seeds import Stream, derive
from cardpit.games.twenty_two_deal import Pack
from games.twenty_two_tables import GAME, counter, events, play, ranks, table, unseen, zone

SEED = bytes(range(32))


def default_match(state: State) -> State:
    while state.outcome is None:
        state = play(state, state.default_action(state.turn[0]))
    return state


def hidden_hands(state: State, viewer: int, seat: int, draws: int) -> set[str]:
    """Return the hands, as sorted ranks, that a seat has in states drawn anew for another."""
    rng = Random(22)
    return {ranks(zone(state.resample(viewer, rng), "hand", seat)) for _ in range(draws)}


@pytest.mark.parametrize("first", [1, 5, 13, 30, 52])
def test_a_pack_looked_at_in_parts_is_the_pack_that_the_stream_shuffles(first: int) -> None:
    shuffled = Stream(SEED, "deal/1").shuffled(PACK)
    pack = Pack(PACK, derive(SEED, "deal/1"))
    assert pack.top(0, first) == list(shuffled[::-1][:first])
    assert pack.top(first // 2, first) == list(shuffled[::-1][first // 2 : first])
    assert pack.cards == shuffled


def test_the_position_after_a_deal_reads_as_its_page_says() -> None:
    assert table(["25", "36"], exchanged=False).text == (
        "twenty-two | seed 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        " | seats 2 min_deal 2 must_beat false | hand 2 dealer 1 wanted 2 | score - / - | out - / -"
        " | pack 4S 7S 8S 9S TS JS QS KS AS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD"
        " AD 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 6S 5S 3S 2S | before -, - hand 2 dealer 1 | since -"
    )


def test_a_text_names_the_cards_put_aside_and_goes_back_to_the_last_action_of_each_seat() -> None:
    state = play(table(["29", "34", "35"], talon="A", exchanged=False), "exchange 2", *["exchange"] * 2)
    assert state.text.endswith("| since 0 exchange 2; 1 exchange; 2 exchange")
    state = play(state, "lead 9", "follow 3", "follow 3")
    assert state.text.split(" | ")[-2:] == [
        "before 0 lead 9; 1 follow 3; 2 follow 3, 0 take, 0 final AS, 1 final 4S, 2 final 5S, 0 score AS,"
        " - hand 3 dealer 0",
        "since -",
    ]
    state = play(state, "exchange", "exchange")
    assert state.text.split(" | ")[-2].startswith("before 0 lead 9; 1 follow 3; 2 follow 3, 0 take")
    state = play(state, "exchange")
    assert state.text.split(" | ")[-2].startswith("before 2 follow 3, 0 take")


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("seats 2", "seats 7", "no position of twenty-two"),
        ("must_beat false", "must_beat maybe", "no position of twenty-two"),
        ("hand 2", "hand 02", "no position of twenty-two"),
        ("dealer 1 wanted", "dealer 5 wanted", "dealer 5: allowed is 0 to 1"),
        ("wanted 2", "wanted 12", "no position of twenty-two"),
        ("score - / -", "score -", "score of 1 and out of 2 seats: there are 2"),
        ("score - / -", "score - / 1S", "score of seat 1: '1S' is no card"),
        ("score - / -", "score - / 2S", "each of the 52 cards must be in one of them, once"),
        ("score - / -", "score AS AH / -", "score of seat 0: allowed is less than 22 points"),
        ("out - / -", "out - / 25 1", "1 seats are in: allowed is 2 or more"),
        ("out - / -", "out - / 25 2", "out '25 2': allowed is -, or points of 22 to 32 and a hand before 2"),
        ("pack 4S", "pack 7S", "each of the 52 cards must be in one of them, once"),
        ("before -, - hand 2 dealer 1", "before -", "allowed is what ends with the beginning of a hand"),
        ("before -,", "before 0 exchange 2,", "is nothing that happened before a hand"),
        ("before -,", "before -, 5 take,", "'5 take' is nothing that happens at a table of 2"),
        ("before -,", "before 0 lead 5; -,", "'-' is no action of a seat"),
        ("since -", "since 2 exchange", "'2 exchange' is no action of a seat: allowed is a seat of 0 to 1"),
        ("since -", "since 1 exchange", "seat 1: 'exchange' is not asked: to act is seat 0"),
        ("since -", "since 0 exchange 3", "seat 0: 'exchange 3' is not legal"),
        ("since -", "since 0 exchange; 1 exchange; 0 lead 2; 1 follow 3", "hand 2 is over"),
        ("since -", "since 0 exchange; 1 exchange; 0 lead 2; 1 follow 3; 1 lead 2", "comes after the end of hand 2"),
        ("since -", "since -\n", "is no action of a seat"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_reason(wrong: str, right: str, message: str) -> None:
    text = table(["25", "36"], exchanged=False).text
    assert wrong in text
    with pytest.raises(BadPosition, match=message):
        GAME.parse(text.replace(wrong, right))


def test_of_one_rank_the_card_got_first_is_played_first() -> None:
    state = table(["29995", "34678"], exchanged=False)
    pack = state.text.split("pack ")[1].split(" |")[0].split()
    got = [card for card in pack[::-1][0:10:2] if card[0] == "9"]
    state = play(state, "exchange 9", "exchange", "lead 9", "follow 3", "lead 9")
    assert zone(state, "aside", 0) == (got[0],)
    assert zone(state, "played", 0) == (got[1],)
    assert zone(state, "trick", 0) == (got[2],)


def test_a_seat_that_followed_low_has_no_card_below_that() -> None:
    state = play(table(["3KKKK", "9TJJQ"]), "lead K", "follow 9")
    assert counter(state, "floor 1") == 9
    assert counter(state, "floor 0") == 2
    hands = hidden_hands(state, 0, 1, 400)
    assert {rank for hand in hands for rank in hand} == set("9TJQKA") - {"K"}
    assert len(hands) > 40


def test_every_hand_that_agrees_with_what_was_seen_can_be_drawn() -> None:
    state = play(table(["3KKKK4", "TJJQQA"]), "lead KKK", "follow T J J")
    possible = {"".join(hand) for hand in combinations("JJQQQQAAAA", 3)}
    assert hidden_hands(state, 0, 1, 1500) == possible


def test_floors_alone_never_need_a_second_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cardpit.games.twenty_two_sample, "_TRIES", 1)
    monkeypatch.delattr(cardpit.games.twenty_two_sample, "_swapped")
    state = play(table(["AAAAQQ", "QQKKKK", "234567"]), "lead A", "follow Q", "follow 2")
    assert hidden_hands(state, 0, 1, 40) == {"QKKKK"}


def test_a_seat_that_beat_may_have_anything() -> None:
    state = play(table(["3K55", "4A66"]), "lead 3", "follow 4")
    assert counter(state, "floor 1") == 2
    assert {rank for hand in hidden_hands(state, 0, 1, 300) for rank in hand} == set(RANKS)


@pytest.mark.parametrize("tries", [30, 0])
def test_a_low_play_proves_weakness_where_beating_is_a_duty(tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cardpit.games.twenty_two_sample, "_TRIES", tries)
    single = play(table(["39999", "45678"], must_beat=True), "lead 9", "follow 4")
    assert {rank for hand in hidden_hands(single, 0, 1, 200) for rank in hand} == set("45678")
    pair = play(table(["39999", "4567K"], must_beat=True), "lead 99", "follow 4 5")
    hands = hidden_hands(pair, 0, 1, 200)
    assert max(sum(rank in "9TJQKA" for rank in hand) for hand in hands) == 1
    assert {"K", "A"} <= {rank for hand in hands for rank in hand}
    later = play(pair, "lead 9", "follow K")
    assert {rank for hand in hidden_hands(later, 0, 1, 200) for rank in hand} == set("5678")


def test_what_was_played_low_counts_in_the_proof_too() -> None:
    state = play(table(["399", "45K", "66Q"], must_beat=True), "lead 99", "follow 4 5")
    assert hidden_hands(state, 0, 1, 300) == set("56789TJQKA")


@pytest.mark.parametrize("tries", [30, 0])
def test_many_proofs_at_once_can_always_be_kept(tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cardpit.games.twenty_two_sample, "_TRIES", tries)
    rng = Random(5)
    for seats in (3, 6):
        state = GAME.deal(rng.randbytes(32), seats, {"must_beat": True, "min_deal": 8})
        for _ in range(90):
            if state.outcome is None:
                other = state.resample(rng.randrange(seats), rng)
                assert [counter(other, f"floor {seat}") for seat in range(seats)] == [
                    counter(state, f"floor {seat}") for seat in range(seats)
                ]
                assert GAME.parse(other.text).text == other.text
                state = play(state, rng.choice(state.legal_actions(state.turn[0])))


def test_what_others_drew_and_put_aside_is_drawn_anew_and_what_the_seat_did_stays() -> None:
    state = play(table(["2345", "6789"], talon="QKA", exchanged=False), "exchange 2 3", "exchange 6")
    rng = Random(3)
    others = [state.resample(0, rng) for _ in range(40)]
    assert len({zone(other, "aside", 1) for other in others}) > 10
    assert {zone(other, "aside", 0) for other in others} == {zone(state, "aside", 0)}
    assert {zone(other, "hand", 0) for other in others} == {zone(state, "hand", 0)}
    for other in others:
        drawn = events(other, ALL)[-1]
        assert (drawn[0], drawn[1][:5]) == (1, "drew ")
        assert drawn[1][5:] in zone(other, "hand", 1)
        assert (1, f"exchange {ranks(zone(other, 'aside', 1))}") in events(other, ALL)


def test_what_is_drawn_anew_has_other_deals_to_come() -> None:
    state = table(["25", "36"])
    rng = Random(1)
    assert len({state.resample(0, rng).text.split(" | ")[1] for _ in range(8)}) == 8


def test_the_public_can_have_all_hands_drawn_anew_and_a_stranger_none() -> None:
    state = table(["25", "36"])
    rng = Random(1)
    others = [state.resample(PUBLIC, rng) for _ in range(20)]
    assert {other.observe(PUBLIC) for other in others} == {state.observe(PUBLIC)}
    assert len({zone(other, "hand", 0) for other in others}) > 5
    for stranger in (2, ALL):
        with pytest.raises(BadSeats, match=f"no seat {stranger}: allowed is 0 to 1"):
            state.resample(stranger, rng)
    with pytest.raises(BadSeats, match="no seat 2: allowed is 0 to 1"):
        state.observe(2)


def test_a_seat_that_is_out_sees_on_what_all_see() -> None:
    state = play(table(["2K", "32", "42"], scores=["AH 8H", "-", "-"]), "lead 2", "follow 3", "follow 4")
    assert state.legal_actions(0) == ()
    state = play(state, "exchange", "exchange")
    seen = events(state, 0)
    assert seen[0] == (0, "lead 2")
    assert seen[-2:] == [(1, "exchanged 0"), (2, "exchanged 0")]
    assert (0, "out 29") in seen
    assert unseen(state, "hand", 1, 0) == counter(state, "cards")
    assert state.resample(0, Random(1)).observe(0) == state.observe(0)


def test_a_forfeit_at_four_seats_puts_those_at_fault_last_and_plays_on_for_the_others() -> None:
    state = GAME.deal(SEED, 4)
    places = default_match(state).outcome
    assert places is not None
    outcome = GAME.forfeit(state, frozenset({1, 3}), 4, GAME.settle({}))
    assert outcome.places[1] == outcome.places[3] == 3
    assert outcome.payoffs[1] == outcome.payoffs[3] == 0.0
    assert outcome.margins[1] == outcome.margins[3] == -32
    better, worse = sorted((0, 2), key=lambda seat: places.places[seat])
    assert (outcome.places[better], outcome.places[worse]) == (1, 2)
    assert (outcome.payoffs[better], outcome.payoffs[worse]) == (3.0, 2.0)
    assert outcome.margins[better] == places.margins[better]


def test_a_forfeit_at_two_seats_gives_the_other_the_win_and_both_at_fault_get_nothing() -> None:
    state = GAME.deal(SEED, 2)
    assert GAME.forfeit(state, frozenset({0}), 2, {})[:2] == ((0.0, 1.0), (2, 1))
    assert GAME.forfeit(state, frozenset({0, 1}), 2, {})[:2] == ((0.0, 0.0), (1, 1))


def test_a_seed_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="a seed of 3 bytes: it must have 32"):
        GAME.deal(b"abc", 2)
