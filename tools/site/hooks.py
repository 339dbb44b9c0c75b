"""What mkdocs builds beside the pages of docs/: the reference, formulas, links into the source.

The reference is made from the program itself, so it cannot describe another one.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT), str(ROOT / "backends"), str(ROOT / "tasks")]

import public  # noqa: E402
import reference  # noqa: E402

BEHIND = (
    "measurements.md",
    *(f"reference/{name}." for name in [*public.MODULES, "commands"]),
)
"""Pages that stand behind guides in what a search finds: they have every word."""
LINK = re.compile(r"\[([^\]]*)\]\((\.\./[^)#\s]*)(#[^)\s]*)?\)")
"""A link from a page to what may lie outside docs/."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Draw ```math blocks as MathML, which browsers show without a script or a font."""
    options = config.mdx_configs.setdefault("pymdownx.superfences", {})
    fences = options.setdefault("custom_fences", [])
    fences.append({"name": "math", "class": "math", "format": formula})
    return config


def formula(source: str, *_: Any, **__: Any) -> str:
    """Return a block of LaTeX as MathML."""
    from latex2mathml.converter import convert

    return f'<div class="formula">{convert(source, display="block")}</div>'


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made from the program."""
    for name, text in reference.pages().items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Say how soon a page is found; turn links that leave docs/ into what there is on the site.

    A link to the source, which a reader of the repository can follow, leads to its page of the
    reference; where it has none, its path is shown.

    Raises:
        PluginError: there is nothing at that path.
    """
    if page.file.src_path.startswith(BEHIND):
        page.meta["search"] = {"boost": 0.2}
    here = (ROOT / "docs" / page.file.src_path).parent

    def shown(link: re.Match[str]) -> str:
        target = (here / link[2]).resolve()
        if target.is_relative_to(ROOT / "docs"):
            return link[0]
        if not target.exists():
            raise PluginError(f"{page.file.src_path}: nothing at {link[2]}")
        path = str(target.relative_to(ROOT))
        if name := public.page_of(path):
            made = os.path.relpath(f"reference/{name}.md", Path(page.file.src_path).parent)
            return f"[{link[1]}]({made}{link[3] or ''})"
        return link[1] if path in link[1] else f"{link[1]} (`{path}`)"

    return LINK.sub(shown, markdown)
