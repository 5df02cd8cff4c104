"""The pages say what the code does: names, links, and code that runs."""

import ast
import re
import runpy
import tomllib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from cardpit import Bot
from cardpit.games import ALL, GAMES, Game, Parameter, State, Value
from cardpit.practice import play
from docs.pages import ROOT, anchors, code_blocks, pages, without_code
from referee.orders import Termination
from seating import play_bots, script
from tournament.bundle import read_bundle

BLOCKS = {
    f"{page.relative_to(ROOT)}:{number}": code
    for page in (ROOT / "README.md", ROOT / "sdk" / "python" / "README.md", ROOT / "docs" / "bots.md")
    for number, code in enumerate(code_blocks(page, "python"), 1)
}
LONGEST_WALK = 400
"""States of a match that are looked at for names."""


def other_value(parameter: Parameter) -> Value:
    default = parameter.default
    if isinstance(default, bool):
        return not default
    if isinstance(default, int):
        return parameter.high if default != parameter.high else parameter.low
    return next(choice for choice in parameter.choices if choice != default)


def walk(game: Game, seats: int, parameters: Mapping[str, Value]) -> Iterator[State]:
    """Yield the states of a random match."""
    rng = Random(5)
    state = game.deal(bytes(32), seats, parameters)
    yield state
    while state.outcome is None:
        state = state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.turn})
        yield state


def names_in_use(game: Game) -> set[str]:
    """Return every phase, zone and counter that some random matches show."""
    settings: list[tuple[int, dict[str, Value]]] = [(seats, {}) for seats in range(game.min_seats, game.max_seats + 1)]
    settings += [(game.min_seats, {parameter.name: other_value(parameter)}) for parameter in game.parameters]
    found = set()
    for seats, parameters in settings:
        for state in islice(walk(game, seats, parameters), LONGEST_WALK):
            seen = state.observe(ALL)
            found |= {seen.phase, *(zone.name for zone in seen.zones), *(name for name, _ in seen.counters)}
    for state in walk(game, game.min_seats, {}):
        found.add(state.observe(ALL).phase)
    return found


def is_named(name: str, page: str) -> bool:
    """Tell whether a page has a name between backticks; for one with a number, with any number or with a letter."""
    pattern = re.sub(r"\\ \d+$", r" (\\d+|<\\w+>|[a-z])", re.escape(name))
    return re.search(f"`{pattern}`", page) is not None


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_has_a_page_that_names_all_that_it_uses(game: Game) -> None:
    page = (ROOT / "docs" / "games" / f"{game.id}.md").read_text(encoding="utf-8")
    wanted = names_in_use(game) | {parameter.name for parameter in game.parameters} | {game.id}
    assert len(wanted) >= 5
    assert sorted(name for name in wanted if not is_named(name, page)) == []


def test_a_name_must_stand_between_backticks() -> None:
    assert is_named("slot 3", "the zone `slot 3`")
    assert is_named("slot 3", "the zones `slot n`")
    assert is_named("slot 3", "the zones `slot <n>`")
    assert is_named("slot 3", "the zones `slot 0`, `slot 1`, ...")
    assert not is_named("slot 3", "the zone `slot`, or `pile 3`")
    assert not is_named("hand", "a hand, and `handful`")


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path) if path else page
        known = linked.exists() and linked.resolve().is_relative_to(ROOT)
        if not known or (anchor and anchor not in anchors(linked.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what a referee sets."""
    monkeypatch.delenv("CARDPIT_ADDRESS", raising=False)
    monkeypatch.delenv("CARDPIT_TOKEN", raising=False)


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("block", BLOCKS)
def test_the_python_on_the_pages_runs(block: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "block.py"
    file.write_text(BLOCKS[block], encoding="utf-8")
    runpy.run_path(str(file), run_name="__main__")
    assert capsys.readouterr().out


def first_bot(page: Path) -> str:
    """Return the smallest bot of a page."""
    return next(code for code in code_blocks(page, "python") if "class First(Bot)" in code)


def test_the_smallest_bot_is_the_same_on_every_page() -> None:
    folders = (ROOT, ROOT / "sdk" / "python")
    pages = [*(folder / "README.md" for folder in folders), ROOT / "docs" / "bots.md"]
    assert len({ast.dump(ast.parse(first_bot(page))) for page in pages}) == 1


@pytest.mark.usefixtures("by_hand")
def test_the_smallest_bot_plays_every_game_in_this_process(tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    file.write_text(first_bot(ROOT / "sdk" / "python" / "README.md").replace("First.run()", ""), encoding="utf-8")
    bot: type[Bot] = runpy.run_path(str(file))["First"]
    for game in GAMES.values():
        assert len(play(game.id, [bot] * game.max_seats, bytes(32)).payoffs) == game.max_seats


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_smallest_bot_plays_every_game_as_a_process(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    file.write_text(first_bot(ROOT / "sdk" / "python" / "README.md"), encoding="utf-8")
    (report,), done = play_bots([script(file)] * game.min_seats, game=game.id, move_time=1.0)
    assert report.termination is Termination.NORMAL
    assert sum(report.strikes) == 0
    assert done.logs == ("",) * game.min_seats


def test_the_bundle_of_the_page_is_one(tmp_path: Path) -> None:
    (manifest,) = code_blocks(ROOT / "docs" / "bots.md", "toml")
    (tmp_path / "bot.toml").write_text(manifest, encoding="utf-8")
    (tmp_path / "bot.py").write_text(first_bot(ROOT / "docs" / "bots.md"), encoding="utf-8")
    bundle = read_bundle(tmp_path)
    content = tomllib.loads(manifest)
    assert (bundle.name, list(bundle.command), list(bundle.games)) == (
        content["name"],
        content["command"],
        content["games"],
    )
