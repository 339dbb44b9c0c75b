"""Fail where a file or a function is too long to be read in a sitting; `make check` runs this.

Everything counts, tables of data as well. Of the verifiers it also counts the patterns, what one
pattern holds, and the lines of this project that importing each verifier loads; with `--report`
it prints these figures.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "rewardkit", "backends", "tasks", "tests", "benchmarks", "experiments", "examples", "tools",
)  # fmt: skip
FILE_LINES = 350
TEST_LINES = 400
"""Of a file of tests, which holds its rows."""
FUNCTION_LINES = 60
VERIFIERS = ROOT / "rewardkit" / "verifiers"
PATTERNS = 200
ALTERNATIVES = 30
"""Of one pattern as it is written; a table of names is joined by `alternatives(...)`."""
LOADS = {
    "IntegerVerifier": 2_500,
    "ChoiceVerifier": 4_050,
    "TextVerifier": 3_000,
    "NumericVerifier": 7_000,
    "MathVerifier": 11_500,
}
"""A verifier, and how many lines of this project importing it may load."""
_COUNT_LINES = """
import importlib, pathlib, sys
importlib.import_module("rewardkit.verifiers").{name}
files = {{m.__file__ for n, m in sys.modules.items() if n.partition(".")[0] == "rewardkit"}}
print(sum(len(pathlib.Path(f).read_text("utf-8").splitlines()) for f in files if f))
"""


def too_long(path: Path) -> Iterator[str]:
    """Yield a sentence for the file, and one for each of its functions, that is over its limit."""
    text = path.read_text(encoding="utf-8")
    tree, where = ast.parse(text), path.relative_to(ROOT)
    limit = TEST_LINES if where.parts[0] == "tests" else FILE_LINES
    if (count := len(text.splitlines())) > limit:
        yield f"{where}: {count} lines, at most {limit}"
    for part in ast.walk(tree):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            assert part.end_lineno is not None
            count = part.end_lineno - part.lineno + 1
            if count > FUNCTION_LINES:
                place = f"{where}:{part.lineno}: {part.name}"
                yield f"{place} has {count} lines, at most {FUNCTION_LINES}"


def patterns_in(tree: ast.AST) -> int:
    """Return how many patterns a file makes: calls of `re.compile`, rows of a `table(...)`."""
    count = 0
    for call in ast.walk(tree):
        match call:
            case ast.Call(ast.Attribute(ast.Name("re"), "compile")):
                count += 1
            case ast.Call(ast.Name("table"), rows):
                count += len(rows)
    return count


def wide_strings(path: Path, tree: ast.AST) -> Iterator[str]:
    """Yield a sentence for each string with more alternatives than a pattern may have."""
    for part in ast.walk(tree):
        match part:
            case ast.JoinedStr(pieces):
                text = "".join(str(p.value) for p in pieces if isinstance(p, ast.Constant))
            case ast.Constant(str(text)):
                pass
            case _:
                continue
        if (count := text.count("|")) >= ALTERNATIVES:
            where = f"{path.relative_to(ROOT)}:{part.lineno}"
            yield f"{where}: a pattern of {count + 1} alternatives, at most {ALTERNATIVES}"


def lines_loaded(name: str) -> int | str:
    """Return how many lines of this project importing a verifier loads, or why it fails."""
    command = [sys.executable, "-c", _COUNT_LINES.format(name=name)]
    run = subprocess.run(command, capture_output=True, text=True)
    return run.stderr.strip().splitlines()[-1] if run.returncode else int(run.stdout)


def of_the_verifiers(report: bool) -> Iterator[str]:
    """Yield a sentence for each limit of the verifiers that is passed."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(VERIFIERS.rglob("*.py"))}
    for path, tree in trees.items():
        yield from wide_strings(path, tree)
    count = sum(map(patterns_in, trees.values()))
    if report:
        lines = sum(len(path.read_text("utf-8").splitlines()) for path in trees)
        sys.stdout.write(f"rewardkit/verifiers: {lines} lines, {count} patterns\n")
    if count > PATTERNS:
        yield f"rewardkit/verifiers: {count} patterns, at most {PATTERNS}"
    for name, limit in LOADS.items():
        loaded = lines_loaded(name)
        if report:
            sys.stdout.write(f"{name} loads {loaded} lines\n")
        if isinstance(loaded, str):
            yield f"rewardkit.verifiers.{name} cannot be imported: {loaded}"
        elif loaded > limit:
            yield f"rewardkit.verifiers.{name} loads {loaded} lines, at most {limit}"


def main() -> None:
    """Look at every file of the project."""
    files = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))
    found = [sentence for path in files for sentence in too_long(path)]
    found += of_the_verifiers("--report" in sys.argv)
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
