"""The pages of the reference: settings, commands and every public name, as Markdown."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

import griffe
import public

EXITS = """
| exit code | says |
|---|---|
| 0 | done |
| 1 | `audit` or `tasks check` found something, `grade` or `eval responses` could grade no row |
| 2 | it cannot be done, and standard error says why and what to type |
| 3 | samples are missing (`eval`, `eval sweep`, `curate rate`): the same command draws them |
| 4 | a training run that its own guard ended ([what is left](../keep-a-run.md)) |
| 130, 129, 143 | Ctrl-C, a closed terminal, SIGTERM; the same command, or `--resume`, goes on |
""".strip()
"""What a script that calls a command reads."""


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    made = {page: _api(page, title) for page, (title, _) in public.MODULES.items()}
    return {"settings": _settings(), "commands": _commands(), "pieces": _pieces(), **made}


def shown() -> list[str]:
    """Return the full name of all that a page must have an entry for.

    A field without a docstring of its own is explained in its class's, and has none.
    """
    return [
        one.path
        for one in public.surface()
        if one.has_docstring and one.path not in public.recipes()
    ]


def _api(page: str, title: str) -> str:
    recipes = public.recipes()
    modules = list(public.modules(page))
    homes = ", ".join(f"`{module.path}`" for module in modules)
    lines = [f"# {title}", "", f"Every public name of {homes}.", ""]
    written = set()
    for module in modules:
        lines += [f"## `{module.path}`", "", _summary(module), ""]
        for one in public.names(module):
            if one.path in written:  # a package hands on what a module of the page defines
                continue
            written.add(one.path)
            if recipe := recipes.get(one.path):
                lines += [
                    f"### `{one.name}`",
                    "",
                    f"{recipe.paper}.",
                    "",
                    f"`{recipe.equation}`",
                    "",
                ]
            else:
                lines += [f"::: {one.path}", ""]
    return "\n".join(lines)


def _summary(module: griffe.Module) -> str:
    said = module.docstring.value if module.docstring else ""
    return said.partition("\n\n")[0].replace("\n", " ")


def _pieces() -> str:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import pieces

    return f"""# All pieces

Every estimator, surrogate, aggregation, KL, correction and term: its paper, which backend runs it,
what verl 0.9.1 and TRL 1.16.0 call it, and what its values and gradients are tested against.

{pieces.table()}
"""


def _settings() -> str:
    from rewardkit.cli.config import of_setting
    from rewardkit.config.reference import Setting, sections
    from rewardkit_verl.keys.reference import becomes

    verl = becomes()
    lines = [
        "# Settings",
        "",
        "Every key of a run's configuration file; `--set a.b=c` sets one on the command line, and",
        "`rewardkit config KEY` prints what is said here.",
        "",
    ]

    def explained(one: Setting) -> list[str]:
        default = f"`{one.default}`" if one.default else "must be given"
        said = of_setting(one, verl)
        found = [f"### `{one.key}`", "", f"{one.type}; default: {default}.", "", one.meaning]
        return [*found, *(["", f"verl: {said}."] if said else []), ""]

    later: list[str] = []
    for section in sections():
        title = f"[{section.name}]" if section.name else "Above all sections"
        lines += [f"## {title}", "", section.meaning, ""]
        for one in section.settings:
            (later if one.advanced else lines).extend(explained(one))
    lines += ["## Advanced", "", "Settings that a first year does without.", "", *later]
    return "\n".join(lines)


def _commands() -> str:
    from rewardkit.cli import COMMANDS, main

    os.environ["COLUMNS"] = "96"
    os.environ["NO_COLOR"] = "1"
    lines = ["# Commands", "", "What `rewardkit COMMAND --help` prints.", "", EXITS, ""]
    for command, (_, summary) in COMMANDS.items():
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
            main([*command.split(), "--help"])
        lines += [f"## rewardkit {command}", "", f"{summary[0].upper()}{summary[1:]}.", ""]
        lines += ["```text", said.getvalue().rstrip(), "```", ""]
    return "\n".join(lines)
