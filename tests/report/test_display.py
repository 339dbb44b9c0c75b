"""What a person sees of a run: the live table on a terminal, a plain line a step elsewhere."""

import io
from functools import partial

import pytest

from rewardkit.config import config_from
from rewardkit.pages.console import Console
from rewardkit.report import display
from rewardkit.report.columns import COLUMNS, fitting
from rewardkit.report.display import Display
from rewardkit.runs import RunFolder

ROW = {
    "step": 1,
    "reward": 0.25,
    "outcome/correct": 0.25,
    "outcome/incorrect": 0.5,
    "outcome/no_answer": 0.25,
    "length": 31.5,
    "truncated": 0.125,
    "entropy": 0.9,
    "clipped_low": 0.001,
    "clipped_high": 0.002,
    "groups_kept": 8,
    "groups_drawn": 11,
    "groups_all_right": 1,
    "groups_all_wrong": 2,
    "groups_undecided": 0,
    "groups_signal": 8,
    "tokens_per_s": 120.4,
    "sample_s": 6.0,
    "verify_s": 0.5,
    "update_s": 5.5,
    "step_s": 12.0,
}
FOUND = {
    "accuracy": 0.39,
    "interval_these_problems": [0.32, 0.46],
    "interval_new_problems": [0.31, 0.47],
    "problems": 48,
    "samples": 192,
    "graded": 190,
    "ungraded": {"timeout_or_error": 2, "bad_gold": 0, "problems_without_grade": 0},
    "correct": 75,
    "answered_share": 0.5,
    "accuracy_given_answer": 0.77,
}


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """Return a function that shows a small run and returns the display and what was written."""

    def show(terminal=False, width=160, row=ROW, **sections):
        out = io.StringIO()
        made = partial(Console, force_terminal=terminal, width=width, color_system=None)
        monkeypatch.setattr(display, "Console", made)
        monkeypatch.setattr("sys.stdout", out)
        config = config_from({"folder": str(tmp_path / "run"), "steps": 3, **sections})
        with Display(config) as seen:
            seen.remark("clipping has no effect")
            seen.evaluated("before", "test", FOUND)
            seen.step(row)
            seen.step({**row, "step": 2})
            seen.sampling(17, 900)
            frame = io.StringIO()
            Console(file=frame, width=width).print(seen._render())
        return out.getvalue(), frame.getvalue()

    return show


def test_answers_that_are_not_declared_are_said_with_the_line_to_type(shown, monkeypatch):
    assert "task.lenient" not in shown()[0]
    monkeypatch.setitem(FOUND, "near_misses", {"count": 20, "read": 100, "right": 20})
    written = " ".join(shown()[0].split())
    assert "test: 100 of 192 responses give an answer, and not where the task declares" in written
    assert "--set task.lenient=true" in written


def test_one_plain_line_a_step_where_there_is_no_terminal(shown):
    written, _ = shown()
    lines = written.splitlines()
    [header] = [line for line in lines if line.split()[:2] == ["step", "reward"]]
    steps = lines[lines.index(header) + 1 :]
    assert len(steps) == 2
    cells = dict(zip(header.split(), steps[0].split(), strict=False))
    assert cells == {
        "step": "1",
        "reward": "0.250",
        "right": "0.25",
        "wrong": "0.50",
        "none": "0.25",
        "length": "31.5",
        "cut": "0.12",
        "entropy": "0.900",
        "clip": "0.0030",
        "KL": "-",
        "groups": "8/11",
        "tok/s": "120",
        "sample": "6.0",
        "verify": "0.5",
        "update": "5.5",
        "s": "12.0",
    }
    assert steps[0].endswith("about 24 s left")
    assert "note: clipping has no effect" in lines
    assert any(line.strip().startswith("before, test: accuracy 0.390 (95 %") for line in lines)


def test_a_filter_makes_what_is_kept_other_than_what_was_drawn(shown):
    assert " kept " not in shown(recipe={"name": "grpo"})[0]
    written, _ = shown(recipe={"name": "dapo"})
    lines = written.splitlines()
    [above] = [line for line in lines if line.split()[:2] == ["kept", "drawn"]]
    names = lines[lines.index(above) + 1].split()
    of = {name: above[i * 8 :][:7].strip() for i, name in enumerate(names)}
    kept = {"reward", "length", "cut", "entropy"}
    assert {name for name in of if of[name] == "kept"} == kept
    assert {name for name in of if of[name] == "drawn"} == {"right", "wrong", "none", "groups"}
    assert "kept" in shown(terminal=True, recipe={"name": "dapo"})[1]


@pytest.mark.parametrize(("signal", "cell"), [(1, "1/4"), (3, "3/4")])
def test_the_column_groups_counts_those_that_carry_signal_shaping_included(shown, signal, cell):
    """A length term makes a gradient where all answers are wrong."""
    counts = {"groups_kept": 4, "groups_all_right": 1, "groups_all_wrong": 2, "groups_undecided": 0}
    row = {"step": 1, "groups_drawn": 4, **counts, "groups_signal": signal}
    written, frame = shown(row=row)
    assert f" {cell} " in written
    assert cell in frame


def test_undecided_verdicts_have_a_column_once_there_are_any(shown):
    assert "undecided" not in shown()[1]
    row = {**ROW, "outcome/incorrect": 0.25, "outcome/timeout": 0.05, "outcome/error": 0.2}
    written, frame = shown(row=row, recipe={"name": "grpo"})
    header, first = (
        next(i for i in map(str.split, written.splitlines()) if i[:2] == start)
        for start in (["step", "reward"], ["1", "0.250"])
    )
    assert first[header.index("undecided")] == "0.25"
    assert "undecided" in frame


def test_the_first_undecided_verdicts_of_a_run_bring_a_new_head_of_the_table(capsys, tmp_path):
    with Display(config_from({"folder": str(tmp_path / "run"), "steps": 3})) as seen:
        for step, share in enumerate([0.0, 0.5, 0.0], start=1):
            seen.step({**ROW, "step": step, "outcome/error": share})
    names = [line.split() for line in capsys.readouterr().out.splitlines() if " tok/s " in line]
    assert ["undecided" in line for line in names] == [False, True]


@pytest.mark.parametrize(("signal", "told"), [([0, 0], True), ([0, 1], False)])
def test_a_run_that_learned_nothing_ends_with_what_to_do(capsys, tmp_path, signal, told):
    config = config_from({"folder": str(tmp_path / "run"), "steps": 2})
    folder = RunFolder.create(config)
    counts = {"groups_drawn": 4, "groups_all_right": 0, "groups_all_wrong": 4}
    rows = [{**ROW, **counts, "step": 1 + i, "groups_signal": n} for i, n in enumerate(signal)]
    folder.append("metrics.jsonl", [{**row, "group_size": 8} for row in rows])
    with Display(config) as seen:
        seen.finished(folder, tmp_path, {})
    written = capsys.readouterr().out
    assert ("no group of any step carried signal" in written) is told
    assert ("show a worked example in the prompt, take easier problems" in written) is told


def test_the_live_table_shows_steps_held_out_results_time_left_and_warnings(shown):
    written, frame = shown(terminal=True)
    assert "note: clipping has no effect" in written
    for part in ("held out, test: before 0.390", "8/11", "2/3"):
        assert part in frame
    assert "about 12 s left" in frame
    assert "sampling: 17 responses done, 900 tokens" in frame
    assert "update" in frame


def test_what_is_to_be_typed_at_the_end_is_quoted(tmp_path, monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr(display, "Console", partial(Console, width=400))
    config = config_from({"folder": str(tmp_path / "my run"), "steps": 3})
    with Display(config) as seen:
        seen.finished(RunFolder.create(config), tmp_path, {})
    assert f"rewardkit report '{tmp_path / 'my run'}'" in out.getvalue()


def test_a_narrow_terminal_keeps_the_columns_that_tell_most(shown):
    usual = [column for column in COLUMNS if column.name != "undecided"]
    names = [column.name for column in fitting(80, usual)]
    assert len(names) * 8 <= 80
    assert {"step", "reward", "right", "wrong", "none", "tok/s", "s"} <= set(names)
    assert {"sample", "update"} <= set(names)
    assert len(fitting(200)) == len(COLUMNS)
    _, frame = shown(terminal=True, width=80)
    assert all(len(line) <= 80 for line in frame.splitlines())
    assert "…" not in frame


def test_what_a_backend_does_not_record_is_a_dash(shown):
    written, frame = shown(row={"step": 1, "reward": 0.5})
    assert written.splitlines()[-1].split()[:6] == ["2", "0.500", "-", "-", "-", "-"]
    assert "0.000" not in frame


def test_without_a_terminal_what_is_under_way_is_told_after_some_silence(shown, monkeypatch):
    now = iter(range(0, 1000, 6))
    monkeypatch.setattr(display.time, "monotonic", lambda: next(now))
    written, _ = shown()
    assert "step 3: sampling: 17 responses done, 900 tokens" not in written  # 6 s
    monkeypatch.setattr(display, "SILENCE_S", 5.0)
    written, _ = shown()
    assert "step 3: sampling: 17 responses done, 900 tokens" in written
