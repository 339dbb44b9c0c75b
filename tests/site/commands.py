"""The commands that README and docs tell a reader to type: in blocks, and between backticks.

A block without a language, of `console`, `sh` or `bash`, holds commands and nothing else; what a
terminal prints is `text`. A command goes on behind a backslash, and `  # ...` behind it is no part.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TUTORIALS = ROOT / "docs" / "tutorials"
PROGRAMS = (
    "rewardkit", "python", "make", "pytest", "torchrun", "pip", "uv", "sh", "curl", "hf", "vllm"
)  # fmt: skip
SHELL = ("", "console", "sh", "bash")
SETTING = re.compile(r"[A-Z_]+=\S*$")
"""An environment variable before a command."""


@dataclass(frozen=True)
class Command:
    """One command, and where it stands."""

    page: str
    line: int
    text: str
    inline: bool = False

    def __str__(self) -> str:
        """Return it as a test's sentence names it."""
        return f"{self.page}:{self.line}: {self.text}"

    @property
    def words(self) -> list[str]:
        """Its words, without the environment variables before it."""
        words = shlex.split(self.text)
        while words and SETTING.match(words[0]):
            del words[0]
        return words


def commands(page: Path) -> Iterator[Command]:
    """Yield the commands of a page, from top to bottom."""
    name, language, parts, start = str(page.relative_to(ROOT)), None, [], 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if fence := re.fullmatch(r"```(\w*)[^`]*", line):
            language = fence[1] if language is None else None
        elif language is None:
            yield from spans(name, number, line)
        elif language in SHELL and page.parent != TUTORIALS and line.strip():
            parts.append(re.sub(r"\s{2,}#.*| # .*", "", line).removesuffix("\\").strip())
            start = start or number
            if not line.endswith("\\"):
                yield Command(name, start, " ".join(parts))
                parts, start = [], 0


def spans(page: str, number: int, line: str) -> Iterator[Command]:
    """Yield the commands between the backticks of a line."""
    for found in re.finditer(r"(?<!`)`([^`]+)`(?!`)", line):
        words = [word for word in found[1].split() if not SETTING.match(word)]
        if len(words) > 1 and words[0] in PROGRAMS:
            yield Command(page, number, found[1].partition(" && ")[0], inline=True)


def everywhere() -> list[Command]:
    """Return the commands of all pages; those of the tutorials' blocks are run as they stand."""
    return [command for page in PAGES for command in commands(page)]
