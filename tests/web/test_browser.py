"""The pages in a real browser."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, barriers, quiet_page
from cardpit.games import ALL, GAMES
from cardpit.games.seeds import board_seed
from referee.record import states
from serving import enter, serving
from tournament.archive import open_record
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.matches import find_match, find_record

BOTS = Path(__file__).parents[2] / "bots"

PAGES = (
    "/", "/tournaments/cup", "/tournaments/cup/landlord", "/tournaments/cup/about", "/tournaments/cup/spit/matches",
    "/tournaments/cup/landlord/verdicts", "/tournaments/cup/landlord/matches/0/0/0",
    "/tournaments/half/spit/matches/0/0/0",
    "/bots", "/bots/talker", "/games", "/games/twenty-two", "/docs", "/api",
)  # fmt: skip

DARK_PAGES = ("/tournaments/cup/landlord", "/tournaments/cup/landlord/matches/0/0/0")


def opened(page: Page, address: str) -> None:
    """Open a page, and wait until its scripts have drawn it."""
    page.goto(address)
    if page.locator("#replay").count():
        page.wait_for_selector("#replay .felt .zone")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_keeps_anybody_out(browser: Browser, server: str, dark: bool) -> None:
    with quiet_page(browser, dark=dark) as page:
        for path in DARK_PAGES if dark else PAGES:
            opened(page, server + path)
            assert barriers(page) == [], path
        assert page.locator("html").get_attribute("data-theme") == ("dark" if dark else "light")


def test_on_a_phone_no_page_is_wider_than_the_screen(browser: Browser, server: str) -> None:
    with quiet_page(browser, PHONE) as page:
        for path in PAGES:
            opened(page, server + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def test_the_theme_is_kept(browser: Browser, server: str) -> None:
    with quiet_page(browser) as page:
        opened(page, server)
        light = page.evaluate("getComputedStyle(document.body).color")
        page.get_by_role("button", name="Dark").click()
        assert page.evaluate("getComputedStyle(document.body).color") != light
        opened(page, f"{server}/bots")
        assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_table_is_sorted_by_a_press_on_a_heading_or_a_key(browser: Browser, server: str) -> None:
    with quiet_page(browser) as page:
        opened(page, f"{server}/tournaments/cup/landlord")
        names = page.locator("table.sortable tbody th a")
        before = names.all_inner_texts()
        assert len(before) == 2
        head = page.get_by_role("columnheader", name="bot")
        page.get_by_role("button", name="bot", exact=True).click()
        assert head.get_attribute("aria-sort") == "ascending"
        assert names.all_inner_texts() == sorted(before)
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "descending"
        assert names.all_inner_texts() == sorted(before, reverse=True)


def test_without_scripts_tables_and_results_can_be_read(browser: Browser, server: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server}/tournaments/cup/landlord")
    expect(page.locator("table.sortable tbody tr")).to_have_count(2)
    page.get_by_role("link", name=re.compile("All . matches")).click()
    page.get_by_role("link", name="pairing 0, board 1, room 1").click()
    expect(page.locator("main table").first).to_contain_text("random")
    page.get_by_role("link", name="Read the match as text").click()
    expect(page.locator("body")).to_contain_text("step 0: the deal")
    context.close()


def test_the_table_is_live_while_a_tournament_is_played(browser: Browser, tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    command = [str(Path(sys.executable).with_name("tournament")), "--home", str(home.folder)]
    enter(home, BOTS / "first", BOTS / "random")
    options = ("--game", "twenty-two", "--bots", "first,random", "--boards", "30", "--jobs", "1", "--plain")
    with serving(home) as (address, _), quiet_page(browser) as page:
        run = subprocess.Popen(
            [*command, "run", "--name", "cup", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert run.stderr is not None
        # The tournament is stored before its plan is printed.
        assert any("pairings" in line for line in run.stderr)
        opened(page, f"{address}/tournaments/cup/twenty-two")
        page.evaluate("window.same = true")
        page.get_by_role("button", name="score %").click()
        count = page.locator(".progress b")
        first = int(count.inner_text())
        expect(page.get_by_text("● live")).to_be_visible(timeout=20_000)
        page.wait_for_function(
            "first => Number(document.querySelector('.progress b').innerText) > first + 20", arg=first, timeout=90_000
        )
        assert page.get_by_role("columnheader", name="score %").get_attribute("aria-sort") == "descending"
        expect(page.get_by_text("✓ finished")).to_be_visible(timeout=90_000)
        expect(count).to_have_text("60")
        expect(page.locator("table.sortable tbody tr").first).to_contain_text("30")
        expect(page.locator("#said")).to_have_text("The tournament is finished.")
        assert page.evaluate("window.same"), "the page was not loaded anew"
        assert run.wait(20) == 0
        run.stderr.close()


def drawn(page: Page) -> object:
    """Return what a replay shows: step, phase, zones with cards and number of cards, counters, events."""
    return page.evaluate(
        """() => {
        const texts = (root, selector) => [...root.querySelectorAll(selector)].map((each) => each.innerText);
        const zones = [...document.querySelectorAll("#replay .zone")].map((zone) => [
            zone.dataset.zone,
            zone.closest(".seat")?.dataset.seat ?? null,
            [...zone.querySelectorAll("[data-card]")].map((card) => card.dataset.card),
            Number(zone.querySelector(".count")?.innerText ?? 0),
        ]);
        const root = document.getElementById("replay");
        return [
            Number(root.dataset.step),
            root.querySelector(".phase").innerText.split(" · ")[0],
            zones.sort(),
            texts(root, ".counters dt").map((name, number) => [name, texts(root, ".counters dd")[number]]),
            texts(root, ".events .notation"),
        ];
    }"""
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_shows_every_step_of_the_record(browser: Browser, server: str, played_home: Path, game: str) -> None:
    with Store.create(Home(played_home)) as store:
        tournament, pool, match = find_match(store, f"cup/{game}/0/1/1")
        stored = find_record(store, match)
    record, _ = open_record(stored.record, stored.timings)
    seen = [state.observe(ALL) for state in states(record, board_seed(tournament.seed, pool.game, 1))]
    with quiet_page(browser) as page:
        opened(page, f"{server}/tournaments/cup/{game}/matches/0/1/1")
        page.locator("h1").click()
        for step, observation in enumerate(seen):
            zones = sorted(
                [zone.name, None if zone.owner is None else str(zone.owner), list(zone.cards), len(zone.cards)]
                for zone in observation.zones
            )
            found = drawn(page)
            assert isinstance(found, list)
            assert sorted(found[2], key=json.dumps) == sorted(zones, key=json.dumps)
            assert found[:2] == [step, observation.phase]
            assert found[3] == [
                [name, f"{value}".replace("-", "\N{MINUS SIGN}")] for name, value in observation.counters
            ]
            assert found[4] == [event.text for event in observation.events]
            page.keyboard.press("ArrowRight")
        assert page.locator("#replay").get_attribute("data-step") == str(len(seen) - 1), "it ends with the last step"


def test_an_address_keeps_the_moment_and_the_eyes(browser: Browser, server: str) -> None:
    address = f"{server}/tournaments/cup/twenty-two/matches/0/0/0"
    with quiet_page(browser) as page:
        opened(page, f"{address}#step=5&eyes=1")
        assert page.locator("#replay").get_attribute("data-step") == "5"
        own, other = (page.locator(f"[data-seat='{seat}'] [data-zone=hand]") for seat in (1, 0))
        assert own.locator("[data-card]").count() > 0
        assert other.locator("[data-card]").count() == 0
        assert other.locator(".back").count() > 0
        page.get_by_label("Eyes").select_option("public")
        expect(own.locator("[data-card]")).to_have_count(0)
        page.get_by_role("button", name="Last step (End)").click()
        step = page.locator("#replay").get_attribute("data-step")
        assert page.url == f"{address}#step={step}&eyes=public"
        page.evaluate("location.hash = '#step=3'")
        expect(page.locator("#replay")).to_have_attribute("data-step", "3")
        assert other.locator("[data-card]").count() > 0, "all cards again"


def test_a_replay_plays_and_jumps(browser: Browser, server: str) -> None:
    with quiet_page(browser) as page:
        opened(page, f"{server}/tournaments/cup/speed/matches/0/0/0")
        replay = page.locator("#replay")
        assert page.get_by_label("Speed").input_value() == "90", "ticks begin as a film"
        page.locator("h1").click()
        page.keyboard.press("Space")
        expect(replay).to_have_attribute("data-step", re.compile("^([4-9]|[1-9][0-9]+)$"))
        page.get_by_role("button", name="Stop").click()
        stopped = replay.get_attribute("data-step")
        page.keyboard.press("Home")
        assert replay.get_attribute("data-step") == "0"
        page.get_by_label("Step number").fill("7")
        page.get_by_label("Step number").press("Enter")
        assert replay.get_attribute("data-step") == "7"
        page.get_by_label("Jump to").select_option("next decision 1")
        assert replay.get_attribute("data-step") == "8"
        assert stopped is not None
        opened(page, f"{server}/tournaments/cup/twenty-two/matches/0/0/0")
        places = page.get_by_label("Jump to").locator("option").all_text_contents()
        second = next(place for place in places if place.startswith("deal 2 "))
        page.get_by_label("Jump to").select_option(second)
        expect(page.locator(".phase")).to_contain_text("cards are dealt")


def test_what_a_bot_says_never_becomes_part_of_the_page(browser: Browser, server: str) -> None:
    with quiet_page(browser) as page:
        opened(page, f"{server}/tournaments/cup/twenty-two/matches/0/0/0")
        page.get_by_label("Jump to").select_option("next decision 1")
        expect(page.locator("q.comment")).to_contain_text("<img src=x onerror=")
        for path in ("/bots/talker", "/tournaments/cup/landlord/matches/0/0/0"):
            opened(page, server + path)
            assert "Cardpit" in page.title()
            expect(page.locator("main")).to_contain_text("<script>document.title")


def test_before_the_end_a_replay_lies_face_down(browser: Browser, server: str) -> None:
    with quiet_page(browser) as page:
        opened(page, f"{server}/tournaments/half/spit/matches/0/0/0")
        expect(page.get_by_label("Eyes")).to_have_count(0)
        page.get_by_role("button", name="Last step (End)").click()
        assert page.locator("#replay .back").count() > 5
        assert page.locator("#replay [data-card]").count() == 0
        assert page.locator("#replay .notation").count() == 0
