"""Fail where a public name has no docstring or no page of the reference; `make check` runs this.

A docstring is asked of every module, class, function and method of all packages, and of every
field of what the reference shows. A page is asked of every name in a package's `__all__`, and of
what the documentation and the examples import; of every class that a page of docs/ names, and of
every module of the core that one links to. What is in no `__all__` is public or inside, by name.
Links of the pages at the top lead to what is there. That the built site shows the pages is
`make docs`'.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools" / "site")]

import public  # noqa: E402

ABOUT_THE_INSIDE = "verl.md"
"""The page that also explains classes which nobody should build upon."""
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`((?:rewardkit\w*\.[\w.]*)?[A-Z]\w*[a-z]\w*)(?:\([^`]*\))?`")
MODULE = re.compile(r"`(rewardkit\w*\.\w+\.[a-z_.]+)`")
LINKED = re.compile(r"\]\((?:\.\./)+(rewardkit/[\w/]+)\.py\)")
TARGET = re.compile(r"\]\((?!https?:)([^)#]+)")
IMPORT = re.compile(r"^\s*from (rewardkit(?:\.\w+)*) import ([\w, ]+)", re.MULTILINE)


def undocumented() -> Iterator[str]:
    """Yield a sentence for each name without a docstring."""
    for one in public.defined():
        if not one.has_docstring:
            yield f"{one.path} has no docstring"
    for one in public.surface():
        if not public.is_documented(one):
            yield f"{one.path} has no docstring, nor does its class's name it"


def unlisted() -> Iterator[str]:
    """Yield a sentence for each public name that no page of the reference shows."""
    shown = {one.path for one in public.surface()}
    for module in public.defined():
        if module.is_module and public.exports(module) is not None:
            for one in public.names(module):
                if one.path not in shown:
                    yield f"{one.path}, public in {module.path}, is on no page of the reference"
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.py")]
    for page in pages:
        for found in IMPORT.finditer(page.read_text(encoding="utf-8")):
            for name in re.split(r",\s*", found[2].strip()):
                member = public.source()[found[1]].members[name]
                path = member.final_target.path if member.is_alias else member.path
                if path not in shown:
                    yield f"{path}, imported in {page.relative_to(ROOT)}, is on no page"


def strange() -> Iterator[str]:
    """Yield a sentence for each name of the program that a page of docs/ has and no reference."""
    shown = {one.path for one in public.surface()}
    on_a_page = {module.path for page in public.MODULES for module in public.modules(page)}
    modules = {one.path for one in public.defined() if one.is_module}
    classes: dict[str, set[str]] = {}
    for one in public.defined():
        if one.is_class:
            classes.setdefault(one.name, set()).add(one.path)
    for page in (ROOT / "docs").rglob("*.md"):
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for found in LINKED.finditer(text):
            if public.page_of(f"{found[1]}.py") is None:
                yield f"{page.name} links to {found[1]}.py, which is on no page"
        if page.name != ABOUT_THE_INSIDE:
            for found in MODULE.finditer(text):
                if found[1] in modules and found[1] not in on_a_page:
                    yield f"{page.name} names {found[1]}, which is on no page"
            for name in sorted(set(NAMED.findall(text))):
                homes = {path for path in classes.get(name.rpartition(".")[2], ()) if name in path}
                if homes and not homes & shown:
                    yield f"{page.name} names {name} ({', '.join(homes)}), which is on no page"


def broken() -> Iterator[str]:
    """Yield a sentence for each link of a page at the top that leads to no file of the project."""
    for page in sorted(ROOT.glob("*.md")):
        for target in TARGET.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            if not (ROOT / target).exists():
                yield f"{page.name} links to {target}, which is not there"


def main() -> None:
    """Look at every package and every page."""
    faults = [*undocumented(), *unlisted(), *strange(), *broken()]
    faults += [f"{path} is on no page of the reference, nor inside" for path in public.unsaid()]
    if faults:
        sys.exit("\n".join([*faults, "see MODULES and INSIDE of tools/site/public.py"]))
    defined, shown = len(list(public.defined())), len(public.surface())
    sys.stdout.write(
        f"{defined} of {defined} definitions have docstrings; all {shown} public names a page\n"
    )


if __name__ == "__main__":
    main()
