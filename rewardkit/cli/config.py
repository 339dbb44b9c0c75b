"""`rewardkit config`: what can be set, what it is by default, and what it means."""

from __future__ import annotations

import tyro
from rich.markup import escape
from rich.padding import Padding

from rewardkit.config.reference import Section, Setting, look_up, sections
from rewardkit.errors import MissingExtraError
from rewardkit.pages.console import Console
from rewardkit.registry import SETTINGS

TERMS_SECTION = "recipe.shaping.N"


def config(keys: tyro.conf.Positional[tuple[str, ...]] = ()) -> None:
    """List the settings of a run, or explain some.

    Args:
        keys: sections or settings, such as optim or recipe.clip_high; all sections by default.
            recipe.shaping lists the shaping terms with their options as well.
    """
    console = Console(highlight=False)
    if not keys:
        for section in sections():
            named = f"[{section.name}]" if section.name else "(above all sections)"
            console.print(f"[bold]{escape(named)}[/bold] {escape(section.meaning)}")
            usual, advanced = (
                ", ".join(s.key.rpartition(".")[2] for s in section.settings if s.advanced is kind)
                for kind in (False, True)
            )
            lines = [usual, f"[dim]advanced: {advanced}[/dim]" if advanced else ""]
            console.print(Padding("\n".join(filter(None, lines)), (0, 0, 1, 4)))
        console.print("`rewardkit config KEY` says more of a section or a setting.")
        return
    found = [(key, look_up(key)) for key in keys]  # a key that is not there is told at once
    elsewhere = _elsewhere()
    for key, held in found:
        for section in held:
            _explain(console, section, elsewhere)
            if section.name == TERMS_SECTION and "shaping" in key:  # and not all of [recipe]
                _explain_terms(console)


def _explain(console: Console, section: Section, elsewhere: dict[str, dict[str, str]]) -> None:
    for one in section.settings:
        default = one.default or "must be given"
        console.print(f"[bold]{one.key}[/bold] ({escape(one.type)}; default: {escape(default)})")
        lines = [one.meaning]
        for backend, found in elsewhere.items():
            if said := of_setting(one, found):
                lines.append(f"{backend}: {said}")
        console.print(Padding(escape("\n".join(lines)), (0, 0, 1, 4)))


def _explain_terms(console: Console) -> None:
    from rewardkit.shaping.reference import described_terms

    console.print("The terms, each with its `options`:")
    for term in described_terms():
        console.print(f"[bold]{term.name}[/bold] {escape(term.meaning)}")
        lines = [
            f"{one.name} ({f'default: {one.default}' if one.default else 'must be given'}): "
            f"{one.meaning}"
            for one in term.options
        ]
        if lines:
            console.print(Padding(escape("\n".join(lines)), (0, 0, 0, 4)))


def of_setting(setting: Setting, found: dict[str, str]) -> str:
    """Return what is said of a setting, or of the section around it."""
    around = (key for key in found if key.endswith(".") and setting.key.startswith(key))
    return found.get(setting.key) or next((found[key] for key in around), "")


def _elsewhere() -> dict[str, dict[str, str]]:
    """Return what becomes of the settings in each backend that is installed."""
    found = {}
    for backend in SETTINGS.names():
        try:
            found[backend] = SETTINGS.get(backend)()
        except MissingExtraError:
            continue
    return found
