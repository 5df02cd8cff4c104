"""Search: every world agrees with what was seen, the same chance finds the same, time is kept, and it plays well."""

from itertools import count as counter
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from built_in import load
from cardpit import Bot, Table, TimeControl, Turn
from cardpit.games import ALL, GAMES, State, Value, find_game
from cardpit.games.landlord_plays import read_hand
from cardpit.games.seeds import board_seed
from cardpit.practice import play
from cardpit.search import GUIDES, Budget, Finding, Guide, Searcher, plan, search, searcher
from cardpit.search.guides.landlord import LandlordGuide
from cardpit.search.guides.landlord_plan import plan as plan_hand
from cardpit.search.guides.landlord_plan import turns
from cardpit.search.guides.twenty_two_playout import prospects
from docs.pages import ROOT, code_blocks
from games.test_laws import few

SEED = bytes(32)
every_game = pytest.mark.parametrize("game_id", GAMES)


def middle(game_id: str, decisions: int = 8, seats: int | None = None) -> tuple[State, int]:
    """Return a position of a random match in which a seat has a choice, and the seat."""
    rng = Random(4)
    state = find_game(game_id).deal(SEED, seats)
    while True:
        for seat in state.turn:
            if decisions <= 0 and len(state.legal_actions(seat)) > 2:
                return state, seat
        state = state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.turn})
        decisions -= 1


def found(state: State, seat: int, guide: Guide, iterations: int = 60) -> Finding:
    return search(state, seat, guide, Random(1), budget=Budget(iterations))


def guide_of(game_id: str) -> type[Guide]:
    """Return what a searcher plays the game by."""
    return GUIDES.get(game_id, Guide)


def thinker(iterations: int) -> type[Bot]:
    """Return a bot that searches with so many iterations."""

    class Thinker(Bot):
        def opened(self, table: Table) -> None:
            self.searcher = Searcher(table, budget=Budget(iterations))

        def act(self, turn: Turn) -> str:
            return self.searcher.consider(turn).action

    return Thinker


def a_turn(game_id: str, move_time: float, bank_time: float) -> Turn:
    game = find_game(game_id)
    state = game.deal(SEED)
    seat = state.turn[0]
    table = Table(0, game_id, 1, game.settle(None), seat, 2, TimeControl(), SEED, Random(1))
    return Turn(table, 1, lambda: state.observe(seat), state.legal_actions(seat), move_time, bank_time)


@every_game
def test_the_same_chance_finds_the_same(game_id: str) -> None:
    state, seat = middle(game_id)
    guide = guide_of(game_id)
    finding = found(state, seat, guide(state, seat))
    assert finding == found(state, seat, guide(state, seat))
    assert finding.action in state.legal_actions(seat)
    assert finding.action == finding.estimates[0].action
    assert finding.iterations == sum(estimate.visits for estimate in finding.estimates) >= 60


@every_game
def test_every_world_of_a_search_agrees_with_what_the_seat_has_seen(game_id: str) -> None:
    state, seat = middle(game_id)
    worlds: list[State] = []

    class Watcher(Guide):
        def is_far(self, state: State) -> bool:
            worlds.append(state)
            return True

        def play_out(self, state: State, rng: Random) -> tuple[float, ...]:
            return (0.0,) * 6

    found(state, seat, Watcher(state, seat))
    assert len(worlds) >= 60
    assert {world.observe(seat) for world in worlds} == {state.observe(seat)}
    assert len({world.observe(ALL).zones for world in worlds}) > 1


@every_game
def test_a_game_without_a_guide_is_searched_by_random_playouts(game_id: str) -> None:
    state, seat = middle(game_id)
    finding = found(state, seat, Guide(state, seat), iterations=5)
    assert finding.action in state.legal_actions(seat)


def test_a_decision_without_a_choice_costs_nothing() -> None:
    state = find_game("landlord").parse("5/66")
    assert found(state, 0, LandlordGuide(state, 0)) == Finding("play 5", 0, ())


def test_a_search_ends_when_its_time_is_over() -> None:
    state, seat = middle("landlord")
    ticks = counter()
    guide = LandlordGuide(state, seat)
    finding = search(state, seat, guide, Random(1), budget=Budget(seconds=1.0), clock=lambda: next(ticks) / 100)
    assert 90 <= next(ticks) <= 110
    assert finding.iterations > 90


@pytest.mark.parametrize("bank_time", [0.0, 0.3, 10.0])
@every_game
def test_planned_time_is_what_a_decision_may_take_and_leaves_some_of_the_bank(game_id: str, bank_time: float) -> None:
    budget = plan(a_turn(game_id, 0.1, bank_time), guide_of(game_id).decisions)
    assert budget.seconds >= 0.02
    assert budget.seconds < 0.1 * 0.7 + bank_time / 8


@every_game
def test_where_time_is_endless_iterations_are_counted(game_id: str) -> None:
    budget = plan(a_turn(game_id, inf, inf), guide_of(game_id).decisions)
    assert budget.iterations <= 200
    assert budget.seconds == inf


@pytest.mark.parametrize(
    ("game_id", "seats", "parameters"),
    [
        ("landlord", 2, {"all_pass": "redeal", "four_plus_pair_as_singles": True}),
        ("twenty-two", 2, {"must_beat": True}),
        ("twenty-two", 6, {"min_deal": 4}),
        ("spit", 2, {"max_layouts": 2, "stack_equal": True, "winner_chooses": True}),
        ("spit", 2, {"max_layouts": 1, "four_piles": True, "must_play": True, "auto_flip": True}),
        ("speed", 2, {"refill": "auto", "side": "5"}),
    ],
)
def test_it_plays_every_game_with_any_parameters(game_id: str, seats: int, parameters: dict[str, Value]) -> None:
    outcome = play(game_id, [thinker(2)] * seats, SEED, parameters)
    assert len(outcome.payoffs) == seats


@pytest.mark.parametrize("game_id", ["landlord", "twenty-two", "speed"])
def test_it_beats_random_choices(game_id: str) -> None:
    searching, other = thinker(20), load("random")
    own = theirs = 0.0
    for board in range(2):
        seed = board_seed(SEED, game_id, board)
        first, second = play(game_id, [searching, other], seed).payoffs, play(game_id, [other, searching], seed).payoffs
        own += first[0] + second[1]
        theirs += first[1] + second[0]
    assert own > theirs


@pytest.mark.parametrize(
    ("position", "action"),
    [
        ("AA5/KKQ7", "play AA"),
        ("56789/TTJJQQ", "play 56789"),
        ("5999/8877", "play 999+5"),
        ("5522/TT6 | 0 play 55 | 1 play TT", "play 22"),
    ],
)
def test_it_finds_the_play_that_wins(position: str, action: str) -> None:
    state = find_game("landlord").parse(position)
    (seat,) = state.turn
    assert found(state, seat, LandlordGuide(state, seat), iterations=200).action == action


@few
@given(st.lists(st.sampled_from("56789TJQKA2xX"), min_size=1, max_size=20))
def test_a_plan_plays_each_card_of_a_hand_once(ranks: list[str]) -> None:
    held = "".join(rank * min(ranks.count(rank), 1 if rank in "xX" else 4) for rank in "56789TJQKA2xX")
    hand = read_hand(held)
    plays = plan_hand(hand)
    assert sum(play.cards for play in plays) == hand
    assert sum(play.size for play in plays) == len(held)
    assert len(plays) >= turns(hand) > 0


def test_prospects_are_shared_out_and_better_with_fewer_points() -> None:
    payoffs = prospects((5, 12, 21, 25), (0, 0, 0, 3))
    assert sum(payoffs) == pytest.approx(4 * 3 / 2)
    assert list(payoffs) == sorted(payoffs, reverse=True)
    assert payoffs[3] == 0
    assert prospects((30, 24), (4, 4)) == [0.0, 1.0]
    assert prospects((24, 24), (4, 4)) == [0.5, 0.5]
    assert prospects((24, 22), (5, 4)) == [1.0, 0.0]


def test_the_bot_says_in_its_comment_what_it_expects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searcher, "ITERATIONS", 2)
    comments: list[str] = []

    class Talkative(load("ismcts")):  # type: ignore[misc] # a class of a bot's folder
        def act(self, turn: Turn) -> str:
            action: str = super().act(turn)
            comments.append(self.comment)
            return action

    play("landlord", [Talkative, load("random")], SEED)
    assert any("expected" in comment for comment in comments)
    assert all(len(comment) <= 200 for comment in comments)


def test_the_code_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(searcher, "ITERATIONS", 2)
    monkeypatch.setattr(searcher, "TICK_ITERATIONS", 1)
    monkeypatch.delenv("CARDPIT_ADDRESS", raising=False)
    (code,) = code_blocks(ROOT / "docs" / "search.md", "python")
    path = ROOT / "docs" / "search.md"
    exec(compile(code, str(path), "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.count("One match of") == len(GAMES)
