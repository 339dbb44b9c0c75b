"""Old spellings of commands and flags, and what they are now: one table, said in one line."""

from __future__ import annotations

from rewardkit.errors import ConfigError

WORDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("compare", "sequential"): ("compare", "--sequential"),
    ("eval", "export"): ("report",),
    ("eval", "lengths"): ("eval", "regrade"),
    ("matrix",): ("compare", "--matrix"),
    ("model", "fetch"): ("fetch",),
    ("model", "list"): ("fetch",),
    ("model",): ("fetch",),
    ("plan",): ("train", "--plan"),
    ("rate", "merge"): ("curate", "merge"),
    ("rate",): ("curate", "rate"),
    ("validate",): ("tasks", "check"),
}
"""First words of a command line -> what stands in their place."""
UNSAID: dict[tuple[str, ...], tuple[str, str]] = {
    ("eval", "export"): ("--to", "parquet"),
    ("eval", "lengths"): ("--at", "halvings"),
}
"""Old command -> a flag that is needed now, and what it was by default."""
_BOUNDS = ("false-accepts", "own-golds", "strategies", "faults", "writings", "seconds")
_DRAWING = ("eval", "eval sweep", "compare", "curate rate")
_PAGES = ("eval", "eval regrade", "compare", "audit")
FLAGS: dict[tuple[str, str], tuple[str, ...]] = {
    **{(name, "--task-args"): ("--set", "task.args.{}") for name in (*_DRAWING, "audit")},
    **{(name, "--report"): () for name in _PAGES},
    **{(name, "--no-report"): () for name in _PAGES},
    ("audit", "--accepted-from"): ("--allow", "score={}"),
    ("audit", "--reference"): ("--set", "task.reference={}"),
    ("audit", "--run"): ("--responses", "{}"),
    **{("audit", f"--{name}"): ("--allow", f"{name.replace('-', '_')}={{}}") for name in _BOUNDS},
    ("compare", "--run-dir"): ("--out", "{}"),
    ("eval regrade", "--at"): ("--lengths", "{}"),
    ("tasks check", "--reference"): ("--set", "task.reference={}"),
}
"""(command, old flag) -> what stands in its place; {} is its value, and nothing is needed now."""
MOVED = {
    ("eval", "--from-responses"): "responses",
    ("eval", "--sweep"): "sweep",
    ("verify", "--cases"): "cases",
}
"""(command, old flag) -> the second word that it is now, with its value as the first argument."""
GONE: dict[tuple[str, ...], str] = {
    ("eval", "overlap"): "a function, rewardkit.curation.contamination.contamination_of_run(RUN, "
    "[TASK, ...]); before training, `rewardkit curate TABLE --against TASK` drops such problems",
}
"""Commands that are none any more, and what serves instead."""


def renew(arguments: list[str]) -> list[str]:
    """Return a command line in today's spelling.

    Raises:
        ConfigError: the command is none any more.

    >>> renew(["validate", "mine:task", "--reference", "worked"])
    ['tasks', 'check', 'mine:task', '--set', 'task.reference=worked']
    >>> renew(["eval", "lengths", "runs/m", "--no-report"])
    ['eval', 'regrade', 'runs/m', '--lengths', 'halvings']
    >>> renew(["eval", "--regrade", "--model", "m"])
    ['eval', 'regrade', 'eval-runs/m']
    >>> renew(["tasks", "aime24"])
    ['tasks', 'aime24']
    """
    arguments = _moved(list(arguments))
    for count in (2, 1):
        old = tuple(arguments[:count])
        if old in GONE:
            raise ConfigError(f"`rewardkit {' '.join(old)}` is now {GONE[old]}")
        if old in WORDS:
            rest = arguments[count:]
            flag, usual = UNSAID.get(old, ("", ""))
            if flag and not {"-h", "--help"} & {*rest} and all(flag != _name(w) for w in rest):
                rest += [flag, usual]
            arguments = [*WORDS[old], *rest]
            break
    plain = [word for word in arguments[:2] if not word.startswith("-")]
    return _flags(arguments, {" ".join(plain), plain[0]})


def _flags(arguments: list[str], commands: set[str]) -> list[str]:
    found, words = [], iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        now = next((FLAGS[one] for of in commands if (one := (of, _name(name))) in FLAGS), None)
        if now is None:
            found.append(word)
            continue
        if any("{" in part for part in now) and not equals:
            value = next(words, "")
        found += [part.format(value) for part in now]
    return found


def _name(word: str) -> str:
    return word.partition("=")[0].replace("_", "-")


def _moved(arguments: list[str]) -> list[str]:
    """Return a command line without flags that changed all others: they are second words now."""
    command, *rest = arguments
    for (of, flag), word in MOVED.items():
        if of == command and (value := _take(rest, flag)) is not None:
            return [command, word, value, *rest]
    if command != "eval" or "--regrade" not in rest:
        return [command, *(word for word in rest if (command, word) != ("eval", "--no-regrade"))]
    rest.remove("--regrade")
    folder = _take(rest, "--run-dir")
    if folder is None and (model := _take(rest, "--model")) is not None:
        from rewardkit.cli.options.asking import default_folder

        folder = str(default_folder(model))
    return [command, "regrade", *([] if folder is None else [folder]), *rest]


def _take(rest: list[str], flag: str) -> str | None:
    """Remove `flag VALUE` or `flag=VALUE`, and return the value; None where it is not there."""
    for place, found in enumerate(rest):
        name, equals, value = found.partition("=")
        if name.replace("_", "-") == flag:
            if equals:
                del rest[place]
                return value
            if place + 1 < len(rest):
                del rest[place]
                return rest.pop(place)
    return None
