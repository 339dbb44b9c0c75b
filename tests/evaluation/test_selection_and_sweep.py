from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rewardkit.cli import main
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking import settings
from rewardkit.evaluation.comparing.sweep import print_sweep, sweep_run
from rewardkit.evaluation.engines.base import DecodingSettings, Failure, Request, Response
from rewardkit.evaluation.models import (
    fingerprint,
    numbered_checkpoints,
    older_than_shards,
    resolve_model,
    trained_dtype,
)
from rewardkit.evaluation.statistics.selection import split_half
from rewardkit.pages.console import Console
from rewardkit.types import Finish

ARTEFACTS = Path(__file__).parents[1] / "artefacts"


def outcomes(rng, chance, checkpoints=20, problems=30, k=16):
    return [
        [[bool(x) for x in rng.random(k) < chance] for _ in range(problems)]
        for _ in range(checkpoints)
    ]


def test_the_best_of_equal_checkpoints_is_corrected_to_what_they_are_worth():
    rng = np.random.default_rng(4)
    naive, corrected = [], []
    for repeat in range(6):
        found = split_half(outcomes(rng, 0.3), seed=repeat)
        naive.append(found.naive)
        corrected.append(found.corrected)
    error = np.sqrt(0.3 * 0.7 / (30 * 16))
    assert np.mean(naive) == pytest.approx(0.3 + 1.87 * error, abs=0.012)
    # The samples themselves lie about 0.3 by chance; only the pick's luck is to be gone.
    assert np.mean(corrected) == pytest.approx(0.3, abs=0.012)


def test_a_truly_better_checkpoint_is_found_and_keeps_its_score():
    rng = np.random.default_rng(5)
    rates = [*outcomes(rng, 0.3, checkpoints=3), *outcomes(rng, 0.6, checkpoints=1)]
    found = split_half(rates)
    assert (found.best, found.picked_share) == (3, 1.0)
    assert found.corrected == pytest.approx(found.naive, abs=0.005)


def test_one_sample_a_problem_cannot_be_halved():
    with pytest.raises(ConfigError, match="at least 2 samples"):
        split_half([[[True]], [[False]]])


def make_checkpoint(folder, content=b"weights"):
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(content)


def test_checkpoints_are_found_by_step_wherever_they_are(tmp_path):
    for name in ("step-00020", "step-00003", "step-00100", ".part-00110", "notes-7"):
        make_checkpoint(tmp_path / "checkpoints" / name)
    assert [step for step, _ in numbered_checkpoints(tmp_path)] == [3, 20, 100]
    assert resolve_model(str(tmp_path)).endswith("step-00100")


def test_shards_of_verl_are_no_checkpoint_and_the_line_that_merges_them_is_said(tmp_path, refusal):
    run = tmp_path / "run"
    for step in (10, 20):
        actor = run / f"verl/checkpoints/global_step_{step}/actor"
        (actor / "huggingface").mkdir(parents=True)
        (actor / "huggingface" / "config.json").write_text("{}")
    line = f"--local_dir {actor} --target_dir "
    for place in (actor, actor.parent):
        assert f"{line}OUT" in refusal(resolve_model, str(place))
    merging = f"python -m rewardkit_verl.launcher.checkpoint {run}"
    assert f"{merging} 20" in refusal(resolve_model, str(run))
    assert "step 10, 20: they are shards" in refusal(sweep_run, run, None, None)
    assert older_than_shards(str(run)) == ""
    make_checkpoint(run / "checkpoints" / "step-00010")
    assert resolve_model(str(run)).endswith("step-00010")
    assert "step 20 it has shards of verl's, to merge by:\n" in older_than_shards(str(run))
    make_checkpoint(run / "checkpoints" / "step-00020")
    assert older_than_shards(str(run)) == older_than_shards("owner/name") == ""


def test_a_checkpoint_of_a_run_is_measured_in_the_type_that_it_was_trained_in(tmp_path):
    places = [tmp_path / "run" / "checkpoints" / name for name in ("step-1", "step-2/huggingface")]
    for place in places:
        place.mkdir(parents=True)
    (tmp_path / "run" / "config.toml").write_text('[model]\ndtype = "bfloat16"\n')
    assert trained_dtype(str(places[0])) is None  # somebody else's config.toml
    (tmp_path / "run" / "manifest.json").write_text("{}")
    assert [trained_dtype(str(place)) for place in places] == ["bfloat16"] * 2
    assert trained_dtype(str(tmp_path)) is trained_dtype("owner/name") is None


def test_a_fingerprint_changes_with_the_weights(tmp_path):
    for name in "abc":
        make_checkpoint(tmp_path / name)
        with (tmp_path / name / "model.safetensors").open("r+b") as file:
            file.truncate(100_000_000)
            if name == "b":  # a single byte, as far from the ends as from any round number
                file.seek(3_141_592)
                file.write(b"y")
    a, b, c = (fingerprint(str(tmp_path / name)) for name in "abc")
    assert a == c != b
    (tmp_path / "c" / "trainer_state.pt").write_bytes(b"no weights")
    assert fingerprint(str(tmp_path / "c")) == c


class StepEngine:
    """Answers rightly as often as the checkpoint's step is high."""

    def __init__(self, name: str, model: str, decoding: DecodingSettings, options: object) -> None:
        self.fingerprint = model
        self.chat_template = None
        self.decoding = decoding
        self.skill = int(model[-2:]) / 40

    def render(self, messages: Sequence[dict]) -> str:
        return messages[-1]["content"]

    def generate(self, requests: Sequence[Request]):
        for index, request in enumerate(requests):
            right = np.random.default_rng(request.seed).random() < self.skill
            yield index, Response(f"\\boxed{{{2 if right else 3}}}", Finish.STOP, 1, 1, 0.0)

    def close(self) -> None:
        pass


def test_a_sweep_draws_the_curve_and_corrects_the_pick(
    problems_file, tmp_path, monkeypatch, capsys
):
    for step in (10, 20, 30):
        make_checkpoint(tmp_path / "run" / "checkpoints" / f"step-000{step}")
    for step in (10, 15):  # verl's, of which one was merged
        (tmp_path / "run" / f"verl/checkpoints/global_step_{step}/actor").mkdir(parents=True)
    monkeypatch.setattr(settings, "load_engine", StepEngine)
    main(
        [
            *("eval", "sweep", str(tmp_path / "run"), "--task", f"file:{problems_file}"),
            *("--samples", "16", "--run-dir", str(tmp_path / "sweep"), "--workers", "1"),
        ]
    )
    found = json.loads((tmp_path / "sweep" / "sweep.json").read_text())
    assert found["sets"] == ["sums"]
    assert [row["step"] for row in found["curve"]] == [10, 20, 30]
    accuracies = [row["accuracy"] for row in found["curve"]]
    assert accuracies == sorted(accuracies)
    assert found["selection"]["step"] == 30
    printed = capsys.readouterr().out
    assert "NOTE the curve is without 1 checkpoints, of step 15: they are shards" in printed
    assert f"rewardkit_verl.launcher.checkpoint {tmp_path}/run 15" in "".join(printed.splitlines())
    assert "Best of 3 on these problems: step 30" in printed
    assert re.search(r"the best is worth \d\d\.\d % on these problems;", printed)
    page = (tmp_path / "sweep" / "sweep.html").read_text()
    assert page.count("<circle") == 3
    assert "https://" not in page


def test_the_page_of_a_sweep_fits_any_window(problems_file, tmp_path, monkeypatch, browser):
    monkeypatch.setattr(settings, "load_engine", StepEngine)
    for step in (12, 25, 39):
        make_checkpoint(tmp_path / "run-of-a-long-name" / "checkpoints" / f"step-00{step}")
    sweep(tmp_path / "run-of-a-long-name", problems_file, tmp_path / "sweep")
    for width in (1280, 420):
        assert browser.fits(tmp_path / "sweep" / "sweep.html", width)
        browser.screenshot(ARTEFACTS / f"sweep-{width}.png")
    assert "Best of 5" in browser.run("document.body.innerText")


class DeadEngine(StepEngine):
    def generate(self, requests: Sequence[Request]):
        for index in range(len(requests)):
            yield index, Failure("nobody there")


def sweep(run, problems_file, folder, *more):
    make_checkpoint(run / "step-10")
    make_checkpoint(run / "step-20")
    main(
        [
            *("eval", "sweep", str(run), "--task", f"file:{problems_file}", "--samples", "2"),
            *("--run-dir", str(folder), "--workers", "1", *more),
        ]
    )


def test_a_sweep_without_a_single_response_is_an_error_with_its_reason(
    problems_file, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(settings, "load_engine", DeadEngine)
    with pytest.raises(SystemExit) as ended:
        sweep(tmp_path / "run", problems_file, tmp_path / "sweep")
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert "12 x nobody there" in printed.out
    assert "not one response came: nobody there" in printed.err


def test_a_sweep_names_the_sets_that_its_curve_is_of(capsys):
    sweep = {"sets": ["arithmetic", "arithmetic/harder"], "curve": [], "selection": None}
    print_sweep(sweep, Console(width=100))
    assert "checkpoints, arithmetic and arithmetic/harder together" in capsys.readouterr().out


def test_a_sweep_in_which_nothing_can_be_graded_has_an_empty_curve(
    problems_file, tmp_path, monkeypatch
):
    monkeypatch.setattr(settings, "load_engine", StepEngine)
    problems_file.write_text(json.dumps({"problem": "What is 1 + 1?", "answer": "\\frac{1}{"}))
    sweep(tmp_path / "run", problems_file, tmp_path / "sweep")
    curve = json.loads((tmp_path / "sweep" / "sweep.json").read_text())["curve"]
    assert [(row["complete"], row["accuracy"]) for row in curve] == [(True, None)] * 2
    assert "<circle" not in (tmp_path / "sweep" / "sweep.html").read_text()


def test_a_run_without_checkpoints_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["eval", "sweep", str(tmp_path), "--task", "generated"])
    assert "holds no checkpoint" in capsys.readouterr().err


def test_a_model_that_is_nowhere_or_mistyped_is_refused(tmp_path, monkeypatch, refusal):
    for model in ("no/such/folder", "./missing"):
        assert "no such folder" in refusal(resolve_model, model)
    monkeypatch.chdir(tmp_path)
    assert resolve_model("runs/nope") == "runs/nope"
    (tmp_path / "runs").mkdir()
    assert "'runs' is a folder of runs, and there is no 'nope'" in refusal(
        resolve_model, "runs/nope"
    )
