"""One frozen batch and the recipes whose gradients `gradients.py` compares on it."""

import dataclasses

import torch

from rewardkit.recipes import RECIPES
from rewardkit.training_step import SampledBatch, Scores
from rewardkit.types import (
    UNDECIDED,
    Finish,
    Group,
    Outcome,
    Problem,
    Reward,
    Rollout,
    Segment,
    Verdict,
)
from rewardkit_native.learning.batch import make_batch, written_by_model
from rewardkit_verl.batch import with_steps as with_steps_of_verl
from rewardkit_verl.rows import steps_text

LIMIT = 12
GROUPS, SIZE = 2, 4
TEMPERATURE = 0.8
EXTRA = {
    # What the recipes leave out: each names one more thing that must reach the loss.
    "high_entropy": dataclasses.replace(RECIPES["dapo"], high_entropy=0.3),
    "tis": dataclasses.replace(RECIPES["dapo"], correction="tis"),
    "prompt_mean": dataclasses.replace(RECIPES["dapo"], aggregation="prompt-mean"),
    "mask_truncated": dataclasses.replace(
        RECIPES["grpo"], mask_truncated=True, truncated_in_statistics=False
    ),
    "masked_kl": dataclasses.replace(
        RECIPES["dapo"], mask_truncated=True, kl="k3", kl_coef=0.1, kl_in="loss"
    ),
    "kl_weighted": dataclasses.replace(RECIPES["grpo"], kl="k3+", kl_weighted=True),
    "entropy_bonus": dataclasses.replace(RECIPES["grpo"], entropy_coef=0.1),
    "entropy_adapted": dataclasses.replace(RECIPES["dapo"], entropy_target=9.0, entropy_coef=0.05),
    "bypass": dataclasses.replace(RECIPES["rloo"], bypass=True, correction="tis"),
    "token_baseline": dataclasses.replace(
        RECIPES["dr_grpo"], advantage="optimal_token_baseline", constant=LIMIT
    ),
    "right_likelihood": dataclasses.replace(RECIPES["dapo"], nll_coef=0.1),
}


STEPS = [(2, 1.0), (5, 0.0)], [(1, 0.5), (3, 1.0), (4, 0.0)], [], [(3, 1.0)]
"""Of the members of a group; each token is a character."""


def decode(tokens):
    return "x" * len(tokens)


def recipes():
    for name, recipe in {**RECIPES, **EXTRA}.items():
        if recipe.compares_distributions:
            continue  # refused
        constant = LIMIT if recipe.aggregation == "constant" else None
        if name == "dppo":  # a trust region that this batch leaves; inside it, it is CISPO
            recipe = dataclasses.replace(recipe, clip_low=0.01, clip_high=0.01)
        yield name, dataclasses.replace(recipe, constant=constant)


def segments(length):
    """Two turns around what an environment wrote, where there is room."""
    if length < 3:
        return (Segment(True, "", length),)
    parts = length // 3, length // 2, length - length // 3 - length // 2
    return tuple(Segment(i != 1, "", n) for i, n in enumerate(parts) if n)


def frozen_groups(vocabulary, draw, last, turns=False):
    """Groups of ragged responses with mixed outcomes, two of them cut off; `last` is undecided."""
    outcomes = ["correct", "incorrect", "correct", "no_answer"], [
        "incorrect", "correct", "incorrect", last,
    ]  # fmt: skip
    groups = []
    for row in outcomes:
        rollouts = []
        for member in range(SIZE):
            length = LIMIT if member == 1 else int(torch.randint(1, LIMIT, (), generator=draw))
            tokens = torch.randint(4, vocabulary, (length,), generator=draw).tolist()
            finish = Finish.LENGTH if length == LIMIT else Finish.STOP
            sampled = (-torch.rand(length, generator=draw) * 5).tolist()
            parts = segments(length) if turns else ()
            rollouts.append(Rollout("", tuple(tokens), tuple(sampled), finish, parts))
        verdicts = [
            Verdict(Outcome(o), steps=() if Outcome(o) in UNDECIDED else STEPS[i])
            for i, o in enumerate(row)
        ]
        rewards = [
            Reward(float(v.correct) - 0.1 * i, {}) for i, v in enumerate(verdicts)
        ]  # shaped: no two are equal
        groups.append(Group(Problem("", "", ""), tuple(rollouts), tuple(verdicts), tuple(rewards)))
    return groups


class Frozen:
    """One batch: what was sampled, and noise around the policy for each other policy's scores."""

    def __init__(self, model, draw, last="timeout", turns=False):
        vocabulary = model.config.vocab_size
        self.groups = frozen_groups(vocabulary, draw, last, turns)
        self.prompts = [torch.randint(4, vocabulary, (n,), generator=draw).tolist() for n in (9, 5)]
        self.rollouts = [rollout for group in self.groups for rollout in group.rollouts]
        shape = len(self.rollouts), LIMIT
        self.shift = {
            name: 0.3 * torch.randn(shape, generator=draw) for name in ("old", "reference")
        }
        self.entropies = torch.zeros(shape)
        self.values = torch.randn(shape, generator=draw)
        self.scores, self.squares = torch.zeros(shape), torch.zeros(shape)

    def score(self, updater):
        """Take the policy's own scores, around which those of the others are drawn."""
        decided = make_batch(self.groups, self.prompts)
        found = updater.scorer.score_all(updater.model, decided, squares=True)
        self.scores[decided.rows, : found.logprobs.shape[1]] = found.logprobs
        self.entropies[decided.rows, : found.entropies.shape[1]] = found.entropies
        self.squares[decided.rows, : found.entropies.shape[1]] = found.sum_pi_squared

    def policy(self, name):
        return self.scores + self.shift[name]

    def others(self, rows=slice(None)):
        """What the models say of some rows, or of all."""
        return Scores(
            old=self.policy("old")[rows],
            entropies=self.entropies[rows],
            reference=self.policy("reference")[rows],
            values=self.values[rows],
            sum_pi_squared=self.squares[rows],
            sampler=self.sampled_logprobs()[rows],
        )

    def sampled_logprobs(self):
        found = torch.zeros(self.scores.shape)
        for row, rollout in zip(found, self.rollouts, strict=True):
            row[: len(rollout.logprobs)] = torch.tensor(rollout.logprobs)
        return found

    def sampled(self, recipe):
        """The batch as verl's trainer has it: all rows."""
        verdicts = [verdict for group in self.groups for verdict in group.verdicts]
        shaped = [reward for group in self.groups for reward in group.rewards]
        rewards = [reward.total for reward in shaped]
        batch = SampledBatch(
            groups=torch.arange(GROUPS).repeat_interleave(SIZE),
            rewards=torch.tensor(rewards, dtype=torch.float64),
            correct=torch.tensor([v.correct for v in verdicts]),
            truncated=torch.tensor([r.finish is Finish.LENGTH for r in self.rollouts]),
            decided=torch.tensor([v.outcome != Outcome.TIMEOUT for v in verdicts]),
            response=written_by_model(self.rollouts),
        )
        graded = zip(verdicts, self.rollouts, strict=True)
        infos = [{"steps": steps_text(v, rollout, decode)} for v, rollout in graded]
        return with_steps_of_verl(batch, infos, shaped, recipe) if recipe.reads_steps else batch
