"""What README and docs tell a reader to type is taken by the programs as they are today."""

import argparse
import functools
import importlib
import importlib.util
import inspect
import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest

from rewardkit.cli import COMMANDS, main
from rewardkit.config import load_config
from rewardkit.config.reference import look_up
from rewardkit.registry import TASKS, VERIFIERS

spec = importlib.util.spec_from_file_location("commands", Path(__file__).with_name("commands.py"))
pages = importlib.util.module_from_spec(spec)
sys.modules["commands"] = pages
spec.loader.exec_module(pages)
ROOT = pages.ROOT

ELSEWHERE = {
    "pip": "installs; .ci/run, the Makefile and tools/resolve_gpu.py do",
    "uv": "installs, as pip does",
    "sh": "needs GPUs; tests/verl/launcher reads what the scripts start",
    "torchrun": "needs as many devices; tests/native/distributed starts two processes so",
    "curl": "asks a server; tests/serving asks it in the same words",
    "make": "a target; .ci/run and CONTRIBUTING.md say which and when",
    "pytest": "tests; by hand where a GPU is needed",
    "hf": "fetches data from the hub, or publishes there",
    "vllm": "serves until it is stopped; tests/vllm_servers.py starts the same server",
    "python": "measures for minutes; its parser takes it, see below",
    "rewardkit": "parsed here; what takes seconds is run in test_commands_run.py",
}
"""Program -> why its commands are not all run here, and what runs them."""
IN_THE_REPOSITORY = re.compile(
    r"(examples|tests|benchmarks|tools|experiments|docs)/|constraints\S*\.txt$"
)

ALL = pages.everywhere()
BLOCKS = [command for command in ALL if not command.inline]


def of(program, commands=ALL):
    return [command for command in commands if command.words[0] == program]


def test_every_line_of_a_block_is_a_command_that_is_looked_at():
    assert len(BLOCKS) > 80
    assert [str(c) for c in BLOCKS if c.words[0] not in ELSEWHERE] == []
    assert [str(c) for c in of("python", BLOCKS) if not script(c)] == []


def test_every_command_is_shown():
    shown = {words[0] for command in ALL if (words := from_rewardkit(command))}
    assert {name.split()[0] for name in COMMANDS} <= shown


def test_paths_of_the_repository_are_there():
    for command in ALL:
        for word in command.words:
            if IN_THE_REPOSITORY.match(word):
                assert list(ROOT.glob(word.partition("::")[0])), str(command)


def called(words, monkeypatch):
    """Give words to the command line, and return what its command would be called with."""
    name = " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else words[0]
    module, _, attribute = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(module), attribute)
    got = {}

    @functools.wraps(command)
    def instead(*args, **settings):
        bound = inspect.signature(command).bind(*args, **settings)
        bound.apply_defaults()
        got.update(bound.arguments)

    monkeypatch.setattr(f"{module}.{attribute}", instead)
    main(words)
    monkeypatch.undo()
    return name, got


def from_rewardkit(command):
    """Return what follows `rewardkit`, also where torchrun or python starts it; None elsewhere."""
    words = command.words
    if words[0] == "rewardkit":
        return words[1:]
    if "-m" in words and words[words.index("-m") + 1 :][:1] == ["rewardkit"]:
        return words[words.index("-m") + 2 :]
    return None


@pytest.mark.parametrize("page", sorted({command.page for command in BLOCKS}))
def test_rewardkit_takes_its_commands(page, monkeypatch, tmp_path, capsys):
    for command in (c for c in BLOCKS if c.page == page):
        words = from_rewardkit(command)
        if words is None:
            continue
        try:
            name, got = called(words, monkeypatch)
        except SystemExit:
            pytest.fail(f"{command}\n{capsys.readouterr().err}")
        assert "this is now" not in capsys.readouterr().err, f"{command}: an old spelling"
        settings_exist(command, name, got, tmp_path)


def settings_exist(command, name, got, folder):
    """Assert that keys of `--set`, tasks and verifiers by name are known."""
    given = got.get("set") or ()
    if name in ("train", "plan"):
        file = folder / "run.toml"
        file.write_text('folder = "run"\nsteps = 1\n')
        known = got.get("config") and (ROOT / got["config"]).exists()
        load_config(ROOT / got["config"] if known else file, given)
    else:
        for pair in given:
            key = pair.partition("=")[0]
            assert look_up(re.sub(r"^(task\.(?:args|columns))\..*", r"\1", key)), str(command)
    tasks = got.get("task") or ()
    for one in ",".join([tasks] if isinstance(tasks, str) else tasks).split(","):
        local = not one or re.match(r"(file|hf|reasoning_gym):|\w+:\w+$|\w+\.toml$", one)
        assert local or one.partition("=")[0] in TASKS.names(), str(command)
    verifier = got.get("verifier")
    if isinstance(verifier, str) and ":" not in verifier:
        assert verifier in VERIFIERS.names(), str(command)


def test_commands_between_backticks_exist_with_their_options():
    for command in (c for c in ALL if c.inline):
        words = from_rewardkit(command)
        if not words or words[0] == "COMMAND":
            continue
        assert words[0] in COMMANDS, str(command)
        name = " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else words[0]
        shared = options("eval") if "--ask" in options(name) else set()
        for word in words:
            if word.startswith("--") and word != "--help":
                assert word in options(name) | shared, f"{command}: {name} has no {word}"


@functools.cache
def options(name):
    """Return the flags of a command, as its help has them."""
    import contextlib
    import io

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        main([*name.split(), "--help"])
    return set(re.findall(r"--[\w-]+", said.getvalue()))


def test_targets_extras_and_markers_exist():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].keys()
    markers = " ".join(project["tool"]["pytest"]["ini_options"]["markers"])
    for command in ALL:
        words = command.words
        if words[0] == "make":
            assert set(words[1:]) <= targets, str(command)
        if words[0] in ("pip", "uv"):
            for asked in re.findall(r"(?:rewardkit|\.)\[([\w,-]+)\]", command.text):
                assert set(asked.split(",")) <= extras, str(command)
        if "pytest" in words and "-m" in words[words.index("pytest") :]:
            rest = words[words.index("pytest") :]
            assert f"{rest[rest.index('-m') + 1]}:" in markers, str(command)


def script(command):
    """Return the file that a command of python runs, or None where it runs none of ours."""
    words = command.words[1:]
    if words[0] == "-m" and words[1].startswith("benchmarks."):
        return ROOT / f"{words[1].replace('.', '/')}.py"
    return ROOT / words[0] if words[0].endswith(".py") else None


class Parsed(BaseException):
    """Ends a script where its arguments are read."""


@pytest.mark.docs
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "command", [c for c in of("python") if script(c) is not None], ids=lambda c: c.text
)
def test_scripts_take_their_arguments(command, monkeypatch, capsys):
    file = script(command)
    words = (
        command.words[command.words.index("-m") + 2 :]
        if "-m" in command.words
        else command.words[2:]
    )
    if "ArgumentParser(" not in file.read_text():
        assert words == [], f"{command}: the script reads no arguments"
        return
    read = argparse.ArgumentParser.parse_args

    def parse_args(self, *args):
        raise Parsed(read(self, *args))

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_args)
    monkeypatch.setattr(sys, "argv", [str(file), *words])
    monkeypatch.setattr(sys, "path", [str(ROOT), str(file.parent), *sys.path])
    try:
        with pytest.raises(Parsed):
            runpy.run_path(str(file), run_name="__main__")
    except SystemExit:
        pytest.fail(f"{command}\n{capsys.readouterr().err}")
