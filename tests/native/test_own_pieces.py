"""Pieces of a user's own, as the documentation shows them: trained with, resumed, held to shapes."""

import re
import sys
from dataclasses import replace
from types import ModuleType

import pytest
import torch

from rewardkit.advantages import grpo
from rewardkit.config import config_to_toml, load_config
from rewardkit.errors import RewardkitError
from rewardkit.recipes import GRPO
from rewardkit.registry import named_by
from rewardkit.runs import RunFolder
from rewardkit.sampling.choice import group_sizes, task_sampler
from rewardkit.sampling.filter import keeps
from rewardkit.sampling.members import Member, choose
from rewardkit.sampling.settings import CurriculumConfig, GroupSizeConfig
from rewardkit.training_step.rehearsal import rehearse
from rewardkit.types import Outcome, Problem, Verdict
from rewardkit_native.loop import train
from rewardkit_native.sampling.choice import TransformersSampler


class Engine(TransformersSampler):
    drawn = 0

    def sample(self, prompts, *rest):
        Engine.drawn += len(prompts)
        return super().sample(prompts, *rest)


@pytest.fixture
def mine(tmp_path, monkeypatch, own_pieces):
    (tmp_path / "mine.py").write_text(own_pieces[0])
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("mine", None)


def test_all_of_them_train_and_a_resumed_run_has_them_again(
    configure, mine, own_pieces, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "engines", ModuleType("engines"))
    sys.modules["engines"].Engine = Engine
    own = own_pieces[1]
    sampling = {"problems": 4, "group_size": 8, "max_tokens": 12, "engine": "engines:Engine"}
    sampling |= own["sampling"] | {
        "sizes": {"rule": "mine:Twice"},
        "keep": {"members": "mine:longest", "size": 4},
    }

    def run(steps, folder):
        return configure(
            f"steps={steps}", f"folder={tmp_path / folder}", sampling=sampling, recipe=own["recipe"]
        )

    (tmp_path / "run.toml").write_text(config_to_toml(run(3, "whole")))
    whole = RunFolder.open(train(load_config(tmp_path / "run.toml")))
    half = RunFolder.open(train(run(2, "half")))
    sys.modules.pop("mine")
    train(half.config(["steps=3"]), resume=True)
    rows = whole.rows("metrics.jsonl")
    for row, again in zip(rows, half.rows("metrics.jsonl"), strict=True):
        assert {"reward/mine:shorter", "curriculum/explored"} <= row.keys()
        assert [row[k] for k in ("reward", "tokens", "grad_norm")] == [
            again[k] for k in ("reward", "tokens", "grad_norm")
        ]
    assert any(row["grad_norm"] > 0 for row in rows)
    assert max(row["group_size"] for row in rows) == 16
    assert Engine.drawn > 0


BAD = {
    "short": lambda rewards, groups: rewards[1:],
    "words": lambda rewards: "much",
    "nan": lambda rewards, groups: grpo(rewards, groups) * torch.nan,
    "unfed": lambda rewards, prices: rewards,
    "nans": lambda logp, old, advantages, mask: logp * torch.nan,
    "scalar": lambda logp, old, advantages, mask: logp.sum(),
    "weights": lambda lengths, groups: lengths[:1],
    "number": 3,
    "perhaps": lambda verdicts: "perhaps",
    "Sizes": lambda size: type("S", (), {"first": lambda self, rates: [0.5] * len(rates)})(),
    "outside": lambda members, keep: [7, 8],
}


@pytest.mark.parametrize(
    ("field", "name", "says"),
    [
        ("advantage", "short", "advantage bad:short returned a tensor of shape (7,), expected"),
        ("advantage", "words", "advantage bad:words returned 'much'"),
        ("advantage", "nan", "advantage bad:nan: row 0 has nan"),
        ("advantage", "unfed", "advantage bad:unfed reads prices, and there is rewards, groups"),
        ("surrogate", "nans", "surrogate bad:nans: row 0 has nan"),
        ("surrogate", "scalar", "surrogate bad:scalar returned a tensor of shape ()"),
        ("aggregation", "weights", "aggregation bad:weights returned a tensor of shape (1,)"),
        ("surrogate", "missing", "surrogate 'bad:missing': bad has no 'missing'"),
        ("filter_groups", "", "filter_groups is true, false or module:name, found 'bad'"),
    ],
)
def test_a_piece_is_held_to_its_form_before_anything_is_loaded(field, name, says, monkeypatch):
    bad(monkeypatch)
    recipe = replace(GRPO, **{field: f"bad:{name}" if name else "bad"})
    with pytest.raises(RewardkitError, match=re.escape(says)):
        rehearse(recipe, limit=8, group_size=8)


def bad(monkeypatch):
    module = ModuleType("bad")
    vars(module).update(BAD)
    monkeypatch.setitem(sys.modules, "bad", module)


MEMBERS = [Member(0.0, 3, right=False)] * 3


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: keeps("bad:perhaps", [Verdict(Outcome.CORRECT)]), "returned 'perhaps', not True"),
        (lambda: task_sampler(CurriculumConfig("bad:number"), [Problem("", "", "")], 0),
         "is 3, expected a subclass of"),
        (lambda: group_sizes(GroupSizeConfig("bad:Sizes"), 4).first([0.5]), "said [0.5], expected"),
        (lambda: choose("bad:outside", MEMBERS, 2), "chose (7, 8) of 3 rollouts"),
    ],
)  # fmt: skip
def test_what_decides_on_samples_is_held_to_its_form(call, says, monkeypatch):
    bad(monkeypatch)
    with pytest.raises(RewardkitError, match=re.escape(says)):
        call()


def test_data_name_no_piece(monkeypatch):
    bad(monkeypatch)
    with named_by("a/config.toml"), pytest.raises(RewardkitError, match="which imports code"):
        keeps("bad:perhaps", [])
