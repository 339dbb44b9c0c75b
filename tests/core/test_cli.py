"""Mistakes on the command line end in a sentence and status 2, never in a traceback."""

import dataclasses
import errno
import importlib
import inspect
import os
import subprocess
import sys
import typing
from collections import Counter
from pathlib import Path

import pytest

from rewardkit.cli import COMMANDS, main
from rewardkit.cli.eval import evaluate
from rewardkit.cli.fetch import ABOUT
from rewardkit.errors import GuardError, NoSignalError, TrainingError
from rewardkit.registry import BACKENDS

ROOT = Path(__file__).parents[2]
BARE = """
import importlib.machinery as machinery, sys
original = machinery.PathFinder.find_spec
def find_spec(name, path=None, target=None):
    missing = name.partition(".")[0] in ("torch", "transformers", "tokenizers", "jaxtyping")
    return None if missing else original(name, path, target)
machinery.PathFinder.find_spec = find_spec
from rewardkit.cli import main
main(sys.argv[1:])
"""
"""The command line of an installation without the extra `native`."""


def bare(folder, *arguments):
    paths = [str(ROOT), str(ROOT / "backends"), str(ROOT / "tasks")]
    code = f"import sys; sys.path[:0] = {paths!r}{BARE}"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"XDG_CACHE_HOME": str(folder), "REWARDKIT_CACHE": str(folder), "PATH": ""},
    )


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["eval", "--model", "runs/s", "--task", "arithmetic"], "native"),
        (["fetch", "tiny"], "native"),
        (["train", "run.toml"], "native"),
        (["train", "run.toml", "--backend", "verl", "--dry-run"], "verl"),
    ],
)
def test_without_torch_the_extra_is_named(tmp_path, arguments, extra):
    (tmp_path / "run.toml").write_text('folder = "r"\nsteps = 1\n')
    done = bare(tmp_path, *arguments)
    assert done.returncode == 2, done.stderr
    assert f"it comes with: pip install 'rewardkit[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("error", "status"),
    [(GuardError("kl is 11"), 4), (NoSignalError("all wrong"), 4), (TrainingError("disk"), 2)],
)
def test_a_run_that_ended_itself_has_a_status_of_its_own(tmp_path, monkeypatch, error, status):
    def train(config, **options):
        raise error

    monkeypatch.setattr(BACKENDS, "get", lambda name: train)
    (tmp_path / "run.toml").write_text('folder = "r"\nsteps = 1\n')
    with pytest.raises(SystemExit) as ended:
        main(["train", str(tmp_path / "run.toml")])
    assert ended.value.code == status


def test_a_full_disk_is_said_in_a_sentence_and_another_error_is_none(monkeypatch, capsys):
    from rewardkit.cli import recipes

    for code, kind in ((errno.ENOSPC, SystemExit), (errno.ENOENT, FileNotFoundError)):

        def fail(code=code):
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(recipes, "recipes", fail)
        with pytest.raises(kind):
            main(["recipes"])
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert "type the same command again" in said


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.EISDIR, errno.ENAMETOOLONG])
def test_a_path_that_is_refused_is_named(monkeypatch, capsys, code):
    from rewardkit.cli import recipes

    def fail():
        raise OSError(code, os.strerror(code), "some/where")

    monkeypatch.setattr(recipes, "recipes", fail)
    with pytest.raises(SystemExit, match="2"):
        main(["recipes"])
    assert f"error: some/where: cannot be read or written ({os.strerror(code)})" in (
        capsys.readouterr().err
    )


def test_a_bare_checkout_knows_its_version(monkeypatch, capsys):
    from importlib import metadata

    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    main(["--version"])
    assert capsys.readouterr().out == "0.2.0 (not installed)\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train"], "give a configuration file, or --resume RUN"),
        (["train", "a.toml", "--resume", "r"], "leave out a.toml"),
        (["train", "."], "is a folder, not a configuration file"),
        (["tasks", "arithmetic", "--show", "-1"], "--show must be 0 or more, found -1"),
        (["tasks", "--show", "2"], "--show is for the problems of one task"),
        (["verify", "cases", "a.jsonl", "--show", "1", "--json"], "give one of them"),
        (["evl"], "unknown command 'evl'; did you mean eval?"),
        (["eval", "regrade", "r", "--samples", "2"], "Unrecognized options: --samples"),
        (["eval", "responses", "f", "--engine", "fast"], "Unrecognized options: --engine"),
        (["compare", "a", "b", "--samples", "2"], "--samples says how a model is sampled"),
        (["compare"], "name evaluations"),
        (["compare", "a", "b", "c", "--sequential"], "compares two models, found 3"),
        (["compare", "a", "b", "--sequential"], "say what is asked"),
        (["eval", "overlap", "r"], "rewardkit.curation.contamination.contamination_of_run"),
        (["eval", "regrade", "r", "--lengths", "2k", "--verifier", "math"], "--lengths keeps"),
        (["verify", "--answer", "4", "--response", "4", "--verifier", "run.toml"], "[task] names"),
        (["report", "r", "--to", "excel"], "excel"),
        (["report", "r", "--to", "md", "--out", "o"], "leave out --out"),
        (["train", "--plan"], "give a configuration file"),
        (["train", f"{ROOT}/examples/arithmetic_dapo.toml", "--gpus", "4"], "are for --plan"),
        (
            ["verify", "--answer", "1", "--response", "1", "--show", "2"],
            "Unrecognized options: --show",
        ),
        (["eval", "--model", "m", "--base-url", "u"], "takes no --base-url; it is read by openai"),
        (["recipes", "show"], "takes 1 recipe name, found 0; type: rewardkit recipes show dapo"),
        (["recipes", "dapoo"], "'dapoo'; did you mean dapo"),
        (["recipes", "diff", "dapo"], "type: rewardkit recipes diff dapo grpo"),
        (
            ["recipes", "list", "dapo"],
            "takes no recipe names, found 1; type: rewardkit recipes list",
        ),
    ],
)
def test_a_mistake_ends_with_one_sentence(capsys, arguments, message):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["eval", "--regrade", "--run-dir", "r"], "eval regrade r"),
        (["eval", "--run-dir=r", "--regrade", "--workers", "1"], "eval regrade r --workers 1"),
        (["eval", "--model", "m/a", "--regrade"], "eval regrade eval-runs/m-a"),
        (["eval", "--from-responses", "f.jsonl"], "eval responses f.jsonl"),
        (["eval", "--from_responses=f.jsonl"], "eval responses f.jsonl"),
        (["eval", "--task", "file:none", "--sweep", "r s"], "eval sweep 'r s' --task file:none"),
        (["verify", "--cases", "f.jsonl"], "verify cases f.jsonl"),
        (
            ["compare", "sequential", "a", "b", "--task", "file:none", "--run-dir", "r"],
            "compare --sequential a b --task file:none --out r",
        ),
        (["compare", "a", "b", "--no-report"], "compare a b"),
        (
            [
                "audit",
                "text",
                "--run",
                "r",
                "--false-accepts=2",
                "--accepted-from",
                "1",
                "--report",
            ],
            "audit text --responses r --allow false_accepts=2 --allow score=1",
        ),
        (
            ["audit", "text", "--task", "file:none", "--reference", "x", "--task-args", "a=1"],
            "audit text --task file:none --set task.reference=x --set task.args.a=1",
        ),
        (["matrix", "a", "b", "--report"], "compare --matrix a b"),
        (["plan", "run.toml", "--gpus", "4"], "train --plan run.toml --gpus 4"),
        (["rate", "m", "--task", "t", "--out", "o.csv"], "curate rate m --task t --out o.csv"),
        (["rate", "merge", "a.jsonl", "--out", "b.csv"], "curate merge a.jsonl --out b.csv"),
        (
            ["validate", "file:none", "--reference=x"],
            "tasks check file:none --set task.reference=x",
        ),
        (["model", "fetch", "none"], "fetch none"),
        (["eval", "export", "r"], "report r --to parquet"),
        (["eval", "export", "r", "--to", "wandb"], "report r --to wandb"),
        (["eval", "lengths", "r", "--at", "2k"], "eval regrade r --lengths 2k"),
        (["eval", "lengths", "r"], "eval regrade r --lengths halvings"),
        (
            ["eval", "--model", "m", "--task", "file:none", "--task_args", "a=1"],
            "eval --model m --task file:none --set task.args.a=1",
        ),
    ],
)
def test_an_old_spelling_works_with_a_note(monkeypatch, capsys, tmp_path, old, new):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):  # nothing of that name is there
        main(old)
    error = capsys.readouterr().err
    assert error.startswith(f"note: this is now rewardkit {new}\n")
    assert "error: " in error


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_each_option_does(capsys, command):
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert f"usage: rewardkit {command} [-h]" in shown
    assert "None" not in shown


def declared(command):
    """Yield (class that declares it, flag) of each option of a command, those of groups as well."""
    module, _, name = COMMANDS[command][0].partition(":")
    function = getattr(importlib.import_module(module), name)
    hints = typing.get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        if dataclasses.is_dataclass(parameter.default):
            yield from of_group(type(parameter.default))
        elif "Positional" not in str(hints[parameter.name]):
            yield command, parameter.name


def of_group(group):
    hints = typing.get_type_hints(group, include_extras=True)
    for field in dataclasses.fields(group):
        home = next(
            c.__name__
            for c in reversed(group.__mro__)
            if field.name in vars(c).get("__annotations__", ())
        )
        if dataclasses.is_dataclass(hints[field.name]):
            yield from of_group(hints[field.name])
        elif "Suppress" not in str(hints[field.name]):
            yield home, field.name


def test_commands_and_flags_are_few():
    """A flag counts once for what declares it: a command, or a group that several commands share.

    `pytest -s` on this test prints the counts, and how many there are where only the group that
    says how a model is asked and sampled counts once.
    """
    flags = {command: set(declared(command)) for command in COMMANDS}
    users = Counter(home for found in flags.values() for home in {home for home, _ in found})
    own = {
        name: [flag for home, flag in found if users[home] == 1] for name, found in flags.items()
    }
    everywhere = set().union(*flags.values())
    asking = {one for one in everywhere if one[0] in ("Ask", "DecodingSettings", "EngineOptions")}
    strict = len(asking) + sum(len(found - asking) for found in flags.values())
    sys.stdout.write(f"{len(everywhere)} flags, {strict} if one group counts once; own: {own}\n")
    assert len({name.split()[0] for name in COMMANDS}) <= 14
    assert {name: len(found) for name, found in own.items() if len(found) > 12} == {}
    assert len(everywhere) <= 130


def test_a_file_says_how_a_model_is_asked(tmp_path, monkeypatch):
    file = tmp_path / "ask.toml"
    file.write_text(
        'samples = 3\nmax-tokens = "2k"\ntemperature = 0.5\nstop = "Q:"\ntimeout = 9\n'
        "chat-template-kwargs = { enable_thinking = false }\n"
    )
    got = []
    monkeypatch.setattr(evaluate, "settings_of", lambda *given: got.append(given) or exit(0))
    with pytest.raises(SystemExit):
        main(["eval", "--model", "m", "--ask", str(file), "--samples", "5", "--stop", "A:"])
    asked = got[0][3]
    assert (asked.samples, asked.max_tokens, asked.seed) == (5, "2k", 0)
    assert asked.chat_template_kwargs == ("enable_thinking=false",)
    assert (asked.decoding.temperature, asked.decoding.stop) == (0.5, ("Q:", "A:"))
    assert asked.engine_options.timeout_s == 9


@pytest.mark.parametrize(
    ("text", "said"),
    [("sampels = 3", "did you mean samples"), ("seed = 1.5", "a whole number"), ("seed", "TOML")],
)
def test_a_file_of_other_options_is_refused(tmp_path, capsys, text, said):
    (tmp_path / "ask.toml").write_text(text)
    with pytest.raises(SystemExit, match="2"):
        main(["eval", "--model", "m", "--ask", str(tmp_path / "ask.toml")])
    assert said in capsys.readouterr().err


def test_the_group_is_told_once(capsys):
    for command in ("eval", "curate rate"):
        with pytest.raises(SystemExit):
            main([*command.split(), "--help"])
    first, _, second = capsys.readouterr().out.partition("usage: rewardkit curate rate")
    assert "--temperature" in first
    assert "--temperature" not in second
    assert "--ask FILE.toml" in second


def test_every_model_that_is_shipped_is_told(capsys):
    main(["fetch"])
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said] == sorted(ABOUT) == ["smollm2-135m", "tiny"]
    assert "a million parameters, made here in seconds" in said[1]


def test_brackets_in_a_path_are_shown_as_they_are(tmp_path, capsys):
    folder = tmp_path / "odd [" / "bold]"  # the text of an end of rich's markup: [/bold]
    folder.mkdir(parents=True)
    file = folder / "rows.jsonl"
    file.write_text('{"problem": "1+1?", "answer": "2"}\n')
    main(["tasks", f"file:{file}"])
    assert "odd[/bold]/rows.jsonl" in "".join(capsys.readouterr().out.split())  # lines are folded
