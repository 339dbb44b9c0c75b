"""What a folder names is not imported: only a person's command line chooses code."""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import suppress

import pytest
from rewardkit_test_calls import Says

from rewardkit.cli import main
from rewardkit.config import RunConfig, TaskConfig, config_to_toml
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.session import evaluate_model

EVIL = "planted_by_a_folder:touch"
PLANTED = (
    "from pathlib import Path\nPath({!r}).touch()\ndef touch(response, answer):\n    return True\n"
)


@pytest.fixture
def mark(tmp_path, monkeypatch):
    """Return the file that exists once the module which the folder names was imported."""
    mark = tmp_path / "ran"
    (tmp_path / "planted_by_a_folder.py").write_text(PLANTED.format(str(mark)))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "planted_by_a_folder", raising=False)
    return mark


@pytest.fixture
def folder(tmp_path, problems_file):
    """Return what an honest evaluation wrote."""
    made = tmp_path / "evaluation"
    evaluate_model(
        EvalSettings("m", (f"file:{problems_file}",), made, samples=1, workers=1), engine=Says("2")
    )
    return made


def changed(folder, **settings):
    path = folder / "prompts.json"
    record = json.loads(path.read_text())
    record["settings"].update(settings)
    path.write_text(json.dumps(record))


SETTINGS = {
    "the verifier that was asked for": {"asking": {"verifier": EVIL}},
    "the task": {"tasks": [EVIL]},
    "a set's argument": {"task_arguments": {"verifier": EVIL}},
    "a setting": {"task_settings": [f"task.verifier={EVIL}"]},
    "a verifier's option": {
        "task_settings": ["task.verifier=agreement", f"task.verifier_options.second={EVIL}"]
    },
    "another task's argument": {"tasks": ["deepscaler"], "task_arguments": {"test": EVIL}},
    "a key for a server": {
        "task_settings": [
            "task.verifier=judge",
            "task.verifier_options.base_url=http://127.0.0.1:9",
            "task.verifier_options.api_key_env=HOME",
        ]
    },
    "programs": {
        "task_settings": ["task.verifier=code", "task.verifier_options.run_programs=true"]
    },
    "a task of programs": {"tasks": ["mbpp"], "task_arguments": {"run_programs": True}},
}
COMMANDS = ("regrade RUN --no-report", "lengths RUN --no-report")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("where", SETTINGS)
def test_a_folder_names_no_code(folder, mark, capsys, where, command):
    changed(folder, **SETTINGS[where])
    with pytest.raises(SystemExit) as ended:
        main(["eval", *shlex.split(command.replace("RUN", str(folder)))])
    said = capsys.readouterr().err
    assert (ended.value.code, mark.exists()) == (2, False)
    assert "prompts.json names the" in said
    assert "--trust" in said


def test_what_is_trusted_or_typed_is_imported(folder, mark, capsys):
    main(["eval", "regrade", str(folder), "--no-report", "--verifier", EVIL])
    assert mark.exists()
    changed(folder, asking={"verifier": EVIL})
    main(["eval", "regrade", str(folder), "--no-report", "--trust"])
    assert capsys.readouterr().out.count(f"graded by {EVIL}") == 2


def test_a_run_in_the_place_of_a_task_names_no_code(tmp_path, mark, capsys):
    run = tmp_path / "run"
    run.mkdir()
    (run / "manifest.json").write_text("{}")
    (run / "config.toml").write_text(f'[task]\nname = "{EVIL}"\n')
    with pytest.raises(SystemExit):
        main(["eval", "--model", "m", "--engine", "openai", "--task", str(run)])
    assert (mark.exists(), "config.toml names the task" in capsys.readouterr().err) == (False, True)


@pytest.mark.parametrize(
    "task", [{"name": EVIL}, {"name": "sums", "verifier": EVIL}, {"verifier": EVIL}]
)
def test_an_audit_of_a_run_imports_nothing_that_it_names(tmp_path, problems_file, mark, task):
    run = tmp_path / "run"
    run.mkdir()
    config = RunConfig(
        str(run), steps=3, task=TaskConfig(**{"name": f"file:{problems_file}", **task})
    )
    (run / "config.toml").write_text(config_to_toml(config))
    row = {"step": 1, "problem": "p", "gold": "2", "response": "2", "outcome": "correct"}
    (run / "rollouts.jsonl").write_text(json.dumps(row) + "\n")
    with suppress(SystemExit):  # with 1, for what it found
        main(
            [
                "audit",
                "text",
                "--run",
                str(run),
                "--no-report",
                "--problems",
                "1",
                "--out",
                str(tmp_path / "out"),
            ]
        )
    assert (tmp_path / "out" / "audit.json").exists()
    assert not mark.exists()


@pytest.mark.parametrize(
    "command", ["regrade RUN", "lengths RUN --at 2", "export RUN --to parquet,lighteval"]
)
def test_no_link_of_a_folder_leads_what_is_written_elsewhere(folder, tmp_path, command):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").write_text("as it was")
    for name in ("report.html", "results.json", "samples.parquet", "samples.jsonl"):
        (folder / f".{name}.part").symlink_to(elsewhere / "file")
    (folder / "samples.unfinished").symlink_to(elsewhere / "file")
    (folder / "report.html").unlink(missing_ok=True)
    (folder / "report.html").symlink_to(elsewhere / "file")
    (folder / "lighteval").symlink_to(elsewhere)
    (elsewhere / "torn").write_text("a last line without an end")
    for target in ("torn", "new"):
        (folder / "regrades.jsonl").unlink(missing_ok=True)
        (folder / "regrades.jsonl").symlink_to(elsewhere / target)
        with suppress(SystemExit):
            main(["eval", *shlex.split(command.replace("RUN", str(folder)))])
    (folder / "regrades.jsonl").unlink()
    with suppress(SystemExit):
        main(["eval", *shlex.split(command.replace("RUN", str(folder)))])
    assert sorted(one.name for one in elsewhere.iterdir()) == ["file", "torn"]
    assert (elsewhere / "torn").read_text() == "a last line without an end"
    assert (elsewhere / "file").read_text() == "as it was"


def test_another_users_run_is_not_resumed(tmp_path, mark, capsys, monkeypatch):
    (tmp_path / "config.toml").write_text(f'[task]\nname = "{EVIL}"\n')
    monkeypatch.setattr(os, "getuid", lambda: 4321)
    with pytest.raises(SystemExit):
        main(["train", "--resume", str(tmp_path)])
    assert (mark.exists(), "belongs to another user" in capsys.readouterr().err) == (False, True)


def test_a_folder_that_one_stands_in_is_searched_last(tmp_path, monkeypatch):
    (tmp_path / "jinja2.py").write_text("raise SystemExit('ran')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "jinja2", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(["report", str(tmp_path)])
    assert ended.value.code == 2
