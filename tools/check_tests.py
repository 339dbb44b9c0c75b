"""Fail where a test asserts nothing; `make check` runs this.

A test asserts by itself (`assert`, `pytest.raises`, `assert_close`, ...) or calls a function that
does: one of its own file, one that the file imports from the tests, or a fixture that it asks for.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ASSERTING = ("raises", "warns", "fail", "xfail", "deprecated_call")
"""What of pytest's asserts when it is called; so does anything named `assert...`."""

Functions = dict[str, ast.FunctionDef | ast.AsyncFunctionDef]


def functions(tree: ast.AST) -> Functions:
    """Return a file's functions by name, methods included."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return {part.name: part for part in ast.walk(tree) if isinstance(part, kinds)}


def named(function: ast.AST) -> set[str]:
    """Return what a function calls or asks for: names, the last word of `a.b.c`, its arguments."""
    found = set()
    for part in ast.walk(function):
        match part:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                found.add(name)
    return found


def asserts(function: ast.AST) -> bool:
    """Return whether a function asserts something itself."""
    words = named(function)
    return (
        any(isinstance(part, ast.Assert) for part in ast.walk(function))
        or any(word in ASSERTING or word.startswith(("assert", "_assert")) for word in words)
        or "AssertionError" in words
    )


def asserting(found: Functions, known: set[str]) -> set[str]:
    """Return the names of `found` and `known` that assert, by themselves or by what they call."""
    names = known | {name for name, function in found.items() if asserts(function)}
    while more := {
        n for n, function in found.items() if n not in names and named(function) & names
    }:
        names |= more
    return names


def without(path: Path, shared: set[str]) -> Iterator[str]:
    """Yield a sentence for each test of a file that asserts nothing."""
    found = functions(ast.parse(path.read_text(encoding="utf-8")))
    names = asserting(found, shared - found.keys())
    for name, function in found.items():
        if name.startswith("test_") and name not in names:
            yield f"{path.relative_to(ROOT)}:{function.lineno}: {name} asserts nothing"


def main() -> None:
    """Look at every test of the project."""
    files = sorted((ROOT / "tests").rglob("*.py"))
    helpers: Functions = {}
    for path in files:
        if not path.name.startswith("test_"):
            helpers |= functions(ast.parse(path.read_text(encoding="utf-8")))
    shared = asserting(helpers, set())
    found = [sentence for path in files for sentence in without(path, shared)]
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
