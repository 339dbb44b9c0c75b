"""report.html of a run, read as text."""

import json
import re
import sys
from dataclasses import replace
from itertools import pairwise

import pytest

from rewardkit.cli import main
from rewardkit.config import config_from
from rewardkit.report.panels import other_panels, panels_for
from rewardkit.runs import RunFolder, read_rollouts
from rewardkit.runs.results import document
from rewardkit.runs.rollouts import record_rollouts

from report_pages import block, charts, raw_block, report  # isort: skip

pytest.importorskip("jinja2")


def test_every_metric_is_drawn_once_and_none_is_made_up(make_run):
    drawn = charts(report(make_run()))
    assert drawn["Reward components"] == ["correct", "soft_overlong"]
    assert drawn["Response length"] == ["all", "right", "wrong"]
    assert drawn["Outcomes"] == ["correct", "incorrect", "no answer"]  # no timeout ever happened
    assert drawn["KL"] == ["to the sampling policy"]
    assert drawn["Time of a step"] == ["sample", "verify", "update"]
    for title in ("Entropy", "Clipped tokens", "Groups all right or all wrong", "Effective groups"):
        assert title in drawn
    for title in ("Sampler mismatch", "Gradient norm", "Speed", "Cut off"):
        assert title in drawn


def test_nothing_is_no_chart_and_a_belief_that_nobody_chose_by_is_none_either():
    row = {"step": 1, "reward": 0.0, "clipped_low": 0, "clipped_high": 0, "leftovers": 0}
    rows = [row | {"curriculum/brier": 0.2, "curriculum/brier_constant": 0.25}]
    uniform, chosen = (
        {"sampling": {"curriculum": {"rule": rule}}} for rule in ("uniform", "mopps")
    )
    assert [panel.title for panel in panels_for([rows], [uniform])] == ["Reward"]
    assert other_panels([rows], panels_for([rows], [uniform])) == []
    for configs in ([], [uniform, chosen]):
        titles = {panel.title for panel in panels_for([rows], configs)}
        assert titles == {"Reward", "Calibration of the problem sampler"}


def test_a_run_of_verl_shows_what_it_has(make_run):
    page = report(make_run(backend="verl"))
    drawn = charts(page)
    assert drawn["KL"] == ["to the reference or teacher"]
    assert drawn["Sampler mismatch in probability"] == ["largest"]
    assert drawn["Time of a step"] == ["sample", "update", "hand over weights"]
    for title in ("Sampler mismatch", "Reward components"):
        assert title not in drawn
    assert [c["title"] for c in block(page, "data")["others"]] == ["something/of_verl"]


def test_lengths_of_right_and_wrong_answers_come_from_the_rollouts(make_run):
    folder = make_run(steps=2)
    rows = [json.loads(line) for line in (folder / "rollouts.jsonl").read_text().splitlines()]
    right = [r["tokens"] for r in rows if r["step"] == 2 and r["outcome"] == "correct"]
    [chart] = [
        c for c in block(report(folder), "data")["charts"] if c["title"] == "Response length"
    ]
    [series] = [s for s in chart["series"] if s["label"] == "right"]
    assert series["y"][1] == pytest.approx(sum(right) / len(right), rel=1e-5)


def test_scores_and_columns_are_shown_where_a_run_recorded_them(make_run):
    folder = make_run(steps=1, groups=2)
    file = folder / "rollouts.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for row in rows:
        row |= {"score": 0.25, "info": {"numbers": [3, 8], "hint": "<b>no</b>"}}
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    metrics = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    (folder / "metrics.jsonl").write_text(json.dumps({**metrics[0], "score": 0.25}) + "\n")
    page = report(folder)
    assert charts(page)["Reward"] == ["shaped reward", "score of all that was drawn"]
    for group in block(page, "rollouts-0-1"):
        assert group["columns"] == {"numbers": "[3, 8]", "hint": "<b>no</b>"}
        assert {response["score"] for response in group["responses"]} == {0.25}
    older = report(make_run("older", steps=1))
    assert charts(older)["Reward"] == ["shaped reward"]
    assert "columns" not in block(older, "rollouts-0-1")[0]


def test_hostile_text_is_escaped_and_nothing_is_requested(make_run):
    page = report(make_run("<i>run<i>", hostile=True, task={"name": "<b>task</b>"}))
    html = page.read_text().replace("http://www.w3.org/2000/svg", "a name, not an address")
    assert "document.title='hacked'</script>" not in html
    for tag in ("<img", "<i>", "<b>"):
        assert tag not in html
    for outside in ("http://", "https://", "//cdn", "@import", "url("):
        assert outside not in html
    policy = "default-src 'none'; style-src 'sha256-"
    assert policy in html
    assert "unsafe" not in html[: html.index("</head>")].split("<style>")[0]


def test_the_configuration_says_what_differs(make_run):
    html = report(make_run(recipe={"name": "dapo", "clip_high": 0.3, "minibatches": 1})).read_text()
    from_recipe = html[html.index("What differs from the recipe") :]
    from_recipe, from_defaults = from_recipe.split("What differs from the defaults")
    from_defaults = from_defaults[: from_defaults.index("<details>")]
    assert "recipe.clip_high" in from_recipe
    assert "0.28" in from_recipe
    assert "recipe.minibatches" in from_recipe
    assert "optim.lr" in from_defaults
    assert "1e-06" in from_defaults
    assert "sampling.group_size" not in from_defaults
    assert "sampling.group_size" in html


def test_what_does_not_fit_is_left_out_evenly_and_said(make_run):
    folder = make_run(steps=40, groups=5, size=4)
    whole = report(folder)
    assert "are on this page" not in whole.read_text()
    small = report(folder, **{"max-mb": 0.1})
    kept = [one["step"] for one in block(small, "data")["rollouts"][0]["steps"]]
    assert 8 < len(kept) < 40
    assert kept[0] == 1
    assert kept[-1] == 40
    gaps = {b - a for a, b in pairwise(kept)}
    assert max(gaps) - min(gaps) <= 1
    assert f"{len(kept)} of 40 steps, evenly spaced, with all their groups" in small.read_text()
    assert len(block(small, f"rollouts-0-{kept[3]}")) == 5

    fewer = report(folder, **{"max-mb": 0.03})
    steps = block(fewer, "data")["rollouts"][0]["steps"]
    assert [one["shown"] for one in steps] == [2] * 8
    assert "an even choice of their groups" in fewer.read_text()

    tiny = report(folder, **{"max-mb": 0.01})
    steps = block(tiny, "data")["rollouts"][0]["steps"]
    assert [one["shown"] for one in steps] == [1] * 6
    texts = [raw_block(tiny, f"rollouts-0-{one['step']}") for one in steps]
    assert 8_000 < len("".join(texts).encode()) <= 10_000


@pytest.mark.parametrize("compress", [False, True])
def test_records_of_some_steps_are_shown_with_the_share_that_they_are(make_run, compress):
    if compress and sys.version_info < (3, 14):
        pytest.importorskip("backports.zstd")
    folder = make_run(steps=12, groups=4, size=5)
    run = RunFolder(folder)
    rows = run.rows("rollouts.jsonl")
    metrics = [{**row, "groups_kept": 4, "group_size": 5} for row in run.rows("metrics.jsonl")]
    run.rewind({})
    run.append("metrics.jsonl", metrics)
    config = config_from({"folder": str(folder), "steps": 12})
    assert "The run recorded" not in report(folder).read_text()
    for step in range(1, 13):
        records = replace(config.records, every=3, groups=2, compress=compress)
        of_step = [row for row in rows if row["step"] == step]
        record_rollouts(run, replace(config, records=records), step, of_step)
    page = report(folder)
    assert (
        "recorded 40 of the 240 responses that it trained on, in 4 of 12 steps" in page.read_text()
    )
    assert [one["step"] for one in block(page, "data")["rollouts"][0]["steps"]] == [3, 6, 9, 12]
    kept = {(row["group"], row["response"]) for row in read_rollouts(folder) if row["step"] == 6}
    shown = [one["text"] for group in block(page, "rollouts-0-6") for one in group["responses"]]
    assert sorted(shown) == sorted(text for _, text in kept)
    [chart] = [c for c in block(page, "data")["charts"] if c["title"] == "Response length"]
    assert chart["note"].endswith("Right and wrong: of the 16.7 % that were recorded.")
    lines = {one["label"]: one.get("x") for one in chart["series"]}
    assert lines == {"all": None, "right": [3, 6, 9, 12], "wrong": [3, 6, 9, 12]}


def test_a_killed_run_can_be_read(make_run):
    folder = make_run(steps=5, hostile=True)
    (folder / "results.json").write_text('{"before": {"accuracy"')
    config = (folder / "config.toml").read_text()
    (folder / "config.toml").write_text(config.replace("steps = 5", "steps = 9"))
    for name in ("metrics.jsonl", "rollouts.jsonl"):
        with (folder / name).open("a") as file:
            file.write('{"step": 6, "rew')
    html = report(folder).read_text()
    assert "5 of 9 steps: still running, or stopped" in html
    assert "results.json could not be read" in html
    assert "metrics.jsonl:" not in html  # a torn last line is no damage


def test_damaged_lines_are_counted_and_what_is_no_number_is_missing(make_run):
    folder = make_run(steps=2)
    rows = (folder / "metrics.jsonl").read_text().splitlines()
    odd = {**json.loads(rows[0]), "step": 3, "entropy": float("nan"), "grad_norm": float("inf")}
    again = {**json.loads(rows[1]), "entropy": 7.0}
    lines = [rows[0], "not json", "[1]", '{"step": "1"}', rows[1], json.dumps(odd)]
    (folder / "metrics.jsonl").write_text("\n".join([*lines, json.dumps(again), ""]))
    page = report(folder)
    assert "metrics.jsonl: 3 lines could not be read and were left out" in page.read_text()
    [entropy] = [c for c in block(page, "data")["charts"] if c["title"] == "Entropy"]
    assert entropy["series"][0]["y"][1:] == [7.0, None]  # of step 2 the later row


def test_evaluations_whose_answers_are_not_declared_are_marked(make_run):
    folder = make_run(steps=2)
    assert "task.lenient=true" not in report(folder).read_text()
    near = {"count": 1, "read": 8, "right": 1}
    found = {"accuracy": 0.1, "samples": 8, "near_misses": near}
    evaluations = {"before": {"step": 0, "sets": {"test": found}}}
    (folder / "results.json").write_text(json.dumps(document(evaluations)))
    html = report(folder).read_text()
    assert "before, test: 8 of 8 responses give an answer" in html
    assert "--set task.lenient=true" in html


def test_what_an_odd_folder_lacks_is_left_out(make_run):
    folder = make_run(steps=2)
    (folder / "config.toml").write_text("recipe = 3\n")
    (folder / "manifest.json").write_text("[]")
    (folder / "events.jsonl").write_text('{"step": 1}\n')
    results = {"before": {"accuracy": 0.5, "suites": 3}, "after": {"accuracy": "?"}, "x": 1}
    (folder / "results.json").write_text(json.dumps(results))
    rollouts = [{"step": 1}, {"step": 1, "response": 3, "components": [], "tokens": None}]
    (folder / "rollouts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rollouts))
    page = report(folder)
    html = page.read_text()
    assert "? on ?, model ?, seed ?" in html
    assert "50.0 %" in html
    [group] = block(page, "rollouts-0-1")
    assert [one["text"] for one in group["responses"]] == ["", "3"]


def test_events_are_listed_and_marked(make_run):
    folder = make_run()
    event = {"step": 4, "kind": "warning", "guard": "entropy", "message": "below <b>the floor</b>"}
    (folder / "events.jsonl").write_text(json.dumps(event) + "\n")
    page = report(folder)
    assert "below &lt;b&gt;the floor" in page.read_text()
    assert block(page, "data")["runs"][0]["marks"][0]["step"] == 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: None, "there is no folder"),
        (lambda p: p.mkdir(), "is not a run folder: it holds no config.toml"),
        (lambda p: p.write_text(""), "is a file; give the run folder"),
        (lambda p: empty_run(p), "has not recorded anything yet"),
        (lambda p: evaluation(p), "is an evaluation, not a training run.*eval regrade"),
        (lambda p: empty_run(p / "runs", p), "did you mean .*runs"),
        (
            lambda p: (p.mkdir(), inside_a_run(p.parent)),
            r"holds no config.toml; did you mean \S+\?",
        ),
        (lambda p: broken_config(p), "config.toml cannot be read"),
    ],
)
def test_what_is_no_run_is_refused(tmp_path, capsys, make, message):
    folder = tmp_path / "it"
    make(folder)
    with pytest.raises(SystemExit) as stopped:
        main(["report", str(folder)])
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert re.search(message, said, re.DOTALL), said
    assert not (tmp_path / "it" / "report.html").exists()


def inside_a_run(path):
    for name in ("config.toml", "manifest.json"):
        (path / name).write_text("")


def empty_run(path, parent=None):
    if parent is not None:
        parent.mkdir()
    path.mkdir()
    (path / "config.toml").write_text("steps = 3\n")
    (path / "rollouts.jsonl").write_text("")


def evaluation(path):
    path.mkdir()
    (path / "samples.jsonl").write_text("{}\n")


def broken_config(path):
    empty_run(path)
    (path / "config.toml").write_text("steps = \n")
    (path / "metrics.jsonl").write_text('{"step": 1}\n')


def test_without_jinja2_the_pip_line_is_said(make_run, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(SystemExit):
        report(make_run())
    assert "rewardkit[report]" in capsys.readouterr().err
