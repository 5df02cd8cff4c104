"""Each numbered rule of Spit, each switch, and each vector of examples."""

from random import Random

import pytest

from cardpit.cards import PACK
from cardpit.games import ALL, PUBLIC, BadPosition, BadSeats, IllegalAction, State, find_game
from cardpit.games.seeds import Stream, coin
from games.real_time_tables import (
    SEED,
    SPIT,
    all_cards,
    any_action,
    both,
    counter,
    some,
    spit_table,
    states,
    texts,
    zone,
)

SEEDS = [bytes([number]) * 32 for number in range(30)]


def bit(tick: int, layout: int = 1, seed: bytes = SEED) -> int:
    return coin(seed, f"prio/{layout}/{tick}")


def tick_with(wanted: int) -> int:
    """Return a tick of the first layout in which this seat has the priority."""
    return next(tick for tick in range(64) if bit(tick) == wanted)


def fits(top: str, card: str, **parameters: bool) -> bool:
    """Tell whether a card may be played on a top card."""
    state = spit_table(card, "6C/6D", pile0=top, pile1="-", spitter=0, parameters=parameters)
    return "play 0 0" in state.legal_actions(0)


def events_of(state: State, word: str) -> list[str]:
    return [text for text in texts(state) if text.split()[1] == word]


# Set-up


def test_sp_1_two_players_with_a_pack_of_52_whose_ranks_are_a_circle() -> None:
    with pytest.raises(BadSeats, match="not for 3 players: allowed is 2"):
        SPIT.deal(SEED, 3)
    assert all_cards(SPIT.deal(SEED)) == sorted(PACK)


@pytest.mark.parametrize(
    ("top", "card", "legal"),
    [
        ("AS", "KH", True),
        ("AS", "2H", True),
        ("KS", "AH", True),
        ("2S", "AH", True),
        ("KS", "2H", False),
        ("9S", "9H", False),
        ("9S", "TH", True),
        ("9S", "JH", False),
    ],
)
def test_sp_10_a_card_is_played_on_the_rank_above_or_below_it(top: str, card: str, legal: bool) -> None:
    assert fits(top, card) is legal


def test_sp_2_each_player_gets_26_cards() -> None:
    for seed in SEEDS:
        state = SPIT.deal(seed)
        assert (counter(state, "cards 0"), counter(state, "cards 1")) == (26, 26)
        deals = [text.split() for text in state.chance if text.startswith("deal 1")]
        assert [len(deal) - 3 for deal in deals] == [26, 26]


def test_sp_3_slots_hold_one_to_five_cards_with_the_last_dealt_face_up() -> None:
    state = SPIT.deal(SEED)
    deck = [PACK[number] for number in Stream(SEED, "deal").shuffled(range(52))]
    for seat in range(2):
        hand = deck[26 * seat : 26 * seat + 26]
        start = 0
        for slot in range(5):
            dealt = tuple(hand[start : start + slot + 1])
            start += slot + 1
            assert zone(state, f"slot {slot}", seat).cards == dealt
            assert zone(state, f"slot {slot}", seat, seat)[2:] == (dealt[-1:], slot)
        assert zone(state, "spit", seat).cards[::-1] == tuple(hand[16:])
        assert zone(state, f"pile {seat}").cards == (hand[15],)


def test_sp_4_the_other_eleven_are_spit_cards_of_known_number() -> None:
    state = SPIT.deal(SEED)
    for seat in range(2):
        assert zone(state, "spit", seat, 0) == ("spit", seat, (), 10)
        assert counter(state, f"spit {seat}") == 10


def test_sp_5_both_flip_a_spit_card_to_start_two_piles() -> None:
    state = SPIT.deal(SEED)
    first, second = (zone(state, f"pile {pile}").cards[0] for pile in range(2))
    assert texts(state) == ["- layout 1", f"0 spit {first} 0", f"1 spit {second} 1"]


def test_sp_5_one_flips_to_a_single_pile_where_the_other_has_no_spit_card() -> None:
    state = next_layout(held=9)
    assert counter(state, "piles") == 1
    assert (counter(state, "cards 0"), counter(state, "cards 1")) == (9, 43)
    assert len(zone(state, "pile 0").cards) == 1
    assert zone(state, "pile 1").cards == ()
    assert events_of(state, "spit") == [f"1 spit {zone(state, 'pile 0').cards[0]} 0"]


def test_sp_6_all_see_the_same_and_nobody_what_lies_face_down() -> None:
    for state in states(SPIT.deal(SEED), (any_action, any_action), Random(1)):
        seen = state.observe(0)
        assert seen[:3] == state.observe(1)[:3]
        assert seen[:3] == state.observe(PUBLIC)[:3]
        for shown, true in zip(seen.zones, state.observe(ALL).zones, strict=True):
            assert len(shown.cards) + shown.unseen == len(true.cards)
            if shown.name.startswith("pile"):
                assert shown == true
            elif shown.name == "spit":
                assert shown.cards == ()
            else:
                assert shown.cards == true.cards[shown.unseen :]
                assert len(shown.cards) <= 1


# Actions


def test_sp_10_either_player_may_play_on_either_pile() -> None:
    state = spit_table("5H 2D/9C", "5D 2H/TC", pile0="6S", pile1="4S")
    for seat in range(2):
        assert state.legal_actions(seat)[:2] == ("play 0 0", "play 0 1")
    after = both(state, "play 0 1", "play 0 0")
    assert zone(after, "pile 0").cards[-2:] == ("6S", "5D")
    assert zone(after, "pile 1").cards == ("4S", "5H")
    assert texts(after) == ["0 play 0 1", "1 play 0 0"]


def test_sp_11_a_face_down_top_card_is_turned_up() -> None:
    state = spit_table("9C7H4D/-", "9D", pile0="2S", pile1="3S")
    assert state.legal_actions(0) == ("flip 0", "pass")
    after = both(state, "flip 0", "pass")
    assert zone(after, "slot 0", 0, 0) == ("slot 0", 0, ("4D",), 2)
    assert after.legal_actions(0)[0] == "play 0 1"


def test_sp_12_a_card_moves_to_an_empty_slot_from_a_slot_with_more() -> None:
    state = spit_table("7D4D/9H - JH", "KD", pile0="2S", pile1="3S")
    assert [action for action in state.legal_actions(0) if action.startswith("move")] == [
        f"move 0 {target}" for target in (1, 3, 4)
    ]
    after = both(state, "move 0 3", "pass")
    assert zone(after, "slot 3", 0, 0) == ("slot 3", 0, ("9H",), 0)
    assert zone(after, "slot 0", 0, 0) == ("slot 0", 0, (), 2)
    assert "flip 0" in after.legal_actions(0)
    full = spit_table("7D4D/9H 5D/JH QH KH 9D", "KD", pile0="2S", pile1="3S")
    assert not [action for action in full.legal_actions(0) if action.startswith("move")]


def test_sp_13_the_default_is_to_pass() -> None:
    state = SPIT.deal(SEED)
    assert [state.default_action(seat) for seat in range(2)] == ["pass", "pass"]


def test_sp_14_nothing_is_forced() -> None:
    for state in states(SPIT.deal(SEED), (any_action, any_action), Random(2)):
        if state.observe(0).phase == "play":
            assert all(state.legal_actions(seat)[-1] == "pass" for seat in range(2))


def test_sp_15_nothing_goes_on_an_own_face_up_card_or_on_an_equal_rank() -> None:
    state = spit_table("9C JH/9D 8H", "KD", pile0="9H", pile1="2S")
    assert state.legal_actions(0) == ("play 2 0", "move 1 3", "move 1 4", "pass")


@pytest.mark.parametrize("winner", [0, 1])
def test_sp_16_the_seat_with_the_bit_is_served_and_the_other_keeps_its_card(winner: int) -> None:
    tick = tick_with(winner)
    state = spit_table("2D/7H", "3D/5H", pile0="6S", pile1="QS", tick=tick)
    after = both(state, "play 0 0", "play 0 0")
    assert zone(after, "pile 0").cards[-1] == ("7H", "5H")[winner]
    assert zone(after, "slot 0", winner, 0)[2:] == ((), 1)
    assert zone(after, "slot 0", 1 - winner, 0)[2:] == ((("7H", "5H")[1 - winner],), 1)
    assert texts(after) == [f"{seat} {'play' if seat == winner else 'beaten-to-it'} 0 0" for seat in range(2)]
    assert after.chance == (f"bit {winner}",)
    assert counter(after, "stall") == 0


@pytest.mark.parametrize("winner", [0, 1])
def test_sp_16_plays_on_different_piles_need_no_bit(winner: int) -> None:
    state = spit_table("2D/7H", "3D/5H", pile0="6S", pile1="4S", tick=tick_with(winner))
    after = both(state, "play 0 0", "play 0 1")
    assert (zone(after, "pile 0").cards[-1], zone(after, "pile 1").cards[-1]) == ("7H", "5H")
    assert after.chance == ()


# Standstill and spitting


def test_sp_20_nobody_who_can_play_flip_or_move_stands_still() -> None:
    for slots in ("2D/7H", "9C3H/-", "9C/KH -"):
        state = spit_table(slots, "TD", pile0="6S", pile1="4S", spits0="5CQC", spits1="5D")
        after = both(state, "pass", "pass")
        assert texts(after) == ["0 pass", "1 pass"]


def test_sp_20_a_standstill_is_seen_after_a_tick_and_after_a_spit() -> None:
    state = spit_table("9D KD", "9H", pile0="8S", pile1="4S", spits0="5C8CJC", spits1="6D2HJD", rest="pile1")
    after = both(state, "play 0 0", "pass")
    assert texts(after)[2:] == [
        "- standstill", "0 spit 5C 0", "1 spit 6D 1", "0 spit 8C 0", "1 spit 2H 1",
    ]  # fmt: skip
    assert after.legal_actions(1) == ("play 0 0", "pass")


def test_sp_21_three_ticks_without_an_accepted_action_count_as_a_standstill() -> None:
    state = spit_table("2D/7H", "TD", pile0="6S", pile1="4S", spits0="5CQC", spits1="5D")
    for stall in (1, 2):
        state = both(state, "pass", "pass")
        assert counter(state, "stall") == stall
    state = both(state, "pass", "pass")
    assert texts(state)[2:] == ["- stall", "0 spit 5C 0", "1 spit 5D 1"]
    assert counter(state, "stall") == 0
    played = both(both(spit_table("2D/7H", "TD", pile0="6S", pile1="4S"), "pass", "pass"), "play 0 0", "pass")
    assert counter(played, "stall") == 0


def test_sp_21_the_number_of_ticks_is_a_switch() -> None:
    state = spit_table("2D/7H", "TD", pile0="6S", pile1="4S", spits0="5CQC", spits1="5D", parameters={"stall": 1})
    assert "- stall" in texts(both(state, "pass", "pass"))


def test_sp_22_each_flips_one_on_his_own_pile() -> None:
    state = spit_table("9D", "9H", pile0="QS", pile1="3S", spits0="8C2C", spits1="KDJD", rest="spits1")
    after = both(state, "pass", "pass")
    assert (zone(after, "pile 0").cards[-1], zone(after, "pile 1").cards[-1]) == (
        "8C",
        zone(state, "spit", 1).cards[-1],
    )
    assert counter(after, "spit 0") == 1


def lone() -> State:
    """Return the state in which seat 1, with three spit cards, names a pile."""
    state = spit_table("9D", "9H", pile0="QS", pile1="3S", spits1="5C2CKDJDQD")
    return both(state, "pass", "pass")


def test_sp_23_a_lone_spitter_names_a_pile_and_keeps_to_it() -> None:
    state = lone()
    assert state.observe(0).phase == "spit"
    assert state.turn == (1,)
    assert state.legal_actions(1) == ("spit 0", "spit 1")
    assert state.legal_actions(0) == ()
    assert state.default_action(1) == "spit 1"
    state = state.apply({1: "spit 0"})
    assert texts(state, 1) == ["1 spit 0", *(f"1 spit {card} 0" for card in ("5C", "2C", "KD", "JD", "QD"))]
    assert zone(state, "pile 1").cards == ("3S",)
    assert state.observe(0).phase == "slap"


def test_sp_23_the_lock_holds_until_the_layout_ends() -> None:
    state = spit_table("9D", "9H", pile0="QS", pile1="3S", spits1="8C2CKD", lock=0)
    state = both(state, "pass", "pass")
    assert zone(state, "pile 0").cards[-1] == "8C"
    for _ in range(3):
        state = both(state, "pass", "pass")
    assert counter(state, "lock") == 0
    assert events_of(state, "spit") == ["1 spit 2C 0", "1 spit KD 0"]
    slapped = both(state, "slap 0", "slap 1")
    assert counter(slapped, "lock") == -1
    assert counter(slapped, "layout") == 2


def test_sp_23_events_go_back_to_the_last_turn_of_a_seat_that_was_not_asked() -> None:
    state = spit_table("9D", "9H", pile0="QS", pile1="3S", spits1="8CKD")
    state = both(state, "pass", "pass").apply({1: "spit 1"})
    assert texts(state, 0) == ["0 pass", "1 pass", "- standstill", "1 spit 1", "1 spit 8C 1"]
    assert texts(state, 1) == ["1 spit 1", "1 spit 8C 1"]
    assert texts(state, PUBLIC) == texts(state, ALL) == ["1 spit 1", "1 spit 8C 1"]


def test_sp_24_with_one_pile_the_player_with_spit_cards_flips_on_it() -> None:
    state = spit_table("9D", "9H 4H", pile0="QS", pile1="-", spits1="2C8CKD", spitter=1)
    state = both(state, "pass", "pass")
    assert events_of(state, "spit") == ["1 spit 2C 0", "1 spit 8C 0"]
    assert state.observe(0).phase == "play"


def test_sp_25_without_spit_cards_a_standstill_ends_the_layout() -> None:
    state = both(spit_table("9D", "9H", pile0="QS", pile1="3S"), "pass", "pass")
    assert state.observe(0).phase == "slap"
    assert counter(state, "finisher") == -1


# End of a layout


def test_sp_30_a_player_without_a_card_in_slots_is_the_finisher() -> None:
    state = both(spit_table("9D", "9H", pile0="8S", pile1="3S", spits0="2C"), "play 0 0", "pass")
    assert texts(state)[2:] == ["0 out"]
    assert counter(state, "finisher") == 0
    assert state.observe(0).phase == "slap"


@pytest.mark.parametrize("winner", [0, 1])
def test_sp_30_where_both_are_out_the_bit_names_the_finisher(winner: int) -> None:
    state = spit_table("9D", "4H", pile0="8S", pile1="3S", tick=tick_with(winner))
    state = both(state, "play 0 0", "play 0 1")
    assert counter(state, "finisher") == winner
    assert state.chance == (f"bit {winner}",)
    assert texts(state) == ["0 play 0 0", "1 play 0 1", f"{winner} out"]


def test_sp_31_a_layout_ends_at_a_standstill_without_spit_cards() -> None:
    state = spit_table("9D KD", "9H", pile0="8S", pile1="3S", rest="pile1")
    state = both(state, "play 0 0", "pass")
    assert texts(state)[2:] == ["- standstill"]
    assert state.legal_actions(0) == state.legal_actions(1) == ("slap 0", "slap 1")


def slapping(finisher: int = 0, **parameters: bool | str) -> State:
    """Return a state in which both slap: pile 0 is the larger."""
    return spit_table(
        "-" if finisher == 0 else "9D", "-" if finisher == 1 else "8C9H/KH", pile0="8S", pile1="3S4C", spits0="2CJC",
        phase="slap", finisher=finisher, parameters=parameters,
    )  # fmt: skip


def test_sp_40_each_takes_the_pile_it_named() -> None:
    state = slapping()
    assert [state.default_action(seat) for seat in range(2)] == ["slap 0", "slap 1"]
    for first, second in ((0, 1), (1, 0)):
        after = both(state, f"slap {first}", f"slap {second}")
        assert texts(after)[:4] == [f"0 slap {first}", f"1 slap {second}", f"0 take {first}", f"1 take {second}"]
        assert counter(after, "layout") == 2
        assert not any(text.startswith("bit") for text in after.chance)


@pytest.mark.parametrize("pile", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
def test_sp_41_the_bit_decides_who_gets_the_pile_that_both_slapped(winner: int, pile: int) -> None:
    words = slapping(finisher=1 - winner).text.split()
    words = [f"tick={tick_with(winner)}" if word.startswith("tick=") else word for word in words]
    after = both(SPIT.parse(" ".join(words)), f"slap {pile}", f"slap {pile}")
    takes = [f"{winner} take {pile}", f"{1 - winner} take {1 - pile}"]
    assert events_of(after, "take") == sorted(takes)
    assert after.chance[0] == f"bit {winner}"


@pytest.mark.parametrize("finisher", [0, 1])
def test_sp_41_the_finisher_gets_the_pile_that_both_slapped_if_so_chosen(finisher: int) -> None:
    for tick in (tick_with(0), tick_with(1)):
        words = slapping(finisher, slap_tie="finisher").text.split()
        words = [f"tick={tick}" if word.startswith("tick=") else word for word in words]
        after = both(SPIT.parse(" ".join(words)), "slap 1", "slap 1")
        assert events_of(after, "take") == sorted([f"{finisher} take 1", f"{1 - finisher} take 0"])
    nobody = both(spit_table("9D", "9H", pile0="QS", pile1="3S", parameters={"slap_tie": "finisher"}), "pass", "pass")
    assert both(nobody, "slap 1", "slap 1").chance[0] == f"bit {bit(1)}"


def test_sp_42_a_hand_is_the_pile_the_unplayed_and_the_unused_cards() -> None:
    state = slapping()
    after = both(state, "slap 1", "slap 0")
    hands = [sorted(text.split()[3:]) for text in after.chance]
    assert hands[0] == sorted(["3S", "4C", "2C", "JC"])
    assert hands[1] == sorted(set(PACK) - set(hands[0]))


def next_layout(held: int) -> State:
    """Return the layout in which seat 0 has so many cards, after a slap."""
    pile1 = some(held, "KH", "8S")
    state = spit_table("-", "KH", pile0="8S", pile1=pile1, phase="slap", finisher=0)
    return both(state, "slap 1", "slap 0")


def test_sp_43_with_one_pile_the_finisher_keeps_only_his_spit_cards() -> None:
    state = spit_table("2D", "9H 4H", pile0="AS", pile1="-", spits0="5C8CKD", spitter=0)
    state = both(state, "play 0 0", "pass")
    assert (counter(state, "cards 0"), counter(state, "cards 1")) == (3, 49)
    assert events_of(state, "take") == ["1 take 0"]


@pytest.mark.parametrize(
    ("first", "second", "taker"), [("9D JD", "9H", 0), ("9D", "9H JH", 1), ("9D", "9H", 1), ("2C9D/4D 9H", "JH 9C", 0)]
)
def test_sp_44_with_one_pile_a_standstill_gives_it_to_the_player_with_more_cards(
    first: str, second: str, taker: int
) -> None:
    state = spit_table(first, second, pile0="QS", pile1="-", spitter=1, parameters={"stall": 1})
    state = SPIT.parse(state.text)
    after = both(state, "pass", "pass")
    assert events_of(after, "take") == [f"{taker} take 0"]
    kept = (len(first.replace(" ", "").replace("/", "")), len(second.replace(" ", "")))
    assert counter(after, f"cards {1 - taker}") == kept[1 - taker] // 2


@pytest.mark.parametrize("spitter", [0, 1])
def test_sp_44_with_as_many_cards_the_player_who_had_spit_cards_takes_the_pile(spitter: int) -> None:
    state = spit_table("9D", "9H", pile0="QS", pile1="-", spitter=spitter)
    assert events_of(both(state, "pass", "pass"), "take") == [f"{spitter} take 0"]


@pytest.mark.parametrize(
    ("held", "sizes", "spits"),
    [
        (1, (1, 0, 0, 0, 0), 0),
        (2, (1, 1, 0, 0, 0), 0),
        (9, (1, 2, 3, 3, 0), 0),
        (14, (1, 2, 3, 4, 4), 0),
        (15, (1, 2, 3, 4, 5), 0),
        (16, (1, 2, 3, 4, 5), 1),
        (30, (1, 2, 3, 4, 5), 15),
    ],
)
def test_sp_45_slots_are_filled_in_order_as_far_as_the_cards_go(held: int, sizes: tuple[int, ...], spits: int) -> None:
    state = next_layout(held)
    assert tuple(len(zone(state, f"slot {slot}", 0).cards) for slot in range(5)) == sizes
    for slot, size in enumerate(sizes):
        assert len(zone(state, f"slot {slot}", 0, 0).cards) == min(size, 1)
    assert counter(state, "piles") == (2 if spits else 1)
    assert counter(state, "spit 0") == max(0, spits - 1)
    assert all_cards(state) == sorted(PACK)


def test_sp_45_a_layout_is_dealt_from_its_own_stream_of_each_hand_in_order_of_the_pack() -> None:
    state = next_layout(20)
    hand = [card for card in PACK if card not in ("KH", "8S")][:20]
    assert state.chance[0] == "deal 2 0 " + " ".join(Stream(SEED, "layout/2/0").shuffled(hand))
    rest = [card for card in PACK if card not in hand]
    assert state.chance[1] == "deal 2 1 " + " ".join(Stream(SEED, "layout/2/1").shuffled(rest))


# End of the game


@pytest.mark.parametrize("finisher", [0, 1])
def test_sp_50_who_is_out_with_one_pile_and_no_spit_cards_wins(finisher: int) -> None:
    for spitter in range(2):
        slots = ["9H 4H", "TD KD"]
        slots[finisher] = "2D"
        kept = ["", ""]
        kept[spitter] = "5C6C" if spitter != finisher else ""
        first, second = slots
        state = spit_table(first, second, pile0="AS", pile1="-", spitter=spitter, spits0=kept[0], spits1=kept[1])
        state = both(state, *("play 0 0" if seat == finisher else "pass" for seat in range(2)))
        assert state.outcome is not None
        assert state.outcome.payoffs[finisher] == 1
        assert state.outcome.margins[finisher] == 52
        assert state.turn == ()
        assert state.legal_actions(0) == ()
        assert state.observe(0).phase == "end"


def test_sp_50_two_piles_are_no_win_even_without_spit_cards() -> None:
    state = both(spit_table("9D", "9H", pile0="8S", pile1="3S"), "play 0 0", "pass")
    assert state.outcome is None
    assert state.observe(0).phase == "slap"


@pytest.mark.parametrize(
    ("size", "payoffs", "margins"),
    [(1, (1, 0), (48, -48)), (25, (0.5, 0.5), (0, 0)), (40, (0, 1), (-30, 30))],
)
def test_sp_51_at_the_cap_fewer_cards_win(size: int, payoffs: tuple[float, ...], margins: tuple[int, ...]) -> None:
    pile1 = some(size, "9D", "8C", "KC")
    state = spit_table("-", "9D", pile0="8C", pile1=pile1, spits0="KC", phase="slap", finisher=0, layout=100)
    after = both(state, "slap 1", "slap 0")
    assert after.outcome is not None
    assert after.outcome.payoffs == payoffs
    assert after.outcome.margins == margins
    assert texts(after)[-1] == "- cap"
    assert counter(after, "cards 1") - counter(after, "cards 0") == margins[0]
    earlier = both(SPIT.parse(state.text.replace("layout=100", "layout=99")), "slap 1", "slap 0")
    assert earlier.outcome is None
    assert counter(earlier, "layout") == 100


def test_sp_51_the_cap_is_300_with_four_piles_and_a_switch() -> None:
    for layout, parameters in ((300, {"four_piles": True}), (7, {"max_layouts": 7})):
        state = spit_table("-", "9D", pile0="8C", pile1="3S", phase="slap", layout=layout, parameters=parameters)
        assert both(state, "slap 1", "slap 0").outcome is not None
        state = spit_table("-", "9D", pile0="8C", pile1="3S", phase="slap", layout=layout - 1, parameters=parameters)
        assert both(state, "slap 1", "slap 0").outcome is None


def test_sp_52_a_match_is_won_drawn_or_lost() -> None:
    assert SPIT.payoff_bounds(2, {}) == (0, 1)
    assert SPIT.payoff_unit == "wins"
    for seed in SEEDS[:5]:
        *_, last = states(SPIT.deal(seed), (any_action, any_action), Random(3))
        assert last.outcome is not None
        assert sum(last.outcome.payoffs) == 1
        assert sum(last.outcome.margins) == 0


# Variations and switches


def test_v_1_four_piles_hold_ten_cards_and_leave_sixteen() -> None:
    state = SPIT.deal(SEED, 2, {"four_piles": True})
    for seat in range(2):
        assert [len(zone(state, f"slot {slot}", seat).cards) for slot in range(4)] == [1, 2, 3, 4]
        assert len(zone(state, "spit", seat).cards) == 15
    assert not any(z.name == "slot 4" for z in state.observe(0).zones)
    for later in states(state, (any_action, any_action), Random(4)):
        assert not any("4" in action.split()[1:] for seat in range(2) for action in later.legal_actions(seat))
        assert all_cards(later) == sorted(PACK)


@pytest.mark.parametrize(("held", "piles"), [(9, 1), (10, 1), (11, 2)])
def test_v_1_four_piles_need_more_than_ten_cards_for_two_piles(held: int, piles: int) -> None:
    pile1 = some(held, "KH", "8S")
    state = spit_table("-", "KH", pile0="8S", pile1=pile1, phase="slap", parameters={"four_piles": True})
    after = both(state, "slap 1", "slap 0")
    assert counter(after, "piles") == piles
    assert [len(zone(after, f"slot {slot}", 0).cards) for slot in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("finisher", [0, 1])
def test_v_2_the_finisher_names_his_pile(finisher: int) -> None:
    slots = ["9D 2D", "9H 2H"]
    slots[finisher] = "9C"
    state = spit_table(*slots, pile0="8S", pile1="3S", parameters={"winner_chooses": True})
    state = both(state, *("play 0 0" if seat == finisher else "pass" for seat in range(2)))
    assert state.observe(0).phase == "choose"
    assert state.turn == (finisher,)
    assert state.legal_actions(finisher) == ("take 0", "take 1")
    assert state.legal_actions(1 - finisher) == ()
    assert state.default_action(finisher) == "take 1"
    for pile in range(2):
        after = state.apply({finisher: f"take {pile}"})
        assert f"{1 - finisher} take {1 - pile}" in texts(after)
        assert counter(after, "layout") == 2


@pytest.mark.parametrize(("pile0", "pile1", "default"), [("8S", "3S4C", 0), ("8S3C", "3S", 1), ("8S", "3S", None)])
def test_v_2_the_default_is_the_smaller_pile_else_his_own(pile0: str, pile1: str, default: int | None) -> None:
    for finisher in range(2):
        state = spit_table(
            "9D" if finisher else "-", "-" if finisher else "9D", pile0=pile0, pile1=pile1, phase="choose",
            finisher=finisher, rest="spits1", parameters={"winner_chooses": True},
        )  # fmt: skip
        assert state.default_action(finisher) == f"take {finisher if default is None else default}"


def test_v_2_after_a_standstill_both_slap() -> None:
    state = spit_table("9D", "9H", pile0="QS", pile1="3S", parameters={"winner_chooses": True})
    assert both(state, "pass", "pass").observe(0).phase == "slap"


@pytest.mark.parametrize(("card", "legal"), [("KH", True), ("KD", True), ("KC", False), ("KS", False)])
def test_v_3_colours_alternate(card: str, legal: bool) -> None:
    assert fits("AS", card, alternate_colours=True) is legal
    assert fits("AH", card, alternate_colours=True) is not legal
    assert fits("AS", card)


def test_v_3_spits_need_no_colour() -> None:
    state = spit_table(
        "9S", "9C", pile0="QS", pile1="3S", spits0="KS8D", spits1="KC2C", parameters={"alternate_colours": True}
    )
    after = both(state, "pass", "pass")
    assert events_of(after, "spit") == ["0 spit KS 0", "1 spit KC 1", "0 spit 8D 0", "1 spit 2C 1"]


def test_a_5_equal_ranks_are_stacked_where_so_chosen() -> None:
    slots = "7D/9C 4D/9H JH"
    assert not any("stack" in action for action in spit_table(slots, "KD", pile0="2S", pile1="3S").legal_actions(0))
    state = spit_table(slots, "KD", pile0="2S", pile1="3S", parameters={"stack_equal": True})
    assert state.legal_actions(0) == (
        "move 0 3", "move 0 4", "move 1 3", "move 1 4", "stack 0 1", "stack 1 0", "pass",
    )  # fmt: skip
    after = both(state, "stack 0 1", "pass")
    assert zone(after, "slot 0", 0, 0) == ("slot 0", 0, (), 1)
    assert zone(after, "slot 1", 0, 0) == ("slot 1", 0, ("9H", "9C"), 1)
    assert after.legal_actions(0) == ("flip 0", "pass")
    assert SPIT.parse(after.text) == after


def test_a_5_stacked_cards_are_played_one_by_one() -> None:
    state = spit_table("9C 4D/9H", "KD", pile0="8S", pile1="TS", rest="spits1", parameters={"stack_equal": True})
    state = both(state, "stack 0 1", "pass")
    assert zone(state, "slot 0", 0).cards == ()
    state = both(state, "play 1 0", "pass")
    assert zone(state, "pile 0").cards[-1] == "9C"
    assert zone(state, "slot 1", 0).cards == ("4D", "9H")
    state = both(state, "play 1 1", "pass")
    assert zone(state, "slot 1", 0).cards == ("4D",)


def test_a_5_a_standstill_needs_that_nobody_can_stack() -> None:
    state = spit_table("9C 9H", "KD", pile0="2S", pile1="3S", parameters={"stack_equal": True})
    assert "- standstill" not in texts(both(state, "pass", "pass"))
    assert "- standstill" in texts(both(state, "stack 0 1", "pass"))


def test_a_6_cards_turn_up_of_themselves_where_so_chosen() -> None:
    state = spit_table("4C4D/9C", "KD", pile0="8S", pile1="3S", parameters={"auto_flip": True})
    assert zone(both(state, "play 0 0", "pass"), "slot 0", 0, 0) == ("slot 0", 0, ("4D",), 1)
    assert zone(both(state, "move 0 2", "pass"), "slot 0", 0, 0) == ("slot 0", 0, ("4D",), 1)
    for state in states(SPIT.deal(SEED, 2, {"auto_flip": True}), (any_action, any_action), Random(4)):
        assert not any("flip" in action for seat in range(2) for action in state.legal_actions(seat))


def test_a_9_who_can_play_must_where_so_chosen() -> None:
    state = spit_table("2C/7H 2D/-", "TD 5D/-", pile0="6S", pile1="3S", parameters={"must_play": True})
    assert state.legal_actions(0) == ("play 0 0",)
    assert state.default_action(0) == "play 0 0"
    assert state.legal_actions(1) == ("flip 1", "pass")
    with pytest.raises(IllegalAction):
        both(state, "pass", "pass")


def test_a_18_a_finisher_without_spit_cards_wins_with_two_piles_where_so_chosen() -> None:
    state = spit_table("9D", "9H", pile0="8S", pile1="3S", parameters={"literal_win": True})
    after = both(state, "play 0 0", "pass")
    assert after.outcome is not None
    assert after.outcome.payoffs == (1, 0)
    kept = spit_table("9D", "9H", pile0="8S", pile1="3S", spits0="2C", parameters={"literal_win": True})
    assert both(kept, "play 0 0", "pass").outcome is None


@pytest.mark.parametrize("priority", [0, 1])
def test_a_18_of_two_who_are_out_the_one_without_spit_cards_wins(priority: int) -> None:
    for winner in range(2):
        state = spit_table(
            "9D", "4H", pile0="8S", pile1="3S", tick=tick_with(priority), parameters={"literal_win": True},
            spits0="2C" * winner, spits1="2C" * (1 - winner),
        )  # fmt: skip
        after = both(state, "play 0 0", "play 0 1")
        assert after.outcome is not None
        assert after.outcome.payoffs[winner] == 1
    neither = spit_table("9D", "4H", pile0="8S", pile1="3S", tick=tick_with(priority), parameters={"literal_win": True})
    after = both(neither, "play 0 0", "play 0 1")
    assert after.outcome is not None
    assert after.outcome.payoffs[priority] == 1


# Vectors


def test_the_layout_has_52_cards_in_all() -> None:
    state = SPIT.deal(SEED)
    slots = [sum(len(zone(state, f"slot {slot}", seat).cards) for slot in range(5)) for seat in range(2)]
    assert slots == [15, 15]
    assert [len(zone(state, "spit", seat).cards) for seat in range(2)] == [10, 10]
    assert [len(zone(state, f"pile {pile}").cards) for pile in range(2)] == [1, 1]


def test_nine_cards_against_43_make_one_pile_that_the_43_flip() -> None:
    state = next_layout(9)
    assert (counter(state, "spit 0"), counter(state, "spit 1")) == (0, 27)
    assert zone(state, "spit", 1, 0).unseen == 27


def test_a_spitter_who_names_the_other_pile_spits_there_again() -> None:
    state = spit_table("-", "9H 9C", pile0="QS", pile1="3S", spits1="5C2CKD", phase="spit")
    state = state.apply({1: "spit 0"})
    assert events_of(state, "spit")[-3:] == ["1 spit 5C 0", "1 spit 2C 0", "1 spit KD 0"]


def test_a_position_that_cannot_be_is_refused() -> None:
    good = SPIT.deal(SEED).text
    for old, new, said in (
        ("layout=1", "layout=0", "layout cannot be '0': allowed is 1 to 100"),
        ("phase=play", "phase=spit", "phase cannot be 'spit' here"),
        ("pile1=QH", "pile1=-", "is there 0 times"),
        ("lock=-1", "lock=2", "lock cannot be '2'"),
        ("stall:3", "stall:0", "allowed is 1 to 20"),
        ("spit seed", "speed seed", "is no position of spit"),
        ("held=26,26", "held=26,27", "with the sum 52"),
    ):
        with pytest.raises(BadPosition, match=said):
            SPIT.parse(good.replace(zone_word(good, old), new, 1))


def zone_word(text: str, old: str) -> str:
    """Return the word of a text with the same name as an old one."""
    name = old.split("=", maxsplit=1)[0] + "="
    return next((word for word in text.split() if "=" in old and word.startswith(name)), old)


def test_spit_is_registered() -> None:
    assert find_game("spit") is SPIT
    assert SPIT.real_time
