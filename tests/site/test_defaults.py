"""A default that a page of the docs states is the program's: of a setting, an option, a flag."""

import dataclasses
import functools
import importlib
import inspect
import json
import re
from pathlib import Path

import pytest

from rewardkit.cli import COMMANDS
from rewardkit.cli.audit import ALLOWED
from rewardkit.config.reference import sections
from rewardkit.recipes import RECIPES
from rewardkit.verifiers import MathVerifier

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PINS = ("constraints.txt", "constraints-vllm.txt", "Makefile", "pyproject.toml")
"""Files that say which versions the tests install."""
FLAG = re.compile(r"`(--[\w-]+)` \((½|[\d.,]+)( MiB| s)?\)")
"""`--flag` (N): what it is unless it is given."""
OF_PAGE = {
    "audit": "audit",
    "evaluation": "eval",
    "integrations": "serve",
    "tutorials/your-dataset": "curate",
}
"""Page -> whose flags it speaks of."""
NUMBERS = {"½": 0.5, "none": None, "()": ()}


def said(cell):
    """Return the value that a cell of a table begins with: `"last"`, 0.5, `[]`, 1 (any)."""
    text = re.match(r"`([^`]+)`|(\S+)", cell)
    text = text[1] or text[2]
    if text in NUMBERS:
        return NUMBERS[text]
    try:
        return json.loads(text.lower() if text in ("True", "False") else text)
    except json.JSONDecodeError:
        return text


def tables(page):
    """Yield (heading, first cell, cell under `default`) of each row of a table with defaults."""
    heading, column = "", None
    for line in page.read_text("utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if "default" in cells:
            column = cells.index("default")
        elif column is not None and not set(line) <= set("|- "):
            yield heading, cells[0].strip("`"), cells[column]


@functools.cache
def settings():
    return {one.key: one.default for section in sections() for one in section.settings}


def flags(of):
    """Return the defaults of a command's flags by their names, or of a dataclass's fields."""
    if isinstance(of, str):
        module, _, name = COMMANDS[of][0].partition(":")
        command = getattr(importlib.import_module(module), name)
        fields = [(p.name, p.default) for p in inspect.signature(command).parameters.values()]
    else:
        fields = [(field.name, getattr(of, field.name)) for field in dataclasses.fields(of)]
    found = {}
    for name, value in fields:
        found |= flags(value) if dataclasses.is_dataclass(value) else {name: value}
    return found


def default(page, heading, key):
    if key.startswith("--"):
        found, name = flags(OF_PAGE[page]), key[2:].replace("-", "_")
        return found[name] if name in found else found[f"{name}_s"]
    if page == "audit":
        return ALLOWED[key]
    if page == "verifiers":
        return flags(MathVerifier())[key]
    return json.loads(settings()[key if "." in key else f"{heading.lower()}.{key}"])


ROWS = [(page.stem, *row) for page in sorted(DOCS.glob("*.md")) for row in tables(page)]


def test_rows_are_found():
    assert {page for page, *_ in ROWS} >= {"audit", "keep-a-run", "native", "verifiers"}
    assert len(ROWS) >= 40


@pytest.mark.parametrize(("page", "heading", "key", "cell"), ROWS, ids=lambda word: word)
def test_a_default_of_a_table_is_the_programs(page, heading, key, cell):
    assert said(cell) == default(page, heading, key)


def test_a_default_behind_a_flag_is_the_programs():
    found = [
        (page, *flag)
        for page in OF_PAGE
        for flag in FLAG.findall((DOCS / f"{page}.md").read_text("utf-8"))
    ]
    assert len(found) >= 6
    for page, flag, number, unit in found:
        value = NUMBERS.get(number) or float(number) * (2**20 if unit == " MiB" else 1)
        assert default(page, "", flag) == value, f"{page}: {flag}"


def recipe_rows():
    """Yield the rows of the table of recipes: name -> its cells, without backticks."""
    for line in (DOCS / "recipes.md").read_text("utf-8").splitlines():
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 6:
            yield cells[0], cells[1:]


def test_the_table_of_recipes_is_the_programs():
    rows = dict(recipe_rows())
    assert rows.keys() == set(RECIPES)
    for name, (advantage, surrogate, aggregation, kl, rest) in rows.items():
        recipe = RECIPES[name]
        assert re.match(r"\w+", advantage)[0] == recipe.advantage, name
        assert re.match(r"\w+", surrogate)[0] == recipe.surrogate, name
        # Behind a letter stand constants of the surrogate itself: τ 1/1.05.
        if widths := re.search(r"(?<! [τkλ]) ([\d.e-]+)/([\d.e-]+)", surrogate):
            found = (float(widths[1]), float(widths[2]))
            assert found == (recipe.clip_low, recipe.clip_high), name
        assert aggregation == recipe.aggregation, name
        found = re.match(r"(\w+)[^×]* × ([\d.]+)", kl)
        assert (found and found[1], float(found[2]) if found else 0) == (
            recipe.kl if recipe.kl_coef else None, recipe.kl_coef,
        ), name  # fmt: skip
        assert ("in the reward" in kl) == (bool(found) and recipe.kl_in == "reward"), name
        updates = re.search(r"(\d+) minibatches", rest)
        assert (int(updates[1]) if updates else 1) == recipe.minibatches, name
        assert ("dynamic sampling" in rest) == recipe.filter_groups, name


def test_versions_tested_are_those_that_are_installed():
    text = (DOCS / "integrations.md").read_text("utf-8").partition("## Versions tested")[2]
    rows = re.findall(r"^\| ([^|]+) \| ([\d., ]+) \|", text, re.MULTILINE)
    assert len(rows) == 7
    pins = [(ROOT / name).read_text("utf-8") for name in PINS]
    for library, versions in rows:
        for version in re.split(r", ", versions.strip()):
            assert re.search(rf"[=>]={re.escape(version)}\b", "\n".join(pins)), library
