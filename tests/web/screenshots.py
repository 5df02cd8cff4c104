"""The pictures in ``docs/images``: a tournament is played, served and photographed, by ``make screenshots``."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"

BOTS = {"last": "turn.legal_actions[-1]", "longest": "max(turn.legal_actions, key=len)"}
"""Beside those that come with Cardpit: what each plays."""

SHOTS = (
    ("ratings", "/tournaments/cup/landlord", 0.0, (1120, 980), False),
    ("replay", "/tournaments/cup/landlord/matches/1/3/1", 0.65, (1120, 740), True),
    ("phone", "/tournaments/cup/speed/matches/1/3/1", 0.4, (390, 844), False),
)
"""File, page, which part of the match has been played, width and height, whether in the dark."""


def play(home: Path) -> None:
    """Play a small tournament of all games."""

    def tournament(*words: str | Path) -> None:
        command = [Path(sys.executable).with_name("tournament"), "--home", home, *words]
        subprocess.run([str(word) for word in command], check=True)

    for name in ("random", "first", "landlord_rules", "twenty_two_rules", "spit_rules", "speed_rules"):
        tournament("submit", ROOT / "bots" / name)
    for name, choice in BOTS.items():
        file = home.parent / f"{name}.py"
        file.write_text(
            f"from cardpit import Bot\n\n\nclass Simple(Bot):\n    def act(self, turn):\n        return {choice}\n\n\n"
            "Simple.run()\n"
        )
        tournament("submit", file)
    games = ("--game", "landlord", "--game", "twenty-two", "--game", "spit", "--game", "speed")
    tournament("run", "--name", "cup", *games, "--boards", "8", "--seed", "pictures")


def photograph(home: Path) -> None:
    """Serve a home and write the pictures."""
    from playwright.sync_api import ViewportSize

    from browsing import chromium
    from serving import serving
    from tournament.home import Home

    IMAGES.mkdir(exist_ok=True)
    with serving(Home(home)) as (address, _), chromium() as browser:
        for name, path, part, (width, height), dark in SHOTS:
            viewport: ViewportSize = {"width": width, "height": height}
            page = browser.new_context(viewport=viewport, color_scheme="dark" if dark else "light").new_page()
            page.goto(address + path)
            if part:
                last = int(page.locator("#replay input[type=range]").get_attribute("max") or 0)
                page.get_by_label("Step number").fill(str(round(part * last)))
                page.get_by_label("Step number").press("Enter")
                page.evaluate("document.activeElement.blur(); replay.scrollIntoView(); scrollBy(0, -60)")
            page.screenshot(path=IMAGES / f"{name}.png")


def main() -> None:
    """Write the pictures anew."""
    sys.path.insert(0, str(ROOT / "tests"))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        play(home)
        photograph(home)


if __name__ == "__main__":
    main()
