"""What is public: the names of these modules, and what their classes hold, as griffe reads them.

A module's public names are those of its `__all__`, else what it defines without a leading `_`; a
class's are its methods, properties and attributes. The pages of the reference show all of them.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import griffe

from rewardkit.recipes import Recipe

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {
    "rewardkit": ROOT,
    "rewardkit_native": ROOT / "backends",
    "rewardkit_verl": ROOT / "backends",
    "rewardkit_verl_cpu": ROOT / "backends",
    "rewardkit_tasks": ROOT / "tasks",
}
"""Package -> the folder that it lies in."""
MODULES: dict[str, tuple[str, tuple[str, ...]]] = {
    "tasks-and-verdicts": (
        "Tasks and verdicts",
        (
            "rewardkit.api", "rewardkit.types", "rewardkit.shaping.response_steps",
            "rewardkit.checks", "rewardkit.registry", "rewardkit.tasks.loading", "rewardkit.errors",
        ),
    ),
    "verifiers": ("Verifiers", ("rewardkit.verifiers", "rewardkit.judging")),
    "environments": ("Environments and tools", ("rewardkit.environments",)),
    "advantages": ("Advantages", ("rewardkit.advantages",)),
    "losses": ("Losses", ("rewardkit.losses",)),
    "shaping": (
        "Reward shaping",
        ("rewardkit.shaping.terms", "rewardkit.shaping.lengths", "rewardkit.shaping"),
    ),
    "sampling": (
        "Sampling",
        (
            "rewardkit.sampling", "rewardkit.sampling.problems", "rewardkit.sampling.counts",
            "rewardkit_native.sampling.sampler",
        ),
    ),
    "recipes-api": ("Recipes", ("rewardkit.recipes", "rewardkit.training_step.rehearsal")),
    "training-step": ("A training step", ("rewardkit.training_step",)),
    "guards": ("Guards", ("rewardkit.guards",)),
    "runs": (
        "Files of a run",
        ("rewardkit.runs", "rewardkit.runs.results", "rewardkit.runs.graded_rows"),
    ),
    "configuration": ("Configuration", ("rewardkit.config",)),
    "integrations": ("Adapters", ("rewardkit.integrations.*",)),
    "drop-in": (
        "Drop-ins",
        (
            "rewardkit.drop_in", "rewardkit.drop_in.trl", "rewardkit.drop_in.verl.math_verify",
            "rewardkit.drop_in.verl.math_dapo", "rewardkit.drop_in.lighteval",
            "rewardkit.drop_in.inspect",
        ),
    ),
    "curation-api": ("Overlap with training data", ("rewardkit.curation.contamination",)),
    "engines": (
        "Engines of an evaluation", ("rewardkit.evaluation.engines.base", "rewardkit.client"),
    ),
    "statistics": ("Statistics", ("rewardkit.evaluation.statistics.*",)),
}  # fmt: skip
"""Page -> (its title, whose public names it documents); `.*` stands for the modules inside."""
MADE_OF = {
    "rewardkit/config/sections.py": "settings",
    "rewardkit/cli": "commands",
    "tools/pieces.py": "pieces",
}
"""Source -> the page that is made of it."""
INSIDE = {
    "rewardkit.__main__", "rewardkit.audit", "rewardkit.cli", "rewardkit.columns",
    "rewardkit.curation", "rewardkit.data", "rewardkit.evaluation.asking",
    "rewardkit.evaluation.comparing", "rewardkit.evaluation.drawing",
    "rewardkit.evaluation.engines", "rewardkit.evaluation.measures", "rewardkit.evaluation.models",
    "rewardkit.evaluation.pages", "rewardkit.evaluation.samples", "rewardkit.evaluation.session",
    "rewardkit.evaluation.stored", "rewardkit.files", "rewardkit.golds", "rewardkit.options",
    "rewardkit.pages", "rewardkit.planning", "rewardkit.report", "rewardkit.serving",
    "rewardkit.tables", "rewardkit.tasks", "rewardkit.validation", "rewardkit_native",
    "rewardkit_tasks", "rewardkit_verl", "rewardkit_verl_cpu",
}  # fmt: skip
"""Modules and packages whose names are nobody's but ours: they may change without a word."""


@cache
def source() -> griffe.ModulesCollection:
    """Return all packages as griffe reads them."""
    loader = griffe.GriffeLoader(search_paths=list(dict.fromkeys(FOLDERS.values())))
    for package in FOLDERS:
        loader.load(package)
    return loader.modules_collection


def modules(page: str) -> Iterator[griffe.Module]:
    """Yield the modules of a page."""
    for name in MODULES[page][1]:
        module = source()[name.removesuffix(".*")]
        inside = module.modules.values() if name.endswith(".*") else [module]
        yield from (one for one in inside if not one.name.startswith("_"))


def exports(module: griffe.Module) -> list[str] | None:
    """Return the names of a module's `__all__`, or None where it has none."""
    if module.exports:
        return [str(name) for name in module.exports]
    if "__all__" not in module.members:
        return None
    # Packages that import a name when it is used list them in one dictionary.
    return sorted(ast.literal_eval(str(module.members["_HOMES"].value)))


def names(module: griffe.Module) -> Iterator[griffe.Object]:
    """Yield what a module makes public, where it is defined."""
    listed = exports(module)
    if listed is not None:
        for name in listed:
            member = module.members[name]
            yield member.final_target if member.is_alias else member
        return
    for name, member in module.members.items():
        if not name.startswith("_") and not (
            member.is_alias or member.is_module or _is_type(member)
        ):
            yield member


def _is_type(member: griffe.Object) -> bool:
    """Return whether a name is a type variable."""
    return member.is_attribute and str(member.value).startswith(("TypeVar(", "ParamSpec("))


def members(owner: griffe.Object) -> Iterator[griffe.Object]:
    """Yield an object, and what is public in it where it is a class."""
    yield owner
    if owner.is_class:
        for name, member in owner.members.items():
            if not (name.startswith("_") or member.is_alias):
                yield from members(member)


def surface() -> list[griffe.Object]:
    """Return every public name with all that its classes hold, once each."""
    found = {
        one.path: one
        for page in MODULES
        for module in modules(page)
        for owner in names(module)
        for one in members(owner)
    }
    return list(found.values())


def unsaid() -> Iterator[str]:
    """Yield each module that is neither on a page nor inside, nor within such a one.

    A package on a page decides of the modules in it: what its `__all__` lacks is inside.
    """
    said = {name.removesuffix(".*") for _, names in MODULES.values() for name in names} | INSIDE
    for one in defined():
        path = one.path.split(".")
        ways = {".".join(path[:length]) for length in range(1, len(path) + 1)}
        holds = any(name.startswith(f"{one.path}.") for name in said)  # its modules say it
        if one.is_module and not (ways & said or holds):
            yield one.path


def is_documented(one: griffe.Object) -> bool:
    """Return whether an object has a docstring, or is explained where its owner's names it.

    A field may stand in its class's `Args` or `Attributes`, or between backticks in its text; a
    second name of a member is documented by that member, a recipe by its paper and equation.
    """
    if one.has_docstring or not one.is_attribute or one.path in recipes():
        return one.has_docstring or one.is_attribute
    owner = one.parent
    if owner is None or not owner.is_class:
        return False
    said = owner.docstring.value if owner.docstring else ""
    listed = re.search(rf"^ +{one.name}: ", said, re.MULTILINE)
    return f"`{one.name}`" in said or listed is not None or str(one.value) in owner.members


@cache
def recipes() -> dict[str, Recipe]:
    """Return the published recipes by the name of where they are defined."""
    home = vars(importlib.import_module("rewardkit.recipes.published"))
    found = {name: value for name, value in home.items() if isinstance(value, Recipe)}
    return {f"rewardkit.recipes.published.{name}": value for name, value in found.items()}


def defined() -> Iterator[griffe.Object]:
    """Yield every module, class, function and method of all packages without a leading `_`."""
    waiting: list[griffe.Object] = [source()[package] for package in FOLDERS]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [
            member
            for name, member in one.members.items()
            if not (name.startswith("_") or member.is_alias or member.is_attribute)
        ]


def page_of(path: str) -> str | None:
    """Return the page of the reference on what stands at a path in the repository."""
    for page, (_, modules) in MODULES.items():
        for name in modules:
            home = FOLDERS[name.partition(".")[0]].joinpath(*name.removesuffix(".*").split("."))
            if ROOT / path in (home, home.with_suffix(".py")):
                return page
    return MADE_OF.get(path)
