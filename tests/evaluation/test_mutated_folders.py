"""Folders whose files were changed at random: no command that reads one ends in a traceback.

What is wrong is one line on standard error, and no text of a folder runs in a page of it.
"""

import json
import os
import random
import shutil
import traceback
from contextlib import suppress

import pytest
from rewardkit_test_calls import Says

from rewardkit.cli import main
from rewardkit.config import RunConfig, config_to_toml
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.session import evaluate_model

SEEDS = 300 if float(os.environ.get("REWARDKIT_FUZZ_SECONDS", "0")) >= 60 else 80
RUN = "document.title='ran'"
HOSTILE = (
    f"</script><script>{RUN}</script><img src=x onerror={RUN}>\"'><svg onload={RUN}>"
    f"`]]>-->{{{{{RUN}}}}}</style></textarea></title><a href=javascript:{RUN}>\u2028\ud800\0"
)
DEEP = "[" * 50_000
VALUES = (
    None,
    True,
    -1,
    0,
    3.5,
    10**400,
    1e308,
    float("nan"),
    "",
    "text",
    HOSTILE,
    HOSTILE,
    HOSTILE,
    [],
    {},
    [[]],
    {"a": 1},
)
OF_EVALUATION = (
    "eval regrade RUN --workers 1", "eval lengths RUN --at 2 --workers 1", "eval export RUN --to tensorboard",
    "eval export RUN --to parquet", "compare RUN OTHER", "matrix RUN OTHER",
    "eval export RUN --to md,hf", "compare OTHER RUN",
)  # fmt: skip
OF_RUN = (
    "report RUN", "audit text --run RUN --problems 1 --out OUT",
    "train --resume RUN --explain", "eval --model RUN --task RUN --engine openai --base-url http://127.0.0.1:9/v1",
)  # fmt: skip
OF_AUDIT = (
    "verify cases RUN/rows.jsonl", "grade RUN/rows.jsonl --verifier text --prefix again_ --out OUT.jsonl --workers 1",
    "audit text --responses RUN/rows.jsonl --problems 1 --out OUT",
)  # fmt: skip
COMMANDS = {"evaluation": OF_EVALUATION, "run": OF_RUN, "audit": OF_AUDIT}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """An honest evaluation twice, a run, and an audit."""
    top = tmp_path_factory.mktemp("honest")
    rows = top / "rows.jsonl"
    row = '{"id": "p%d", "problem": "What is 2 times 1? (form %d)", "answer": "2"}\n'
    rows.write_text("".join(row % (i, i) for i in range(4)))
    for name in ("evaluation", "other"):
        settings = EvalSettings("m", (f"file:{rows}",), top / name, samples=2, workers=1)
        evaluate_model(settings, engine=Says(lambda index: HOSTILE if index % 2 else "2"))
    run = top / "run"
    run.mkdir()
    (run / "config.toml").write_text(config_to_toml(RunConfig(folder=str(run), steps=3)))
    (run / "manifest.json").write_text(
        '{"backend": "native", "versions": {"rewardkit": "0"}, "resumed": []}'
    )
    score = {"accuracy": 0.5, "problems": 4, "samples": 8, "outcomes": {"correct": 4}}
    (run / "results.json").write_text(
        json.dumps({"before": {"step": 0, **score, "suites": {"h": score}}})
    )
    metrics = [{"step": i, "reward": 0.5, "length": 9.0, "outcome/correct": 0.5} for i in (1, 2, 3)]
    rollouts = [
        {"step": i, "group": g, "problem": "p", "question": "q", "gold": "2", "response": HOSTILE,
         "tokens": 5, "finish": "stop", "outcome": "correct", "extracted": "2", "method": "exact",
         "reason": "", "reward": 1.0, "components": {"correct": 1.0}, "advantage": 0.5}
        for i in (1, 2, 3) for g in (0, 1)
    ]  # fmt: skip
    for name, written in (("metrics", metrics), ("rollouts", rollouts)):
        (run / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in written))
    (run / "events.jsonl").write_text('{"step": 2, "kind": "warning", "message": "text"}\n')
    audited = f"audit text --task file:{rows} --problems 2 --out {top / 'audit'} --no-report"
    with suppress(SystemExit):  # with 1, for what it found
        main(audited.split())
    for page in pages_in(top):
        page.unlink()
    return top


def changed(value, rng):
    """Return a value of JSON with one part of it replaced."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        if rng.random() < 0.15:
            return {key: one for key, one in value.items() if key != name}
        return {**value, name: changed(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        return [*value[:place], changed(value[place], rng), *value[place + 1 :]]
    return rng.choice(VALUES)


def mutate(path, rng):
    """Change a file: its bytes, or one value of one of its lines."""
    data = path.read_bytes()
    how = rng.random() if path.stat().st_size else 0.25
    if how < 0.1:
        path.write_bytes(data[: rng.randrange(len(data) + 1)])
    elif how < 0.2:
        place = rng.randrange(len(data) + 1)
        path.write_bytes(data[:place] + rng.randbytes(3) + data[place:])
    elif how < 0.3:
        path.write_text(DEEP)
    elif path.suffix == ".toml" and data.split():
        path.write_bytes(
            data.replace(rng.choice(data.split()), rng.choice([b"3", b'"x:y"', b"[[]]", b"{}"]), 1)
        )
    else:
        try:
            lines = [
                json.loads(one)
                for one in (data.splitlines() if path.suffix == ".jsonl" else [data])
            ]
        except (ValueError, RecursionError):  # changed once already
            return
        place = rng.randrange(len(lines))
        lines[place] = changed(lines[place], rng)
        path.write_text("\n".join(map(json.dumps, lines)) + "\n")


def pages_in(*folders):
    return [page for folder in folders for page in sorted(folder.rglob("*.html"))]


def run(command, place, folders, capfd):
    """Return what a command on a folder ended with, and what it said that it should not."""
    words = {
        "RUN": place,
        "OTHER": folders / "other",
        "ROWS": folders / "rows.jsonl",
        "OUT": place.parent / "out",
    }
    for name, path in words.items():
        command = command.replace(name, str(path))
    ended, wrong = 0, ""
    try:
        main(command.split())
    except SystemExit as error:
        ended = error.code
    except Exception:  # noqa: BLE001 whatever it is, it is what is looked for
        wrong = traceback.format_exc()[-600:]
    said = capfd.readouterr().err
    if "Traceback" in said or "Unrecognized" in said:
        wrong = said[-300:]
    return ended, wrong


def opened(pages, browser):
    """Yield what is wrong with pages, as a browser sees it."""
    for page in pages:
        browser.open(page)
        if browser.run("document.title") == "ran" or browser.requests() != [page.as_uri()]:
            yield f"{page.name}: a script of the data ran, or asked: {browser.requests()}"
        if complaints := browser.complaints():
            yield f"{page.name} complains: {complaints}"[:600]
        page.unlink()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_changed_folder_ends_a_command_in_a_traceback(
    folders, tmp_path, monkeypatch, capfd, browser
):
    monkeypatch.chdir(tmp_path)
    failed, seen = [], 0
    for seed in range(SEEDS):
        rng = random.Random(seed)
        kind = rng.choice(["evaluation", "evaluation", "run", "run", "audit"])
        place = tmp_path / "changed"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folders / kind, place)
        for _ in range(rng.choice([1, 1, 2])):
            names = sorted(
                one for one in place.iterdir() if one.suffix in (".json", ".jsonl", ".toml")
            )
            mutate(rng.choice(names), rng)
        command = rng.choice(COMMANDS[kind])
        _, wrong = run(command, place, folders, capfd)
        pages = pages_in(tmp_path, folders)
        seen += len(pages)
        found = [wrong] if wrong else []
        failed += [f"{seed}: {command}: {one}" for one in (*found, *opened(pages, browser))]
    assert "\n".join(failed) == ""
    assert seen > SEEDS / 6


@pytest.mark.parametrize(("kind", "command"), [(k, one) for k in COMMANDS for one in COMMANDS[k]])
def test_each_command_reads_an_honest_folder(kind, command, folders, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "changed"
    shutil.copytree(folders / kind, place)
    ended, wrong = run(command, place, folders, capfd)
    assert (ended in (0, 1) or "127.0.0.1:9" in command, wrong) == (True, "")
