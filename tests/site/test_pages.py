"""Pages of the docs say first what they are for, and are found within two clicks."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
LINK = re.compile(r"\]\(([^)#\s]+\.md)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_begins_with_a_sentence(page):
    title, blank, first = page.read_text("utf-8").split("\n")[:3]
    assert title.startswith("# ")
    assert blank == ""
    assert re.match(r"[`*\[]*\w", first), f"after its title stands {first!r}, no sentence"


@pytest.mark.parametrize("start", [DOCS / "index.md", ROOT / "README.md"], ids=lambda p: p.name)
def test_every_page_is_two_clicks_away(start):
    def leads_to(page):
        linked = (page.parent / link for link in LINK.findall(page.read_text("utf-8")))
        return {page.resolve() for page in linked} & set(PAGES)

    near = leads_to(start)
    reached = near.union(*map(leads_to, near), [start, DOCS / "index.md"])
    assert [str(page.relative_to(DOCS)) for page in PAGES if page not in reached] == []
