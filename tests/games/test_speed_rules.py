"""Each numbered rule of Speed, each switch, and each vector of examples."""

from random import Random

import pytest

from cardpit.cards import PACK
from cardpit.games import ALL, PUBLIC, BadPosition, BadSeats, IllegalAction, State, find_game
from cardpit.games.seeds import Stream, coin
from cardpit.games.speed_hands import NO_CLUES
from games.real_time_tables import (
    SEED,
    SPEED,
    all_cards,
    any_action,
    both,
    cards,
    counter,
    first_action,
    some,
    speed_table,
    states,
    texts,
    zone,
)

SEEDS = [bytes([number]) * 32 for number in range(30)]


def tick_with(winner: int) -> int:
    """Return a tick of the first game in which this seat has the priority."""
    return next(tick for tick in range(64) if coin(SEED, f"prio/1/{tick}") == winner)


def hand(state: State, seat: int) -> tuple[str, ...]:
    return zone(state, "hand", seat).cards


def sizes(state: State) -> tuple[int, ...]:
    """Return how many cards each seat has in hand, then in stock."""
    return tuple(len(zone(state, name, seat).cards) for name in ("hand", "stock") for seat in range(2))


# The deal


def test_sd_1_two_players_with_a_pack_of_52_whose_ranks_are_a_circle() -> None:
    with pytest.raises(BadSeats, match="not for 1 players: allowed is 2"):
        SPEED.deal(SEED, 1)
    assert all_cards(SPEED.deal(SEED)) == sorted(PACK)
    king = speed_table(hand0="AHQH2C9C9D", hand1="3D", pile0="KS", pile1="6S")
    assert king.legal_actions(0) == ("play Q 0", "play A 0", "pass")
    ace = speed_table(hand0="KH2C9C9DQD", hand1="3D", pile0="AS", pile1="6S")
    assert ace.legal_actions(0) == ("play 2 0", "play K 0", "pass")


@pytest.mark.parametrize(("side", "stock"), [("10", 15), ("5", 20)])
def test_sd_2_ten_or_five_cards_lie_at_each_side_and_the_players_share_the_rest(side: str, stock: int) -> None:
    for seed in SEEDS:
        state = SPEED.deal(seed, 2, {"side": side})
        order = state.chance[0].split()[2:]
        assert order == list(Stream(seed, "deal/1").shuffled(PACK))
        if texts(state) != ["- game 1"]:
            continue
        assert sizes(state) == (5, 5, stock - 5, stock - 5)
        size = int(side)
        assert [len(zone(state, f"side {number}").cards) for number in range(2)] == [size, size]
        assert [zone(state, f"pile {number}").cards for number in range(2)] == [(order[0],), (order[1],)]
        assert zone(state, "side 0").cards == tuple(order[2 : 2 + size])
        assert zone(state, "stock", 0).cards == tuple(order[2 + 2 * size : 2 + 2 * size + stock - 5])


def test_sd_3_each_takes_the_five_top_cards_of_his_stock() -> None:
    state = SPEED.deal(SEED)
    order = state.chance[0].split()[2:]
    assert set(hand(state, 0)) == set(order[32:37])
    assert set(hand(state, 1)) == set(order[47:52])


def test_sd_4_a_seat_sees_its_own_hand_and_the_piles_in_the_middle() -> None:
    for state in states(SPEED.deal(SEED), (any_action, any_action), Random(5)):
        for seat in (0, 1, PUBLIC):
            for shown, true in zip(state.observe(seat).zones, state.observe(ALL).zones, strict=True):
                assert len(shown.cards) + shown.unseen == len(true.cards)
                open_zone = shown.name.startswith("pile") or (shown.name == "hand" and shown.owner == seat)
                assert shown.cards == (true.cards if open_zone else ())


# Actions


def test_sd_10_a_card_goes_on_the_rank_above_or_below_on_either_pile() -> None:
    state = speed_table(hand0="5S7H7D9C2C", hand1="3D", pile0="6S", pile1="8S")
    assert state.legal_actions(0) == ("play 5 0", "play 7 0", "play 7 1", "play 9 1", "pass")
    after = both(state, "play 7 1", "pass")
    assert zone(after, "pile 1").cards == ("8S", "7H")
    assert hand(after, 0) == ("2C", "5S", "7D", "9C")
    assert texts(after)[:2] == ["0 play 7 1", "1 pass"]


def test_sd_10_suits_do_not_multiply_the_plays() -> None:
    state = speed_table(hand0="7S7H7D7C", hand1="3D", pile0="6S", pile1="QS")
    assert state.legal_actions(0) == ("play 7 0", "pass")
    assert zone(both(state, "play 7 0", "pass"), "pile 0").cards[-1] == "7S"


def test_sd_10_of_one_rank_the_card_that_was_drawn_first_is_played() -> None:
    state = speed_table("pile0", hand0="7D", stock0="7S3C7H", hand1="9D", pile0="6S", pile1="6H")
    state = both(both(state, "draw", "pass"), "play 7 0", "pass")
    assert zone(state, "pile 0").cards[-1] == "7D"
    assert "7H" in zone(both(state, "play 7 1", "pass"), "pile 1").cards
    for own, first in (("7D7S7H", "7D"), ("7H7S", "7H"), ("7S7H7D", "7S")):
        table = speed_table(hand0=own, hand1="9D", pile0="6S", pile1="8S")
        assert zone(both(table, "play 7 0", "pass"), "pile 0").cards[-1] == first


@pytest.mark.parametrize(
    ("own", "stock", "draws", "after"),
    [
        ("2C3C4C5C", "6C7C8C", True, (5, 2)),
        ("2C", "6C7C", True, (3, 0)),
        ("2C3C4C5CTC", "6C7C8C", False, (5, 3)),
        ("2C3C", "-", False, (2, 0)),
        ("-", "6C7C", True, (2, 0)),
    ],
)
def test_sd_11_a_draw_fills_the_hand_as_far_as_the_stock_goes(
    own: str, stock: str, draws: bool, after: tuple[int, int]
) -> None:
    state = speed_table("pile0", hand0=own, stock0=stock, hand1="3D", pile0="QS", pile1="QH")
    assert ("draw" in state.legal_actions(0)) is draws
    if draws:
        state = both(state, "draw", "pass")
        taken = cards(stock)[::-1][: after[0] - len(cards(own))]
        assert set(hand(state, 0)) == {*cards(own), *taken}
    assert (sizes(state)[0], sizes(state)[2]) == after


def test_sd_11_with_automatic_refill_nobody_draws() -> None:
    state = speed_table(
        hand0="7S2C3C4C5C", stock0="8C9C", hand1="3D", pile0="6S", pile1="QS", parameters={"refill": "auto"}
    )
    after = both(state, "play 7 0", "pass")
    assert set(hand(after, 0)) == set(cards("2C3C4C5C9C"))
    assert sizes(after)[1] == 5
    for later in states(SPEED.deal(SEED, 2, {"refill": "auto"}), (any_action, any_action), Random(5)):
        assert "draw" not in later.legal_actions(0)
        assert later.outcome or sizes(later)[0] == 5 or sizes(later)[2] == 0


def test_sd_12_nothing_is_forced_and_the_default_is_to_pass() -> None:
    for state in states(SPEED.deal(SEED), (any_action, any_action), Random(6)):
        for seat in state.turn:
            assert state.legal_actions(seat)[-1] == state.default_action(seat) == "pass"


@pytest.mark.parametrize("winner", [0, 1])
def test_sd_13_the_seat_with_the_bit_is_served_and_the_other_keeps_its_card(winner: int) -> None:
    state = speed_table(hand0="7H2C", hand1="5H3D", pile0="6S", pile1="JS", tick=tick_with(winner))
    after = both(state, "play 7 0", "play 5 0")
    assert zone(after, "pile 0").cards[-1] == ("7H", "5H")[winner]
    assert len(hand(after, winner)) == 1
    assert len(hand(after, 1 - winner)) == 2
    assert texts(after)[winner].endswith(("0 play 7 0", "1 play 5 0")[winner])
    assert texts(after)[1 - winner] == ("0 beaten-to-it 7 0", "1 beaten-to-it 5 0")[1 - winner]
    assert after.chance == (f"bit {winner}",)


# Standstill


def test_sd_20_who_can_draw_is_not_stuck() -> None:
    state = speed_table(hand0="TSTHTDTC", stock0="2S2H2D", hand1="6S6H6D6C8C", pile0="QC", pile1="2C")
    after = both(state, "pass", "pass")
    assert texts(after) == ["0 pass", "1 pass"]


def test_sd_20_each_side_pile_gives_its_top_card_until_someone_can_act() -> None:
    state = speed_table(hand0="TSTH", hand1="6S6H6D6C8C", pile0="QC", pile1="2C", side0="9C3C3D", side1="2S4S2H")
    after = both(state, "pass", "pass")
    assert texts(after) == [
        "0 pass", "1 pass", "- standstill", "- slide 3D 0", "- slide 2H 1", "- slide 3C 0", "- slide 4S 1",
        "- slide 9C 0", "- slide 2S 1",
    ]  # fmt: skip
    assert zone(after, "pile 0").cards == ("QC", "3D", "3C", "9C")
    assert after.legal_actions(0) == ("play T 0", "pass")


def test_sd_20_an_empty_side_pile_gives_nothing() -> None:
    state = speed_table(hand0="TSTH", hand1="6S6H6D6C8C", pile0="QC", pile1="2C", side0="9C", side1="-")
    assert texts(both(state, "pass", "pass"))[2:] == ["- standstill", "- slide 9C 0"]


def test_sd_20_three_ticks_without_an_accepted_action_count_as_a_standstill() -> None:
    state = speed_table(hand0="TSTH", hand1="6S6H6D6C8C", pile0="JC", pile1="2C", side0="5C9C", side1="-")
    for stall in (1, 2):
        state = both(state, "pass", "pass")
        assert counter(state, "stall") == stall
    state = both(state, "pass", "pass")
    assert texts(state)[2:] == ["- stall", "- slide 9C 0"]
    assert counter(state, "stall") == 0
    quick = speed_table(hand0="TSTH", hand1="6S6H", pile0="JC", pile1="2C", side0="9C", parameters={"stall": 1})
    assert "- stall" in texts(both(quick, "pass", "pass"))


@pytest.mark.parametrize(("size0", "size1", "sides"), [(13, 9, (10, 10)), (13, 8, (10, 9))])
def test_sd_21_new_side_piles_are_made_from_the_middle(size0: int, size1: int, sides: tuple[int, int]) -> None:
    stuck = "TSTHTDTCJS", "7S7H7D7C6S"
    middle = cards(some(size0 + size1 - 2, *cards("".join(stuck)), "2S", "2H"))
    piles = "".join(middle[: size0 - 1]) + "2S", "".join(middle[size0 - 1 :]) + "2H"
    state = speed_table(hand0=stuck[0], hand1=stuck[1], pile0=piles[0], pile1=piles[1])
    after = both(state, "pass", "pass")
    order = Stream(SEED, "sides/1/1").shuffled(middle)
    assert after.chance == tuple(
        f"sides 1 1 {side} {' '.join(part)}" for side, part in enumerate((order[: sides[0]], order[sides[0] :]))
    )
    tops = order[sides[0] - 1], order[-1]
    assert texts(after)[2:6] == [
        "- standstill", f"- reshuffle {sides[0]} {sides[1]}", f"- slide {tops[0]} 0", f"- slide {tops[1]} 1",
    ]  # fmt: skip
    assert zone(after, "pile 0").cards[:2] == ("2S", tops[0])
    assert counter(after, "reshuffles") == 1
    assert counter(after, "plays") == 0


@pytest.mark.parametrize(
    ("hand0", "hand1", "stock1", "payoffs", "margins"),
    [
        ("TSTH", "7S7H7D7C6S", "2D2C", (1, 0), (7, -7)),
        ("TSTHTDTCJS", "7S7H7D7C6S", "-", (0.5, 0.5), (0, 0)),
        ("TSTHTDTCJS", "7S7H", "-", (0, 1), (-5, 5)),
    ],
)
def test_sd_22_where_new_side_piles_brought_no_play_fewer_cards_win(
    hand0: str, hand1: str, stock1: str, payoffs: tuple[float, ...], margins: tuple[int, ...]
) -> None:
    def after_reshuffle(plays: int) -> State:
        table = speed_table(
            "pile0", hand0=hand0, hand1=hand1, stock1=stock1, pile0="2S", pile1="2H", reshuffles=1, plays=plays
        )
        return both(table, "pass", "pass")

    state = after_reshuffle(0)
    assert state.outcome is not None
    assert (state.outcome.payoffs, state.outcome.margins) == (payoffs, margins)
    assert texts(state)[2:4] == ["- standstill", "- deadlock"]
    again = after_reshuffle(1)
    assert any(text.startswith("- reshuffle") for text in texts(again))


# The end


@pytest.mark.parametrize("winner", [0, 1])
def test_sd_30_who_has_no_card_left_wins(winner: int) -> None:
    hands = ["7H", "5H"]
    hands[1 - winner] = "9S9H9D9C"
    stocks = ["-", "-"]
    stocks[1 - winner] = "2S2H2D"
    state = speed_table(
        "side0", hand0=hands[0], hand1=hands[1], stock0=stocks[0], stock1=stocks[1], pile0="6S", pile1="6H"
    )
    state = both(state, *(("play 7 0", "play 5 0")[seat] if seat == winner else "pass" for seat in range(2)))
    assert state.outcome is not None
    assert state.outcome.payoffs[winner] == 1
    assert state.outcome.margins[winner] == 7
    assert state.outcome.places[winner] == 1
    assert texts(state)[-1] == f"{winner} win 7"
    assert state.turn == ()
    assert state.legal_actions(0) == ()
    assert state.observe(0).phase == "end"


def test_sd_30_a_hand_without_cards_is_no_win_while_there_is_stock() -> None:
    state = speed_table("side0", hand0="7H", stock0="2C", hand1="9S", pile0="6S", pile1="6H")
    assert both(state, "play 7 0", "pass").outcome is None


def test_sd_30_two_who_play_their_last_cards_at_once_draw() -> None:
    state = speed_table("side0", hand0="7H", hand1="5H", pile0="6S", pile1="6H")
    state = both(state, "play 7 0", "play 5 1")
    assert state.outcome is not None
    assert (state.outcome.payoffs, state.outcome.places, state.outcome.margins) == ((0.5, 0.5), (1, 1), (0, 0))
    assert texts(state)[-1] == "- draw"


@pytest.mark.parametrize("winner", [0, 1])
def test_sd_30_on_the_same_pile_the_one_with_the_bit_wins(winner: int) -> None:
    state = speed_table("side0", hand0="7H", hand1="5H", pile0="6S", pile1="6H", tick=tick_with(winner))
    state = both(state, "play 7 0", "play 5 0")
    assert state.outcome is not None
    assert state.outcome.payoffs[winner] == 1


def test_sd_31_the_winner_scores_what_the_other_has_in_hand_and_stock() -> None:
    for seed in SEEDS[:8]:
        *_, last = states(SPEED.deal(seed), (first_action, any_action), Random(7))
        assert last.outcome is not None
        left = sizes(last)
        owned = (left[0] + left[2], left[1] + left[3])
        best = min(owned)
        if owned[0] != owned[1]:
            assert last.outcome.margins[owned.index(best)] == max(owned)
        assert sum(last.outcome.margins) == 0


def test_sd_32_a_match_goes_on_until_a_player_has_the_target() -> None:
    for seed in SEEDS[:4]:
        games = set()
        *before, last = states(SPEED.deal(seed, 2, {"target": 25}), (first_action, any_action), Random(8))
        for state in before:
            games.add(counter(state, "game"))
            assert max(counter(state, "score 0"), counter(state, "score 1")) < 25
            assert all_cards(state) == sorted(PACK)
        score = counter(last, "score 0"), counter(last, "score 1")
        assert last.outcome is not None
        assert max(score) >= 25
        assert last.outcome.payoffs[score.index(max(score))] == 1
        assert last.outcome.margins[0] == score[0] - score[1]
        assert games == set(range(1, len(games) + 1))
        assert len(games) > 1


def test_sd_32_each_game_is_dealt_from_a_stream_of_its_own() -> None:
    nearly = speed_table("side0", {"target": 9}, hand0="7H", hand1="9S", pile0="6S", pile1="6H", score="3,4", game=2)
    state = both(nearly, "play 7 0", "pass")
    assert texts(state)[2:4] == ["0 win 1", "- game 3"]
    assert (counter(state, "score 0"), counter(state, "score 1"), counter(state, "game")) == (4, 4, 3)
    assert state.chance[0] == "deal 3 " + " ".join(Stream(SEED, "deal/3").shuffled(PACK))
    assert counter(state, "tick") == 0


def test_sd_32_a_match_of_draws_ends_after_twice_the_target() -> None:
    def drawn(game: int) -> State:
        table = speed_table(
            "side0", {"target": 9}, hand0="7H", hand1="5H", pile0="6S", pile1="6H", score="3,4", game=game
        )
        return both(table, "play 7 0", "play 5 1")

    last = drawn(18)
    assert last.outcome is not None
    assert (last.outcome.payoffs, last.outcome.margins) == ((0, 1), (-1, 1))
    assert drawn(17).outcome is None


def test_sd_33_after_500_ticks_fewer_cards_win() -> None:
    state = speed_table("side0", hand0="7H", hand1="5H3D", pile0="6S", pile1="6H", tick=499)
    state = both(state, "pass", "pass")
    assert state.outcome is not None
    assert state.outcome.payoffs == (1, 0)
    assert texts(state)[2:] == ["- cap", "0 win 2"]
    assert (
        both(speed_table("side0", hand0="7H", hand1="5H3D", pile0="6S", pile1="6H", tick=498), "pass", "pass").outcome
        is None
    )
    short = speed_table("side0", hand0="7H", hand1="5H", pile0="6S", pile1="6H", tick=7, parameters={"max_ticks": 8})
    assert texts(both(short, "pass", "pass"))[2:] == ["- cap", "- draw"]


# What is known of a hidden hand


def ranks_of_hands(state: State, seat: int = 0, other: int = 1, number: int = 60) -> list[str]:
    """Return the ranks of the other hand in states that agree with what a seat has seen."""
    rng = Random(3)
    return ["".join(card[0] for card in hand(state.resample(seat, rng), other)) for _ in range(number)]


def test_a_hand_that_stood_still_has_no_card_that_could_be_played() -> None:
    state = speed_table(
        "side0", hand0="TSTHTDTC4S", hand1="6S6H6D6C8C", stock1="KSKHKD", pile0="2D", pile1="2C", side0="9C"
    )
    state = both(state, "pass", "pass")
    assert all(not set(ranks) & set("A3") for ranks in ranks_of_hands(state))
    free = speed_table("side0", hand0="TSTHTDTC4S", hand1="6S6H6D6C8C", pile0="9C", pile1="2C")
    assert any(set(ranks) & set("A3") for ranks in ranks_of_hands(free))


def test_cards_drawn_after_a_standstill_may_be_of_any_rank() -> None:
    state = speed_table(
        "side1", hand0="TSTHTDTC4S", hand1="6S6H6D6C8C", stock1="KSKHKD", pile0="2D", pile1="2C", side0="7C"
    )
    state = both(both(both(state, "pass", "pass"), "pass", "play 6 0"), "pass", "draw")
    drawn = ranks_of_hands(state, number=200)
    assert {sum(rank in "A3" for rank in ranks) for ranks in drawn} == {0, 1}


def test_who_was_beaten_to_a_pile_still_has_a_card_of_the_rank() -> None:
    state = speed_table(hand0="7H2C", hand1="5HTD", pile0="6S", pile1="QS", tick=tick_with(0))
    state = both(state, "play 7 0", "play 5 0")
    assert all("5" in ranks for ranks in ranks_of_hands(state))
    assert all("5" in ranks for ranks in ranks_of_hands(state, PUBLIC))


def test_where_the_table_does_not_slide_the_other_hand_can_play() -> None:
    state = speed_table("side0", hand0="TSTHTDTC4S", hand1="6S6H6D6C3C", pile0="2D", pile1="2C")
    state = both(state, "pass", "pass")
    assert all(set(ranks) & set("A3") for ranks in ranks_of_hands(state))


def test_a_hand_that_could_play_and_did_not_still_can() -> None:
    state = speed_table("side0", hand0="TSTHTDTC4S", hand1="6S6H6D6C3C", pile0="2D", pile1="2C")
    for _ in range(3):
        state = both(state, "pass", "pass")
    assert texts(state)[2] == "- stall"
    assert all(set(ranks) & set("A3") for ranks in ranks_of_hands(state))
    assert not all(set(ranks) & set("A3") for ranks in ranks_of_hands(state, PUBLIC))


def test_a_play_of_a_barred_rank_was_drawn_later_and_takes_nothing_from_what_is_known() -> None:
    sevens, eights = 1 << 5, 1 << 6
    clues = NO_CLUES.after_standstill(5, sevens)
    assert clues.barred == ((5, sevens),)
    clues = clues.after_play(6)
    assert clues.barred == ((4, sevens),)
    assert clues.after_play(5).barred == ((4, sevens),)
    later = clues.after_standstill(5, eights)
    assert later.barred == ((4, sevens | eights), (5, eights))
    assert later.after_play(5).barred == ((4, sevens | eights),)
    assert later.after_play(3).barred == ((3, sevens | eights), (4, eights))


def test_new_side_piles_keep_the_cards_that_were_in_the_middle() -> None:
    state = speed_table("stock1", hand0="TSTHTDTCJS", hand1="7S7H7D7C6S", pile0="9S3C4C5C9C2S", pile1="3H4H5H2H")
    state = both(state, "pass", "pass")
    assert counter(state, "reshuffles") == 1
    sides = [z.cards for z in state.observe(ALL).zones if z.name.startswith("side")]
    rng = Random(4)
    seen = set()
    for _ in range(40):
        other = [z.cards for z in state.resample(0, rng).observe(ALL).zones if z.name.startswith("side")]
        assert sorted(sum(other, ())) == sorted(sum(sides, ()))
        seen.add(tuple(other))
    assert len(seen) > 5


def test_every_state_dealt_anew_agrees_with_what_was_seen_all_along() -> None:
    rng = Random(5)
    for seed in SEEDS[:6]:
        for state in states(SPEED.deal(seed), (any_action, any_action), rng):
            other = state.resample(1, rng)
            assert SPEED.parse(other.text).text == other.text
            assert other.observe(1) == state.observe(1)
            assert all_cards(other) == sorted(PACK)
            if state.outcome is None:
                assert other.legal_actions(0) != ("pass",) or other.legal_actions(1) != ("pass",)


# Words


def test_a_position_that_cannot_be_is_refused() -> None:
    good = SPEED.deal(SEED).text
    for name, new, said in (
        ("hand0", "hand0=-", "is there 0 times"),
        ("hand0", "hand0=6C7H8DTDKDJS", "has 6 cards: allowed is up to 5"),
        ("pile0", "pile0=-", "pile0 and pile1 must have a card each"),
        ("phase", "phase=slap", "phase cannot be 'slap': allowed is play or end"),
        ("clues0", "clues0=6:A/-", "clues cannot be '6': allowed is 1 to 5"),
        ("clues0", "clues0=1:B/-", "'B' are no ranks"),
        ("tick", "tick=501", "allowed is 0 to 500"),
        ("seed", "seed=00", "allowed is 64 digits"),
    ):
        word = next(word for word in good.split() if word.startswith(f"{name}="))
        with pytest.raises(BadPosition, match=said):
            SPEED.parse(good.replace(word, new, 1))


def test_an_illegal_action_names_what_was_allowed() -> None:
    state = speed_table(hand0="7H2C", hand1="5H3D", pile0="6S", pile1="JS")
    with pytest.raises(IllegalAction, match="seat 0: 'play 9 0' is not legal: allowed is play 7 0, pass"):
        both(state, "play 9 0", "pass")


def test_speed_is_registered() -> None:
    assert find_game("speed") is SPEED
    assert SPEED.real_time
