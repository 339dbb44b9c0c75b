"""A real run of the native backend, with its trackers, read in the report."""

import json
from pathlib import Path

import pytest

pytest.importorskip("jinja2")

ARTEFACTS = Path(__file__).parents[1] / "artefacts"


@pytest.fixture(scope="module")
def run(tiny_model, tmp_path_factory):
    """The folder of three real steps, with evaluations around them."""
    from rewardkit.config import config_from
    from rewardkit_native.loop import train

    return train(
        config_from(
            {
                "folder": str(tmp_path_factory.mktemp("real") / "run"),
                "steps": 3,
                "model": {"name": str(tiny_model), "dtype": "float32"},
                "task": {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 12}},
                "recipe": {"name": "grpo", "shaping": [{"name": "soft_overlong"}]},
                "sampling": {"problems": 4, "group_size": 8, "max_tokens": 12},
                "eval": {"samples": 1, "problems": 4, "every": 2},
                "verify": {"workers": 1},
                "track": {"tensorboard": True},
            }
        )
    )


def test_a_native_run_reads_well(run, browser):
    from rewardkit.report.page import write_report

    page = write_report([run], run / "report.html")
    browser.open(page)
    titles = browser.run("data.charts.map((chart) => chart.title)")
    assert titles[:2] == ["Reward", "Reward components"]
    for title in ("Outcomes", "Response length", "Entropy", "KL", "Groups all right or all wrong"):
        assert title in titles
    for title in ("Sampler mismatch", "Gradient norm", "Speed", "Time of a step"):
        assert title in titles
    assert browser.run("data.heldout[0].series.map((one) => one.x)") == [[0, 2, 3]] * 2
    settings = browser.run("document.querySelector('#settings').innerText")
    assert "track.tensorboard\ttrue\tfalse" in settings
    assert "sampling.max_tokens\t12\t256" in settings

    rows = [json.loads(line) for line in (run / "rollouts.jsonl").read_text().splitlines()]
    browser.run("reader.jump(2)")
    browser.run("document.querySelectorAll('.groups button')[1].click()")
    texts = browser.run(
        "[...document.querySelectorAll('.response .text')].map((one) => one.textContent)"
    )
    expected = [r["response"] for r in rows if r["step"] == 2 and r["group"] == 1]
    assert [text or "(nothing)" for text in texts] == [text or "(nothing)" for text in expected]
    browser.run("scrollTo(0, 0)")
    browser.screenshot(ARTEFACTS / "run-real.png")
    assert browser.complaints() == []
    assert browser.requests() == [page.as_uri()]


def test_a_native_run_is_tracked(run):
    loading = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = loading.EventAccumulator(str(run / "tensorboard")).Reload()
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    tags = events.Tags()["scalars"]
    for key, value in rows[0].items():
        if key != "step":
            assert key in tags
            assert events.Scalars(key)[0].value == pytest.approx(value, rel=1e-6, abs=1e-6)
    assert [event.step for event in events.Scalars("reward")] == [1, 2, 3]
    assert [event.step for event in events.Scalars("heldout/test/accuracy")] == [0, 2, 3]
