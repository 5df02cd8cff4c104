"""What all games share: how they state themselves, their parameters, and the chance that a seed gives."""

from collections import Counter
from hashlib import sha256
from hmac import digest
from itertools import permutations
from pathlib import Path

import pytest

from cardpit.games import (
    GAMES,
    BadParameter,
    BadSeats,
    Game,
    GameError,
    IllegalAction,
    Parameter,
    UnknownGame,
    Value,
    find_game,
)
from cardpit.games.seeds import SEED_SIZE, Stream, board_seed, bot_seed, coin, commitment, derive

SEED = bytes(range(SEED_SIZE))
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())

SWITCH = Parameter("must_beat", False, "whether a seat has to")
NUMBER = Parameter("min_deal", 2, "the least number", low=-1, high=11)
WORD = Parameter("tie", "redeal", "what a tie does", choices=("redeal", "share"))


@pytest.mark.parametrize(
    ("parameter", "value", "checked"),
    [
        (SWITCH, True, True),
        (SWITCH, "true", True),
        (SWITCH, "False", False),
        (NUMBER, -1, -1),
        (NUMBER, 11, 11),
        (NUMBER, "-1", -1),
        (NUMBER, "7", 7),
        (WORD, "share", "share"),
    ],
)
def test_a_parameter_takes_a_value_or_its_text(parameter: Parameter, value: Value, checked: Value) -> None:
    assert parameter.check(value) == checked
    assert type(parameter.check(value)) is type(checked)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (SWITCH, 1, "parameter must_beat cannot be 1: allowed is true or false"),
        (SWITCH, "yes", "parameter must_beat cannot be 'yes': allowed is true or false"),
        (NUMBER, 12, "parameter min_deal cannot be 12: allowed is -1 to 11"),
        (NUMBER, -2, "parameter min_deal cannot be -2: allowed is -1 to 11"),
        (NUMBER, True, "parameter min_deal cannot be True: allowed is -1 to 11"),
        (NUMBER, "2.5", "parameter min_deal cannot be '2.5': allowed is -1 to 11"),
        (NUMBER, "", "parameter min_deal cannot be '': allowed is -1 to 11"),
        (NUMBER, "\u0662", "parameter min_deal cannot be '\u0662': allowed is -1 to 11"),
        (WORD, "Share", "parameter tie cannot be 'Share': allowed is redeal or share"),
        (WORD, 0, "parameter tie cannot be 0: allowed is redeal or share"),
    ],
)
def test_a_parameter_refuses_other_values_and_names_what_is_allowed(
    parameter: Parameter, value: Value, message: str
) -> None:
    with pytest.raises(BadParameter) as refusal:
        parameter.check(value)
    assert str(refusal.value) == message


@every_game
def test_every_game_states_itself(game: Game) -> None:
    assert GAMES[game.id] is game
    assert find_game(game.id) is game
    assert game.name
    assert game.rules_version >= 1
    assert 2 <= game.min_seats <= game.max_seats
    assert game.longest_match > 0
    assert game.payoff_unit
    assert game.source
    assert all(rule.endswith(".") for rule in game.house_rules)
    assert len({p.name for p in game.parameters}) == len(game.parameters)
    for parameter in game.parameters:
        assert parameter.check(parameter.default) == parameter.default
        assert parameter.check(str(parameter.default)) == parameter.default
        assert parameter.meaning
        assert not parameter.meaning.endswith(".")


@every_game
def test_every_game_has_its_page_with_every_parameter(game: Game) -> None:
    page = Path(__file__).parents[2] / "docs" / "games" / f"{game.id}.md"
    text = page.read_text(encoding="utf-8")
    assert f"# {game.name}" in text
    for parameter in game.parameters:
        assert f"`{parameter.name}`" in text
    assert str(game.longest_match) in text.replace(",", "").replace(" ", "")


@every_game
def test_a_game_settles_its_parameters_in_its_own_order(game: Game) -> None:
    names = [p.name for p in game.parameters]
    assert game.settle(None) == {p.name: p.default for p in game.parameters}
    given = {p.name: str(p.default) for p in reversed(game.parameters)}
    assert list(game.settle(given)) == names
    assert game.settle(given) == game.settle({})
    with pytest.raises(BadParameter, match=f"{game.id} has no parameter 'colour': it has"):
        game.settle({"colour": "red"})
    with pytest.raises(BadParameter, match=f"{game.id} has no parameter 'colour'"):
        game.deal(SEED, None, {"colour": "red"})


@every_game
def test_a_game_refuses_a_number_of_players_that_it_is_not_for(game: Game) -> None:
    assert game.settle_seats(None) == game.min_seats
    for seats in (game.min_seats - 1, game.max_seats + 1):
        with pytest.raises(BadSeats, match=f"{game.id} is not for {seats} players: allowed is {game.min_seats}"):
            game.deal(SEED, seats)


@every_game
def test_payoff_bounds_are_in_order(game: Game) -> None:
    for seats in range(game.min_seats, game.max_seats + 1):
        low, high = game.payoff_bounds(seats, game.settle({}))
        assert low < high
        if game.zero_sum and seats == 2:
            assert low == -high


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame) as refusal:
        find_game("bridge")
    assert str(refusal.value) == f"unknown game 'bridge': known are {', '.join(GAMES)}"


def test_the_errors_of_games_are_one_tree() -> None:
    assert issubclass(GameError, ValueError)
    error = IllegalAction(1, None, "is missing")
    assert isinstance(error, GameError)
    assert (error.seat, error.action, str(error)) == (1, None, "seat 1: None is missing")


def test_a_stream_is_hmac_sha256_in_counter_mode() -> None:
    key = digest(SEED, b"deal/1", "sha256")
    assert derive(SEED, "deal/1") == key
    data = b"".join(digest(key, block.to_bytes(8, "big"), "sha256") for block in range(3))
    words = [int.from_bytes(data[at : at + 4], "big") for at in range(0, 96, 4)]
    stream = Stream(SEED, "deal/1")
    assert [stream.below(2**32) for _ in words] == words
    bound = 2**31 + 1
    stream = Stream(SEED, "deal/1")
    expected = [word for word in words if word < bound]
    assert len(expected) < len(words)
    assert [stream.below(bound) for _ in expected] == expected


def test_known_numbers_of_a_stream_stay_as_they_are() -> None:
    stream = Stream(SEED, "deal/1")
    assert [stream.below(52) for _ in range(10)] == [24, 12, 46, 48, 31, 50, 21, 44, 24, 33]
    assert Stream(SEED, "deal/1").shuffled("ABCDEFGH") == tuple("GCHDBAFE")


def test_a_shuffle_goes_from_the_last_place_down() -> None:
    stream, order = Stream(SEED, "x"), list("ABCDE")
    for last in (4, 3, 2, 1):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    assert Stream(SEED, "x").shuffled("ABCDE") == tuple(order)
    assert Stream(SEED, "x").shuffled("") == ()


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    seen = Counter("".join(Stream(SEED, str(number)).shuffled("ABCD")) for number in range(2400))
    assert set(seen) == {"".join(order) for order in permutations("ABCD")}
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 50


def test_a_coin_is_the_first_bit_of_its_key() -> None:
    coins = [coin(SEED, f"prio/{tick}") for tick in range(400)]
    assert coins == [derive(SEED, f"prio/{tick}")[0] >> 7 for tick in range(400)]
    assert 150 < sum(coins) < 250


def test_seeds_of_boards_and_bots_and_the_commitment_are_derived_as_specified() -> None:
    assert board_seed(SEED, "landlord", 7) == digest(SEED, b"board/landlord/7", "sha256")
    assert bot_seed(SEED, 1) == digest(SEED, b"bot/1", "sha256")
    assert commitment(SEED) == sha256(SEED).digest()
    assert len({board_seed(SEED, game, board) for game in ("a", "b") for board in range(3)}) == 6
