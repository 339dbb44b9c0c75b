"""Fail where a public name has no docstring or no page of the reference; `make check` runs this.

A docstring is asked of every module, class, function and method of all packages, and of every
field of what the reference shows. A page is asked of every name in a package's `__all__`, and of
what the documentation and the examples import. That the built site shows them is `make docs`'.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools" / "site")]

import public  # noqa: E402

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


def main() -> None:
    """Look at every package and every page."""
    faults = [*undocumented(), *unlisted()]
    if faults:
        sys.exit("\n".join([*faults, "public names: see MODULES of tools/site/public.py"]))
    defined, shown = len(list(public.defined())), len(public.surface())
    sys.stdout.write(
        f"{defined} of {defined} definitions have docstrings; all {shown} public names a page\n"
    )


if __name__ == "__main__":
    main()
