"""Every example runs as it stands, with the tiny model and few steps in place of the real ones."""

import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rewardkit import registry
from rewardkit.cli import main

EXAMPLES = Path(__file__).parent.parent / "examples"
SMALL = [
    "--set", "steps=1", "--set", "sampling.problems=2", "--set", "sampling.max_tokens=8",
    "--set", "model.dtype=float32", "--set", "eval.problems=2", "--set", "eval.samples=1",
    "--set", "verify.workers=1",
]  # fmt: skip


def run(*command, folder=None, **environment):
    path = os.pathsep.join([p for p in sys.path if p])
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", **environment},
        timeout=360,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", sorted(p.name for p in EXAMPLES.glob("*.toml")))
def test_configuration_trains(name, tiny_model, tmp_path, capsys, monkeypatch):
    drawn = "mixture" in name  # the one with most curves; a picture takes longer than a run
    if not drawn:
        monkeypatch.setattr("rewardkit_native.loop.draw_if_possible", lambda *_: None)
    # The recipe, the task and the files are the example's own; groups need not carry signal.
    main([
        "train", str(EXAMPLES / name), *SMALL, "--set", f"folder={tmp_path / 'run'}",
        "--set", f"model.name={tiny_model}", "--set", "recipe.filter_groups=false",
    ])  # fmt: skip
    assert re.search(r"after, (arithmetic/)?harder", capsys.readouterr().out)
    assert (tmp_path / "run" / "curves.svg").exists() == drawn
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    parts = len(tomllib.loads((EXAMPLES / name).read_text()).get("tasks", [{}]))
    assert results["evaluations"]["after"]["sets"]["test"]["samples"] == 2 * parts


@pytest.mark.slow  # the README's program, below, is the same with fewer lines
def test_custom_task_trains(tiny_model, tmp_path):
    out = run(
        EXAMPLES / "custom_task.py", "--model", tiny_model, "--steps", 1,
        "--folder", tmp_path / "run",
    )  # fmt: skip
    assert "parity" in out
    assert (tmp_path / "run" / "metrics.jsonl").read_text().count("\n") == 1


def test_score_a_file(tmp_path, monkeypatch, capsys):
    rows = [
        {"response": "So it is \\boxed{12}.", "gold": "12"},
        {"response": "I get \\boxed{\\frac{1}{3}}", "gold": "1/2"},
    ]
    file = tmp_path / "responses.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    out = run(EXAMPLES / "score_a_file.py", file)
    assert "{'correct': 1, 'incorrect': 1}" in out
    for arguments, message in (([], "required: responses"), (["absent.jsonl"], "no file absent")):
        monkeypatch.setattr(sys, "argv", ["score_a_file.py", *arguments])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(EXAMPLES / "score_a_file.py"), run_name="__main__")
        assert ended.value.code == 2
        assert message in capsys.readouterr().err


README = (EXAMPLES.parent / "README.md").read_text()
TASKS = (EXAMPLES.parent / "docs" / "tasks.md").read_text()
BLOCKS = [part.split("```")[0] for part in (README + TASKS).split("```python\n")[1:]]
PROGRAMS = [block for block in BLOCKS if "rk.train(" in block]
"""Two tasks: the README's, graded by verdicts, and one graded by a score and with a column."""


def saved(program, name, folder, tiny_model):
    """Save a program of the docs, with fewer steps and the tiny model."""
    small = f'model={str(tiny_model)!r}, eval={{"problems": 2, "samples": 1}}, '
    file = folder / f"{name}.py"
    file.write_text(
        program.replace("steps=10", "steps=1").replace('folder="', small + f'folder="{folder}/')
    )
    return file


# In both all of training is imported anew, which takes longer than the rest.
@pytest.mark.parametrize(
    ("number", "name"), [(0, "parity"), pytest.param(1, "sorting", marks=pytest.mark.slow)]
)
def test_the_documented_programs_run_as_they_stand(
    number, name, tiny_model, tmp_path, monkeypatch, capsys
):
    program = PROGRAMS[number]
    assert sum(bool(line.strip()) for line in program.splitlines()) <= 20
    assert "answered" in run(saved(program, name, tmp_path, tiny_model))
    folder = tmp_path / "runs" / name
    assert (folder / "metrics.jsonl").exists()
    rows = [json.loads(line) for line in (folder / "rollouts.jsonl").read_text().splitlines()]
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    # Forgotten at the end, or whatever runs next in this process would know of the task.
    registered = registry.TASKS._registered
    monkeypatch.setattr(registry.TASKS, "_registered", dict(registered))
    monkeypatch.setitem(sys.modules, name, None)
    del sys.modules[name]
    if name == "sorting":
        assert all(sorted(row["info"]["numbers"]) == as_numbers(row["gold"]) for row in rows)
        assert all(row["reward"] == row["score"] for row in rows)
        main(["tasks", "check", "sorting:task"])
        assert "nothing found" in capsys.readouterr().out
        return
    [command] = re.findall(r"`rewardkit (eval [^`]+--task parity:task[^`]*)`", README)
    main([*command.split(), "--limit", "2"])
    assert "avg@k" in capsys.readouterr().out


def as_numbers(gold):
    return [int(number) for number in gold.split(", ")]


@pytest.mark.slow
@pytest.mark.verl
@pytest.mark.timeout(500)
def test_the_documented_programs_train_on_verl(tiny_model, tmp_path):
    for program, name in zip(PROGRAMS, ["parity", "sorting"], strict=True):
        saved(program, name, tmp_path, tiny_model)
    (tmp_path / "run.toml").write_text(
        'folder = "run"\nsteps = 1\n'
        f'model = {{ name = "{tiny_model}", dtype = "float32" }}\n'
        "sampling = { problems = 4, group_size = 4, max_tokens = 12 }\n"
        'recipe = { name = "grpo", minibatches = 1, shaping = [{ name = "brief:brief" }] }\n'
        "eval = { samples = 1, problems = 2 }\nverify = { workers = 1 }\n"
        '[[tasks]]\nname = "parity:task"\nlabel = "parity"\n'
        '[[tasks]]\nname = "sorting:task"\nlabel = "sorting"\n'
    )
    (tmp_path / "brief.py").write_text(
        "def brief(rollout, verdict):\n    return -len(rollout.text) / 1000\n"
    )
    command = ["-m", "rewardkit", "train", "run.toml", "--backend", "verl"]
    run(*command, folder=tmp_path, VERL_PLATFORM="cpu")
    rows = [
        json.loads(line) for line in (tmp_path / "run" / "rollouts.jsonl").read_text().splitlines()
    ]
    assert {row["problem"].partition("/")[0] for row in rows} == {"parity", "sorting"}
    for row in rows:
        parts = row["components"]
        assert parts["brief:brief"] == pytest.approx(-len(row["response"]) / 1000)
        assert parts["correct"] == pytest.approx(row["score"])
        assert row["reward"] == pytest.approx(row["score"] + parts["brief:brief"])
        if row["problem"].startswith("sorting"):
            assert sorted(row["info"]["numbers"]) == as_numbers(row["gold"])
            said = [int(number) for number in re.findall(r"\d+", row["response"])]
            right = sum(a == b for a, b in zip(said, as_numbers(row["gold"]), strict=False))
            assert row["score"] == pytest.approx(right / max(len(said), 4))
    measured = json.loads((tmp_path / "run" / "results.json").read_text())["evaluations"]
    assert {"parity", "sorting"} <= set(measured["after"]["sets"])


def test_every_file_that_the_documents_link_to_is_there():
    for document in EXAMPLES.parent.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (EXAMPLES.parent / target).exists(), f"{document.name} links to {target}"


@pytest.mark.slow
def test_the_notebook_runs(tiny_model, tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *(p for p in sys.path if p)]))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    notebook = nbformat.read(EXAMPLES / "quickstart.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace('"smollm2-135m"', repr(str(tiny_model)))
        # The tiny model boxes nothing in ten steps; the real one learns it.
        cell.source = cell.source.replace("lr = 2e-5", "lr = 2e-5\nguards.degenerate = 11")
    NotebookClient(notebook, timeout=240, resources={"metadata": {"path": tmp_path}}).execute()

    said = "".join(
        output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])
    )
    assert "It is not even.      last_word: True   boxed: no_answer" in said
    assert re.search(r"parity:last_word: \d+ probes", said)
    assert "BEYOND THE BOUNDS" in said.split("parity:boxed: ")[0]
    assert "BEYOND THE BOUNDS" not in said.split("parity:boxed: ")[1]
    assert len((tmp_path / "runs/parity/metrics.jsonl").read_text().splitlines()) == 10
    assert (tmp_path / "after/results.json").exists()
