"""The pages of the project: where they are, and the code that stands on them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Return every page, by path."""
    folders = [ROOT, ROOT / "sdk" / "python", *(path.parent for path in ROOT.glob("docs/**/*.md"))]
    return sorted({page for folder in folders for page in folder.glob("*.md")})


def code_blocks(page: Path, language: str) -> list[str]:
    """Return the blocks of a page in a language, in their order."""
    return [code for found, code in _FENCE.findall(page.read_text(encoding="utf-8")) if found == language]


def without_code(text: str) -> str:
    """Return a page's text without its blocks and what stands between backticks."""
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text))


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
