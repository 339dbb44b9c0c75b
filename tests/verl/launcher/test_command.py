"""`rewardkit train` on the command line, as far as verl itself is not started."""

import pytest

from rewardkit.cli import main
from rewardkit.config import config_from
from rewardkit.runs import RunFolder

pytestmark = pytest.mark.verl

CONFIG = """
folder = "{folder}"
steps = 2
[model]
name = "Qwen/Qwen2.5-7B"
[task]
name = "arithmetic"
[recipe]
name = "grpo"
[verl]
gpus = 8
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.delenv("VERL_PLATFORM", raising=False)
    path = tmp_path / "run.toml"
    path.write_text(CONFIG.format(folder=tmp_path / "run"))
    return path


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as caught:
        main(["train", *map(str, arguments)])
    assert caught.value.code == 2
    return capsys.readouterr().err


def test_dry_run_says_first_that_verl_accepts_it_then_data_and_command_and_leaves_nothing(
    file, tmp_path, capsys
):
    before = sorted(tmp_path.rglob("*"))
    main(["train", str(file), "--backend", "verl", "--dry-run"])
    out, said = capsys.readouterr()
    assert said.startswith("verl's own configuration is composed and checked")
    assert "No supported accelerator" not in said
    assert "\n[recipe]" not in out, "the configuration is not printed whole"
    first = out.partition("\n")[0]
    assert "nothing is started" in first
    assert "own validation accepts this configuration" in first
    assert "rows, the first asks" in out
    assert out.count("  algorithm.adv_estimator=rewardkit_grpo") == 1
    assert max(map(len, out.splitlines())) < 400
    assert "-m rewardkit_verl.launcher.driver" in out
    assert sorted(tmp_path.rglob("*")) == before


def test_explain_tells_verl_s_own_defaults(file, capsys):
    main(["train", str(file), "--backend", "verl", "--explain"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    by_key = {line[2]: line for line in lines if len(line) > 4}
    assert by_key["actor_rollout_ref.actor.optim.weight_decay"][3:5] == ["0.0", "0.01"]
    assert by_key["reward.reward_manager.name"][4] == "naive"
    clip = next(line for line in lines if line[:1] == ["recipe.clip_high"])
    assert clip[-2:] == ["clip_ratio_high:", "0.2"]


def test_what_verl_cannot_run_is_refused_in_a_dry_run_too(file, capsys):
    said = refused(capsys, file, "--backend", "verl", "--dry-run", "--set", 'sampling.stop=["x"]')
    assert "sampling.stop" in said


def test_a_dry_run_composes_every_word_of_the_command(file, monkeypatch):
    from rewardkit.config import load_config
    from rewardkit_verl import dry_run as plan

    asked = []

    def compose(words=(), really=plan.compose.compose):
        asked.extend(words)
        return really(words)

    monkeypatch.setattr(plan.compose, "compose", compose)
    plan.plan(load_config(file, ['verl.overrides=["trainer.log_val_generations=3"]']))
    assert asked[-2] == "trainer.log_val_generations=3"
    assert asked[-1].startswith("hydra.run.dir=")


def test_an_override_that_verl_does_not_know_is_named(file, capsys):
    wrong = 'verl.overrides=["trainer.nodes=3"]'
    said = refused(capsys, file, "--backend", "verl", "--dry-run", "--set", wrong)
    assert "nodes" in said


def test_the_native_backend_passes_nothing_on(file, capsys):
    assert "It works with --backend verl" in refused(capsys, file, "--dry-run")


def test_without_gpu_nothing_is_touched(file, tmp_path, capsys, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert "VERL_PLATFORM=cpu" in refused(capsys, file, "--backend", "verl")
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_where_it_began(tmp_path, capsys, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.delenv("VERL_PLATFORM", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    folder = RunFolder.create(
        config_from({"folder": str(tmp_path / "run"), "steps": 1, "recipe": {"name": "grpo"}})
    )
    folder.note("backend", "verl")
    assert "VERL_PLATFORM=cpu" in refused(capsys, "--resume", folder.path)
    said = refused(capsys, "--resume", folder.path, "--backend", "native")
    assert "begun with --backend verl" in said
