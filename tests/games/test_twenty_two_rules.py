"""Each numbered rule of Twenty-Two, and each vector of examples."""

from itertools import combinations, pairwise
from random import Random

import pytest

from cardpit.cards import PACK, RANKS
from cardpit.games import ALL, PUBLIC, BadParameter, BadSeats, IllegalAction, State, Value
from cardpit.games.seeds import Stream
from cardpit.games.twenty_two_plays import UNITS, exchanges, follows
from games.twenty_two_tables import GAME, counter, events, legal, play, ranks, table, unseen, zone

SEEDS = [bytes([number]) * 32 for number in range(40)]


def random_match(seed: bytes, seats: int, parameters: dict[str, Value] | None = None) -> list[State]:
    """Return every state of a match of random choices."""
    rng = Random(seed)
    states: list[State] = [GAME.deal(seed, seats, parameters)]
    while states[-1].outcome is None:
        seat = states[-1].turn[0]
        states.append(states[-1].apply({seat: rng.choice(states[-1].legal_actions(seat))}))
    return states


def hand_of(state: State, seat: int) -> str:
    return ranks(zone(state, "hand", seat))


# TT-1 to TT-5: table, dealer, pack, deal


def test_tt_1_two_to_six_seats_play_clockwise_past_those_that_are_out() -> None:
    for seats in range(2, 7):
        assert len(GAME.deal(SEEDS[0], seats).observe(ALL).zones) == 1 + 5 * seats
    for seats in (1, 7):
        with pytest.raises(BadSeats, match=f"not for {seats} players"):
            GAME.deal(SEEDS[0], seats)
    state = table(["279", "", "369", "", "48T"])
    asked = [state.turn[0]]
    for action in ("lead 2", "follow 3", "follow 4"):
        state = play(state, action)
        asked += state.turn
    assert asked == [0, 2, 4, 4]


def test_tt_1_suits_have_no_meaning() -> None:
    assert legal(table(["5558", "2347"])) == {"lead 5", "lead 55", "lead 555", "lead 8"}
    final = play(table(["25", "35"]), "lead 2", "follow 3")
    assert counter(final, "points 0") == counter(final, "points 1") == 5


@pytest.mark.parametrize("seats", range(2, 7))
def test_tt_2_the_highest_card_drawn_deals_and_the_highest_draw_again_from_a_full_pack(seats: int) -> None:
    rounds = set()
    for seed in SEEDS:
        drawing, draw = list(range(seats)), 0
        cuts = []
        while len(drawing) > 1:
            draw += 1
            cards = Stream(seed, f"dealer/{draw}").shuffled(PACK)[::-1][: len(drawing)]
            cuts += [f"cut {seat} {card}" for seat, card in zip(drawing, cards, strict=True)]
            best = max(RANKS.index(card[0]) for card in cards)
            drawing = [seat for seat, card in zip(drawing, cards, strict=True) if RANKS.index(card[0]) == best]
        rounds.add(draw)
        state = GAME.deal(seed, seats)
        assert counter(state, "dealer") == drawing[0]
        assert list(state.chance[:-1]) == cuts
        assert [f"cut {seat} {text[4:]}" for seat, text in events(state, PUBLIC)[:-1]] == cuts
    assert {1, 2} <= rounds


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_tt_3_every_pack_is_shuffled_from_the_52_cards_without_the_score_cards(seats: int) -> None:
    for seed in SEEDS[:4]:
        dealt = [state for state in random_match(seed, seats) if state.chance]
        assert len(dealt) > 2
        for hand, state in enumerate(dealt, 1):
            scored = [card for seat in range(seats) for card in zone(state, "score", seat)]
            pack = Stream(seed, f"deal/{hand}").shuffled([card for card in PACK if card not in scored])
            assert state.chance[-1] == f"deal {hand} {' '.join(pack)}"


def test_tt_4_seven_cards_first_and_later_the_points_of_the_card_that_took_the_final_trick() -> None:
    wanted = set()
    for seed in SEEDS[:12]:
        states = random_match(seed, 2)
        assert counter(states[0], "cards") == 7
        for before, state in pairwise(states):
            if state.chance:
                taken = [text for _, text in events(state, PUBLIC) if text.startswith("score ")]
                assert counter(state, "cards") == {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}.get(
                    taken[0][6], int(taken[0][6]) if taken[0][6].isdigit() else 0
                )
                wanted.add(counter(state, "cards"))
            else:
                assert counter(state, "cards") == counter(before, "cards")
    assert {10, 11} <= wanted


def test_tt_4_a_pack_that_is_too_small_is_dealt_out_evenly_and_never_below_two_cards() -> None:
    for seed in SEEDS[:6]:
        for state in random_match(seed, 6):
            if state.chance:
                inside = sum(counter(state, f"out {seat}") == 0 for seat in range(6))
                pack = 52 - sum(len(zone(state, "score", seat)) for seat in range(6))
                assert 2 <= counter(state, "cards") <= pack // inside
                assert len(zone(state, "talon")) == pack - inside * counter(state, "cards")


def test_min_deal_is_the_least_number_of_cards_after_the_first_hand() -> None:
    sizes: dict[int, set[int]] = {2: set(), 5: set(), 11: set()}
    for least, seen in sizes.items():
        for seed in SEEDS[:12]:
            states = random_match(seed, 2, {"min_deal": least})
            assert counter(states[0], "cards") == 7
            seen |= {counter(state, "cards") for state in states if state.chance and counter(state, "hand") > 1}
    assert min(sizes[2]) < 5
    assert min(sizes[5]) >= 5
    assert sizes[11] == {11}
    for wrong in (1, 12, "few", True):
        with pytest.raises(BadParameter, match="2 to 11"):
            GAME.deal(SEEDS[0], 2, {"min_deal": wrong})


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_tt_5_cards_are_dealt_one_at_a_time_from_the_dealers_left_and_the_rest_is_the_talon(seats: int) -> None:
    state = GAME.deal(SEEDS[1], seats)
    pack = state.chance[-1].split()[2:]
    dealer = counter(state, "dealer")
    for place in range(seats):
        seat = (dealer + 1 + place) % seats
        assert set(zone(state, "hand", seat)) == set(pack[::-1][place : 7 * seats : seats])
    assert zone(state, "talon") == tuple(pack[: 52 - 7 * seats])
    assert unseen(state, "talon", None, 0) == unseen(state, "talon", None, PUBLIC) == 52 - 7 * seats


# TT-10: exchange


def test_tt_10_each_exchanges_once_from_the_dealers_left_the_dealer_last() -> None:
    state = table(["2345", "6789", "TJQK"], dealer=1, talon="AAA", exchanged=False)
    asked: list[int] = []
    while state.observe(PUBLIC).phase == "exchange":
        asked += state.turn
        state = play(state, "exchange")
    assert asked == [2, 0, 1]
    assert state.turn == (2,)


def test_tt_10_cards_are_put_aside_and_as_many_drawn_from_the_top() -> None:
    state = play(table(["2345", "6789"], talon="QKA", exchanged=False), "exchange 3 5")
    assert hand_of(state, 0) == "24QK"
    assert ranks(zone(state, "aside", 0)) == "35"
    assert ranks(zone(state, "talon"))[-1] == "A"
    state = play(state, "exchange 9")
    assert hand_of(state, 1) == "678A"
    assert ranks(zone(state, "aside", 1)) == "9"


def test_tt_10_any_number_may_be_exchanged_and_none_is_the_default() -> None:
    state = table(["223", "456"], exchanged=False)
    assert state.legal_actions(0) == (
        "exchange",
        "exchange 3",
        "exchange 2",
        "exchange 2 3",
        "exchange 2 2",
        "exchange 2 2 3",
    )
    assert state.default_action(0) == "exchange"
    for action in ("exchange 3 2", "exchange 4", "exchange 3 3", "exchange  2", "exchange 22", "exchange 1", "exchang"):
        with pytest.raises(IllegalAction, match="allowed is exchange, exchange 3"):
            state.apply({0: action})


def test_tt_10_cards_put_aside_are_out_until_the_next_shuffle() -> None:
    state = play(table(["23", "67"], talon="A", exchanged=False), "exchange 2", "exchange", "lead 3", "follow 6")
    assert counter(state, "hand") == 3
    assert len(state.chance[-1].split()) == 2 + 51
    assert "2S" in state.chance[-1].split()


@pytest.mark.parametrize("most", range(12))
def test_tt_10_the_list_of_exchanges_is_complete_and_in_its_order(most: int) -> None:
    hand = "2335588TKKA"
    subsets = {sub for size in range(most + 1) for sub in combinations(hand, size)}
    expected = sorted(subsets, key=lambda sub: [sub.count(rank) for rank in RANKS])
    listed = exchanges(sum(UNITS[rank] for rank in hand), len(hand), most)
    assert listed == tuple(" ".join(("exchange", *sub)) for sub in expected)


# TT-20 to TT-24: tricks


def test_tt_20_the_dealers_left_leads_first_and_then_the_winner_of_each_trick() -> None:
    state = table(["259", "369", "47K"], dealer=0)
    assert (state.turn, state.observe(PUBLIC).phase) == ((1,), "lead")
    state = play(state, "lead 3", "follow 4", "follow 2")
    assert (state.turn, state.observe(PUBLIC).phase) == ((2,), "lead")


def test_tt_21_any_number_of_one_rank_may_be_led_but_one_card_must_stay() -> None:
    state = table(["4466", "2233"])
    assert state.legal_actions(0) == ("lead 4", "lead 44", "lead 6", "lead 66")
    assert state.default_action(0) == "lead 4"
    for action in ("lead 5", "lead 46", "lead 444", "lead", "lead 4 4", "follow 4"):
        with pytest.raises(IllegalAction, match="allowed is lead 4, lead 44"):
            state.apply({0: action})


def test_tt_22_a_follow_has_as_many_cards_and_beats_or_is_the_lowest() -> None:
    state = play(table(["6688", "457T"]), "lead 66")
    assert state.legal_actions(1) == ("follow 4 5", "follow 7 T")
    assert state.default_action(1) == "follow 4 5"
    for action in ("follow 4", "follow 4 T", "follow 5 7", "follow 7 T T", "follow T 7", "follow 7 8", "lead 77"):
        with pytest.raises(IllegalAction, match=r"allowed is follow 4 5, follow 7 T$"):
            state.apply({1: action})


def test_tt_22_the_lowest_cards_may_be_played_even_if_others_beat() -> None:
    assert legal(play(table(["58", "29"]), "lead 5")) == {"follow 2", "follow 9"}


def test_must_beat_forbids_the_lowest_cards_to_a_seat_that_can_beat() -> None:
    state = play(table(["558", "29K"], must_beat=True), "lead 5")
    assert state.legal_actions(1) == ("follow 9", "follow K")
    assert state.default_action(1) == "follow 9"
    with pytest.raises(IllegalAction, match="allowed is follow 9, follow K"):
        state.apply({1: "follow 2"})
    assert legal(play(table(["558", "244"], must_beat=True), "lead 5")) == {"follow 2"}
    pair = play(table(["558", "29K"], must_beat=True), "lead 55")
    assert pair.legal_actions(1) == ("follow 9 K",)
    with pytest.raises(IllegalAction):
        pair.apply({1: "follow 2 9"})
    assert legal(play(table(["558", "24K"], must_beat=True), "lead 55")) == {"follow 2 4"}
    assert legal(play(table(["58", "69"], must_beat=True), "lead 5")) == {"follow 6", "follow 9"}


@pytest.mark.parametrize("must_beat", [False, True])
def test_tt_22_the_list_of_follows_is_complete_and_in_its_order(must_beat: bool) -> None:
    rng = Random(22)
    for _ in range(300):
        size = rng.randint(1, 4)
        hand = sorted(rng.sample([place for place in range(13) for _ in range(4)], rng.randint(size, 9)))
        best = tuple(sorted(rng.choices(range(13), k=size)))
        plays = sorted(set(combinations(hand, size)))
        beating = [play for play in plays if all(card >= bar for card, bar in zip(play, best, strict=True))]
        low = tuple(hand[:size])
        expected = beating if low in beating or (must_beat and beating) else [low, *beating]
        listed = follows(sum(UNITS[RANKS[place]] for place in hand), best, must_beat)
        assert list(listed) == ["follow " + " ".join(RANKS[place] for place in play) for play in expected]


def test_tt_23_the_last_to_equal_or_beat_wins_the_trick_and_nothing_is_scored() -> None:
    state = play(table(["7AA", "7AA", "2KK"]), "lead 7", "follow 7", "follow 2")
    assert state.turn == (1,)
    assert events(state, PUBLIC) == [(2, "follow 2"), (1, "take")]
    assert [counter(state, f"points {seat}") for seat in range(3)] == [0, 0, 0]


def test_tt_24_all_hands_are_of_one_size_at_each_lead() -> None:
    for seats in (2, 5):
        for state in random_match(SEEDS[2], seats):
            if state.observe(PUBLIC).phase == "lead":
                sizes = {len(zone(state, "hand", seat)) for seat in range(seats) if not counter(state, f"out {seat}")}
                assert len(sizes) == 1


# TT-30 to TT-34: the final trick


def test_tt_30_the_referee_plays_the_final_trick_the_leader_first() -> None:
    state = play(table(["2K", "39", "4T"]), "lead 2", "follow 3", "follow 4")
    assert events(state, PUBLIC) == [
        (2, "follow 4"),
        (2, "take"),
        (2, "final TS"),
        (0, "final KS"),
        (1, "final 9S"),
        (0, "score KS"),
        (None, "hand 3 dealer 0"),
    ]
    assert counter(state, "hand") == 3


def test_tt_31_every_card_that_equals_the_highest_goes_to_the_pile_of_its_owner() -> None:
    state = play(table(["24", "2Q", "2Q", "29"]), "lead 2", "follow 2", "follow 2", "follow 2")
    assert [ranks(zone(state, "score", seat)) for seat in range(4)] == ["", "Q", "Q", ""]


@pytest.mark.parametrize(
    ("rank", "points"),
    [*((rank, int(rank)) for rank in "3456789"), ("T", 10), ("J", 10), ("Q", 10), ("K", 10), ("A", 11)],
)
def test_tt_32_an_ace_counts_11_faces_10_others_their_number(rank: str, points: int) -> None:
    state = play(table(["2" + rank, "22"]), "lead 2", "follow 2")
    assert counter(state, "points 0") == counter(state, "cards") == points


def test_tt_32_a_two_counts_2() -> None:
    state = play(table(["22", "22"]), "lead 2", "follow 2")
    assert [counter(state, "points 0"), counter(state, "points 1"), counter(state, "cards")] == [2, 2, 2]


def test_tt_33_a_seat_with_22_points_is_out_and_one_with_21_is_not() -> None:
    for card, out in (("3", 2), ("2", 0)):
        state = play(table(["4" + card, "42", "42"], scores=["AH 8H", "-", "-"]), "lead 4", "follow 4", "follow 4")
        assert counter(state, "points 0") == 19 + int(card)
        assert counter(state, "out 0") == out


def test_tt_34_a_taker_who_is_out_deals_in_name_only_and_gives_his_cards_back() -> None:
    state = play(table(["4K", "42", "42"], scores=["AH 8H", "3H", "-"]), "lead 4", "follow 4", "follow 4")
    assert events(state, PUBLIC)[-2:] == [(0, "out 29"), (None, "hand 3 dealer 0")]
    assert counter(state, "dealer") == 0
    assert state.turn == (1,)
    assert zone(state, "hand", 0) == zone(state, "score", 0) == ()
    assert zone(state, "score", 1) == ("3H",)
    assert {"AH", "8H", "KS"} <= set(state.chance[-1].split())
    assert len(state.chance[-1].split()) == 2 + 51
    state = play(state, "exchange", "exchange")
    assert state.turn == (1,)
    while counter(state, "hand") == 3:
        state = play(state, state.default_action(state.turn[0]))
    assert counter(state, "dealer") in (1, 2)


def test_tt_34_of_tied_takers_the_one_who_played_last_deals() -> None:
    state = play(table(["2Q", "22", "3Q"]), "lead 2", "follow 2", "follow 3")
    assert counter(state, "dealer") == 0
    state = play(table(["3Q", "22", "2Q"]), "lead 3", "follow 2", "follow 2")
    assert counter(state, "dealer") == 2


# TT-40 to TT-44: the end


def test_tt_40_the_last_seat_that_is_in_wins() -> None:
    state = play(table(["2K", "22"], scores=["AH 8H", "-"]), "lead 2", "follow 2")
    assert state.outcome == ((0.0, 1.0), (2, 1), (-29, 0))
    assert (state.turn, state.observe(PUBLIC).phase) == ((), "end")
    with pytest.raises(IllegalAction, match="the match has ended"):
        state.apply({0: "exchange"})


def test_tt_40_if_all_go_out_at_once_the_lowest_total_wins_and_equal_ones_share() -> None:
    state = play(table(["2K", "2K"], scores=["AH 8H", "AS 8S"]), "lead 2", "follow 2")
    assert state.outcome == ((0.5, 0.5), (1, 1), (-29, -29))


def test_tt_41_later_elimination_ranks_higher_then_the_lower_total() -> None:
    state = play(
        table(
            ["", "2K", "2K", "", "22"], scores=["-", "AH 8H", "AS 7S", "-", "-"], out=["23 1", "-", "-", "22 1", "-"]
        ),
        "lead 2",
        "follow 2",
        "follow 2",
    )
    assert state.outcome == ((0.0, 2.0, 3.0, 1.0, 4.0), (5, 3, 2, 4, 1), (-23, -29, -28, -22, 0))
    state = play(
        table(
            ["", "2K", "2K", "", "22"], scores=["-", "AH 8H", "AS 8S", "-", "-"], out=["22 1", "-", "-", "22 1", "-"]
        ),
        "lead 2",
        "follow 2",
        "follow 2",
    )
    assert state.outcome == ((0.5, 2.5, 2.5, 0.5, 4.0), (4, 2, 2, 4, 1), (-22, -29, -29, -22, 0))


def test_tt_42_plays_talon_exchange_counts_piles_and_dealer_are_public_hands_and_exchanges_are_not() -> None:
    state = play(table(["2345", "6789", "TJQK"], talon="AA", exchanged=False), "exchange 2 3", "exchange", "exchange")
    assert events(state, 0) == [
        (0, "exchange 2 3"),
        (0, f"drew {' '.join(zone(state, 'hand', 0)[-2:])}"),
        (1, "exchanged 0"),
        (2, "exchanged 0"),
    ]
    assert events(state, 2) == [(2, "exchange")]
    after_one = play(table(["2345", "6789", "TJQK"], talon="AA", exchanged=False), "exchange 2 3")
    for view in (1, 2, PUBLIC):
        assert (0, "exchanged 2") in events(after_one, view)
        assert zone(after_one, "hand", 0, view) == zone(after_one, "aside", 0, view) == ()
        assert unseen(after_one, "hand", 0, view) == 4
        assert unseen(after_one, "aside", 0, view) == 2
    assert ranks(zone(after_one, "aside", 0, 0)) == "23"
    assert ranks(zone(after_one, "hand", 0, 0)) == "45AA"
    state = play(state, "lead 4", "follow 6")
    for view in (0, 1, 2, PUBLIC):
        assert ranks(zone(state, "trick", 0, view)) == "4"
        assert ranks(zone(state, "trick", 1, view)) == "6"
    state = play(state, "follow T", "lead J")
    assert ranks(zone(state, "played", 0, 1)) == "4"
    assert ranks(zone(state, "trick", 2, 1)) == "J"


def test_tt_43_every_hand_adds_points_to_a_seat_that_was_in() -> None:
    for seats in (2, 6):
        hands = [state for state in random_match(SEEDS[3], seats) if state.chance or state.outcome]
        totals = [sum(counter(state, f"points {seat}") for seat in range(seats)) for state in hands]
        assert all(later >= earlier + 2 for earlier, later in pairwise(totals))


def test_tt_44_what_is_dealt_depends_on_the_seat_alone_so_that_a_seed_can_be_played_in_every_rotation() -> None:
    assert GAME.deal(SEEDS[5], 4).observe(ALL) == GAME.deal(SEEDS[5], 4).observe(ALL)
    packs: dict[tuple[str, ...], set[str]] = {}
    for choices in range(40):
        rng = Random(choices)
        state = GAME.deal(SEEDS[5], 2)
        while counter(state, "hand") == 1:
            state = play(state, rng.choice(state.legal_actions(state.turn[0])))
        pack = state.chance[-1]
        packs.setdefault(tuple(sorted(pack.split())), set()).add(pack)
    assert len(packs) < 40
    assert all(len(orders) == 1 for orders in packs.values())


# Vectors of examples


def test_v1_a_seven_is_equalled_then_beaten_by_a_ten() -> None:
    state = play(table(["7QQ", "7QQ", "TKK", "249"]), "lead 7", "follow 7", "follow T")
    assert legal(state) == {"follow 2"}
    assert play(state, "follow 2").turn == (2,)


def test_v1b_the_last_equal_card_wins() -> None:
    assert play(table(["7QQ", "7QQ", "2KK", "3AA"]), "lead 7", "follow 7", "follow 2", "follow 3").turn == (1,)


def test_v2_six_seven_beats_two_sixes_and_eight_nine_beats_that() -> None:
    state = play(table(["669", "67A", "45A", "89A"]), "lead 66", "follow 6 7")
    assert legal(state) == {"follow 4 5"}
    state = play(table(["6699", "67AA", "45AA", "89KK"]), "lead 66", "follow 6 7", "follow 4 5", "follow 8 9")
    assert state.turn == (3,)


def test_v3_queen_king_ace_takes_three_cards() -> None:
    state = play(
        table(["JJJ44", "JQQ55", "22366", "QKA77"]), "lead JJJ", "follow J Q Q", "follow 2 2 3", "follow Q K A"
    )
    assert state.turn == (3,)


def test_v4_of_three_fives_two_may_be_led() -> None:
    state = table(["555", "234"])
    assert legal(state) == {"lead 5", "lead 55"}
    with pytest.raises(IllegalAction, match="allowed is lead 5, lead 55"):
        state.apply({0: "lead 555"})


def test_v5_a_pair_is_answered_by_the_two_lowest_or_two_that_beat() -> None:
    state = play(table(["66888", "67AAA", "45599"]), "lead 66", "follow 6 7")
    assert legal(state) == {"follow 4 5", "follow 9 9"}


def test_v6_a_single_is_answered_by_the_lowest_or_one_that_beats() -> None:
    assert legal(play(table(["T8888", "2349K"]), "lead T")) == {"follow 2", "follow K"}


def test_v7_cards_are_compared_place_by_place() -> None:
    assert "follow T A A" not in legal(play(table(["JJJ44", "9TTAA"]), "lead JJJ"))
    state = play(table(["JJJ44", "JQQ44", "QKA22"]), "lead JJJ", "follow J Q Q")
    assert "follow Q K A" in legal(state)


def test_v8_a_play_that_is_low_and_beats_is_the_new_best() -> None:
    state = play(table(["8866", "889A"]), "lead 88")
    assert state.legal_actions(1) == ("follow 8 8", "follow 8 9", "follow 8 A", "follow 9 A")
    assert play(state, "follow 8 8").turn == (1,)


def test_v9_tied_queens_score_both_and_the_later_one_deals() -> None:
    state = play(table(["24", "2Q", "2Q", "29"], dealer=3), "lead 2", "follow 2", "follow 2", "follow 2")
    assert [counter(state, f"points {seat}") for seat in range(4)] == [0, 10, 10, 0]
    assert counter(state, "cards") == 10
    assert counter(state, "dealer") == 2


def test_v10_six_seats_get_eight_cards_each_of_51() -> None:
    state = play(table(["2Q", "23", "24", "25", "36", "37"]), "lead 2", *["follow 2"] * 3, *["follow 3"] * 2)
    assert counter(state, "cards") == 8
    assert len(zone(state, "talon")) == 3


def test_v11_a_two_makes_23_of_21_and_the_other_wins() -> None:
    state = play(table(["23", "24"], scores=["AH TH", "8H 6H"]), "lead 3", "follow 4")
    assert state.outcome == ((0.0, 1.0), (2, 1), (-23, -16))


def test_v12_two_kings_put_both_out_and_the_lower_total_wins() -> None:
    state = play(table(["2K", "2K"], scores=["8H 7H", "9H 9S"]), "lead 2", "follow 2")
    assert state.outcome == ((1.0, 0.0), (1, 2), (-25, -28))


@pytest.mark.parametrize(("rank", "cards"), list(zip(RANKS, [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11], strict=True)))
def test_v13_the_card_that_took_the_final_trick_says_how_many_are_dealt(rank: str, cards: int) -> None:
    state = play(table(["2" + rank, "22"]), "lead 2", "follow 2")
    assert counter(state, "cards") == cards


def test_v14_when_the_talon_is_used_up_nobody_may_exchange() -> None:
    state = table(
        ["23456789", "23456789", "23456789", "23456789", "TTTTJJJJ", "QQQQKKKK"],
        scores=["AH", *["-"] * 5],
        exchanged=False,
    )
    assert len(zone(state, "talon")) == 3
    assert max(len(action.split()) - 1 for action in legal(state)) == 3
    with pytest.raises(IllegalAction):
        state.apply({0: "exchange 2 3 4 5"})
    state = play(state, "exchange 2 3 4")
    assert legal(state) == {"exchange"}
    with pytest.raises(IllegalAction, match=r"allowed is exchange$"):
        state.apply({1: "exchange 2"})
    assert legal(play(state, "exchange")) == {"exchange"}


def test_v15_of_two_cards_a_single_one_is_led() -> None:
    assert legal(table(["55", "23"])) == {"lead 5"}
