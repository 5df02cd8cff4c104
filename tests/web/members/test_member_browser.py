"""What users and players do, in a real browser."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, WIDE, barriers, quiet_page
from serving import BOTS, a_bot, enrol, serving
from tournament.bundle import copy_bundle, read_bundle
from tournament.home import Home
from tournament.parcel import pack
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.exhibitions import find_exhibition

PATIENCE = 60_000
"""Milliseconds that what a bot has to be started for may take."""


@pytest.fixture
def server(home: Home, store: Store) -> Iterator[str]:
    """A server with the bot first."""
    bundle = read_bundle(BOTS / "first")
    copy_bundle(bundle, home.bundles, jail="none")
    add_version(store, bundle)
    with serving(home, "--jail", "process") as (address, _):
        yield address


def test_a_bot_goes_from_the_form_to_the_table(
    browser: Browser, server: str, home: Home, store: Store, tmp_path: Path
) -> None:
    _, token = enrol(store, "ada")
    archive = tmp_path / "mine.tar.gz"
    archive.write_bytes(pack([("bot.py", a_bot(tmp_path / "mine.py"))]))
    with quiet_page(browser) as page:
        page.goto(f"{server}/submit")
        assert barriers(page) == []
        page.get_by_label("Token").fill(token)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Submit a bot")).to_be_visible()
        assert barriers(page) == []
        page.get_by_label("Archive").set_input_files(archive)
        page.get_by_label("Name").fill("mine")
        page.get_by_role("button", name="Submit").click()
        expect(page.get_by_role("heading", name="Submission 1")).to_be_visible()
        expect(page.locator("#status")).to_have_text("accepted", timeout=PATIENCE)
        expect(page.locator("#log")).to_contain_text("unpacked mine: 1 files")
        expect(page.locator("#log")).to_contain_text("played landlord in seat 1\nsubmitted mine 1: plays landlord")
        assert barriers(page) == []
        page.get_by_role("link", name="mine 1").click()
        expect(page.get_by_role("heading", name="mine")).to_be_visible()
        program = Path(sys.executable).with_name("tournament")
        words = "run --name cup --game landlord --bots mine,first --boards 1 --jail none --quiet"
        run = subprocess.run([program, "--home", home.folder, *words.split()], check=False, capture_output=True)
        assert run.returncode == 0, run.stderr
        page.goto(f"{server}/tournaments/cup/landlord")
        expect(page.locator("table tbody th").get_by_text("mine").first).to_be_visible()


def test_a_whole_match_is_played_by_clicks(browser: Browser, server: str, store: Store) -> None:
    with quiet_page(browser) as page:
        page.goto(f"{server}/play")
        assert barriers(page) == []
        page.get_by_role("link", name="Landlord", exact=True).click()
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator("#news")).to_contain_text("Your turn", timeout=PATIENCE)
        assert barriers(page) == []
        expect(page.locator("#felt .seat[data-seat='0'] .zone[data-zone='hand'] .card:not(.back)")).to_have_count(17)
        expect(page.locator("#felt .seat[data-seat='1'] .zone[data-zone='hand'] .card:not(.back)")).to_have_count(0)
        play_to_the_end(page, page.locator("#actions button").first.click)
        expect(page.locator("#news")).to_contain_text(re.compile("The match is over: place [12] of 2, .* points"))
        page.get_by_role("link", name="Watch the match again").click()
        page.wait_for_selector("#replay .felt .zone")
        assert barriers(page) == []
    assert (find_exhibition(store, 1).termination, find_exhibition(store, 1).game) == ("normal", "landlord")


def test_a_whole_match_is_played_by_keys_on_a_phone(browser: Browser, server: str, store: Store) -> None:
    with quiet_page(browser, PHONE) as page:
        page.goto(f"{server}/play/twenty-two?bot=first")
        page.get_by_label("Your seat").select_option("1")
        page.get_by_role("button", name="Play", exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#actions button").first).to_be_enabled(timeout=PATIENCE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        play_to_the_end(page, lambda: page.keyboard.press("1"))
    assert (find_exhibition(store, 1).termination, find_exhibition(store, 1).game) == ("normal", "twenty-two")


def test_an_action_is_found_by_its_name_and_leaving_forfeits(browser: Browser, server: str, store: Store) -> None:
    with quiet_page(browser, WIDE, dark=True) as page:
        page.goto(f"{server}/play/landlord")
        page.get_by_role("button", name="Play", exact=True).click()
        play = page.locator("#actions button:not([disabled])")
        expect(play.first).to_be_visible(timeout=PATIENCE)
        page.keyboard.press("/")
        named = page.locator("#actions button").last.get_attribute("data-action") or ""
        page.keyboard.type(named)
        assert barriers(page) == []
        page.keyboard.press("Enter")
        expect(page.locator("#events")).to_contain_text(named, timeout=PATIENCE)
        page.get_by_role("button", name="Leave the table").click()
        expect(page.locator("#news")).to_contain_text("You have left the table")


def play_to_the_end(page: Page, act: Callable[[], None]) -> None:
    """Act whenever it is the person's turn, until the match is kept."""
    ready = page.locator("#actions button:not([disabled])").first
    again = page.get_by_role("link", name="Watch the match again")
    while True:
        expect(ready.or_(again).first).to_be_visible(timeout=PATIENCE)
        if again.is_visible():
            return
        act()
