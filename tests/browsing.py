"""A real Chromium, and pages that tell what went wrong in them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

CHROMIUM = "/usr/bin/chromium"

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

WIDE: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser. Skips the test where Chromium is missing; where CI is set, that is a failure."""
    if shutil.which(CHROMIUM) is None:
        if "CI" in os.environ:
            pytest.fail(f"{CHROMIUM} is missing: install Debian's package chromium")
        pytest.skip(f"{CHROMIUM} is missing")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def quiet_page(browser: Browser, viewport: ViewportSize = WIDE, *, dark: bool = False) -> Iterator[Page]:
    """Open a page; at the end nothing may have been written to its console, and no request to elsewhere been made."""
    context = browser.new_context(viewport=viewport, color_scheme="dark" if dark else "light")
    page = context.new_page()
    said: list[str] = []
    hosts: set[str] = set()
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    yield page
    context.close()
    assert not said, said
    assert len(hosts) == 1, f"something was loaded from elsewhere: {hosts}"


def barriers(page: Page) -> list[str]:
    """Return what axe finds that keeps people out, one line each."""
    found = Axe().run(page)
    return [
        f"{violation['id']}: {node['html']}"
        for violation in found.response["violations"]
        for node in violation["nodes"]
    ]
