"""Fail where a test asserts nothing that stands in it; `make check` runs this.

`assert`, `pytest.raises` and its like, or a call of something named `assert...`: what is asserted
in a helper of another name is not seen by who reads the test.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OF_PYTEST = ("raises", "warns", "fail", "deprecated_call")


def asserts(part: ast.AST) -> bool:
    """Return whether this part of a test is an assertion."""
    match part:
        case ast.Assert():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in OF_PYTEST or name.startswith("assert")
    return False


def without(path: Path) -> Iterator[str]:
    """Yield a sentence for each test of a file that asserts nothing."""
    for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_test = isinstance(part, ast.FunctionDef) and part.name.startswith("test_")
        if is_test and not any(map(asserts, ast.walk(part))):
            yield f"{path.relative_to(ROOT)}:{part.lineno}: {part.name} asserts nothing"


def main() -> None:
    """Look at every test of the project."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    sys.exit("\n".join(found for path in files for found in without(path)) or 0)


if __name__ == "__main__":
    main()
