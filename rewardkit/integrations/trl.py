"""TRL: a reward function for `GRPOTrainer(reward_funcs=...)`, and its other online trainers.

from rewardkit.integrations.trl import reward_func

trainer = GRPOTrainer(model, reward_funcs=reward_func("math", gold="answer"), ...)
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from rewardkit.data.messages import said, text_of
from rewardkit.errors import ConfigError, TrainingError
from rewardkit.integrations.grading import AnswerIn, Grader, Target, refuse_missing_gold, rows_of
from rewardkit.recipes import Recipe, Term
from rewardkit.recipes import recipe as recipe_named
from rewardkit.shaping import Scope, shape_group, terms_of
from rewardkit.types import UNDECIDED, Finish, Outcome, Reward, Rollout, Verdict

MOST_SHOWN = 80
"""Characters of a gold in a warning."""


def reward_func(
    target: Target,
    gold: str = "answer",
    *,
    answer_in: AnswerIn = (),
    recipe: str | Recipe | None = None,
    limit: int | None = None,
    group_size: int | None = None,
    workers: int | None = None,
    deadline_s: float = 10.0,
) -> RewardFunction:
    """Return a verifier as a reward function of TRL.

    The reward is the verdict's score, shaped by the recipe if one is named; an undecided outcome
    is None, which TRL leaves out of the group's mean. Outcomes and reasons go to TRL's table of
    completions; their shares, the mean score and that of each shaping term to its metrics.

    Args:
        target: a verifier, a function, a `Task`, or the name of one.
        gold: the column of the data set that holds the gold answer.
        answer_in: where the answer stands, as in `verifier_of`.
        recipe: whose shaping terms are added to the score, and nothing else of it.
        limit: the trainer's `max_completion_length`, which shaping measures lengths by. A response
            of so many tokens counts as cut off.
        group_size: the trainer's `num_generations`, for terms that look at a whole group.
        workers: verifier processes, by default one a core.
        deadline_s: wall-clock seconds that one verdict may take.

    Raises:
        ConfigError: the recipe's terms need a `limit` or a `group_size`.

    >>> grade = reward_func("math")
    >>> grade(prompts=["7+5?"] * 2, completions=["It is 12", "13"], answer=["12", "12"])
    [1.0, 0.0]
    """
    terms = _terms(recipe)
    if terms and limit is None:
        raise ConfigError(
            "shaping measures responses by their limit; give limit=, the max_completion_length of "
            "the trainer"
        )
    if group_size is None and (over := terms_of(terms, Scope.GROUP)):
        raise ConfigError(
            f"the shaping term {over[0].name} looks at a whole group; give group_size=, the "
            "num_generations of the trainer"
        )
    grader = Grader(target, gold=gold, answer_in=answer_in, workers=workers, deadline_s=deadline_s)
    return RewardFunction(grader, terms, limit or 1, group_size)


class RewardFunction:
    """What `reward_func` returns; picklable."""

    def __init__(
        self, grader: Grader, terms: tuple[Term, ...], limit: int, group_size: int | None
    ) -> None:
        self.grader, self.terms = grader, terms
        self.limit, self.group_size = limit, group_size
        self.__name__ = grader.name
        self._warned = False

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        completion_ids: Sequence[Sequence[int]] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return the reward of each completion; None where the verifier could not decide.

        A batch in which it decided nothing, as where all golds are null, is warned of, once.

        Raises:
            TrainingError: the verifier failed on every completion; says with what.
        """
        columns.pop("trainer_state", None)
        refuse_missing_gold(self.grader.gold, columns)
        rows = rows_of(columns, len(completions))
        for prompt, row in zip(prompts, rows, strict=True):
            row.setdefault("question", asked(prompt))
        texts = [said(completion) for completion in completions]
        verdicts = self.grader.training_verdicts(texts, rows)
        if verdicts and all(one.outcome is Outcome.ERROR for one in verdicts):
            # TRL would train on no reward.
            told = f"the verifier failed on all {len(verdicts)} responses"
            raise TrainingError(f"{told}; the first: {verdicts[0].reason}")
        if verdicts and not self._warned and all(one.outcome in UNDECIDED for one in verdicts):
            self._warned = True
            said_once = none_graded(verdicts, rows, self.grader.gold)
            warnings.warn(said_once, RuntimeWarning, stacklevel=2)
        rewards = self._shaped(verdicts, texts, prompts, completion_ids)
        self._log(verdicts, rewards, log_extra, log_metric)
        return [
            None if verdict.outcome in UNDECIDED else reward.total
            for verdict, reward in zip(verdicts, rewards, strict=True)
        ]

    def _shaped(
        self,
        verdicts: Sequence[Verdict],
        texts: Sequence[str],
        prompts: Sequence[Any],
        ids: Sequence[Sequence[int]] | None,
    ) -> list[Reward]:
        if not self.terms:
            return [Reward(verdict.score, {}) for verdict in verdicts]
        if ids is None:
            raise ConfigError("shaping needs completion_ids, which TRL gives from 0.18 on")
        size = self.group_size or 1
        rollouts = [
            Rollout(text, tuple(own), (), Finish.LENGTH if len(own) >= self.limit else Finish.STOP)
            for text, own in zip(texts, ids, strict=True)
        ]
        rewards: list[Reward] = []
        for start in range(0, len(verdicts), size):
            part = slice(start, start + size)
            if len(prompts[part]) < size or any(p != prompts[start] for p in prompts[part]):
                raise ConfigError(
                    f"a group of {size} responses to one prompt is expected here, and is spread "
                    "over processes or cut; use shaping terms that look at one response"
                )
            rewards += shape_group(verdicts[part], rollouts[part], self.terms, limit=self.limit)
        return rewards

    def _log(
        self,
        verdicts: Sequence[Verdict],
        rewards: Sequence[Reward],
        log_extra: Callable[[str, list[Any]], None] | None,
        log_metric: Callable[[str, float], None] | None,
    ) -> None:
        if log_extra is not None:
            log_extra("outcome", [verdict.outcome.value for verdict in verdicts])
            log_extra("reason", [verdict.reason for verdict in verdicts])
            log_extra("gold", [verdict.gold for verdict in verdicts])
            log_extra("extracted", [verdict.extracted for verdict in verdicts])
            log_extra("score", [verdict.score for verdict in verdicts])
        if log_metric is not None and verdicts:
            undecided = sum(verdict.outcome in UNDECIDED for verdict in verdicts)
            log_metric("verifier/undecided", undecided / len(verdicts))
            log_metric("verifier/correct", sum(v.correct for v in verdicts) / len(verdicts))
            pairs = zip(verdicts, rewards, strict=True)
            decided = [pair for pair in pairs if pair[0].outcome not in UNDECIDED]
            if decided:
                log_metric("verifier/score", fmean(verdict.score for verdict, _ in decided))
            for name in {term.name for term in self.terms if decided} - {"correct"}:
                log_metric(f"shaping/{name}", fmean(one.components[name] for _, one in decided))


def asked(prompt: Any) -> str:
    """Return the question of a prompt: plain, or the last turn of the user in a chat.

    >>> asked([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "7+5?"}])
    '7+5?'
    """
    if isinstance(prompt, str):
        return prompt
    said_before = prompt if isinstance(prompt, Sequence) else ()
    turns = [t for t in said_before if isinstance(t, Mapping) and t.get("role") == "user"]
    return text_of(turns[-1].get("content")) if turns else ""


def none_graded(verdicts: Sequence[Verdict], rows: Sequence[Mapping[str, Any]], gold: str) -> str:
    """Return what is said of a batch of undecided verdicts, from which nothing is learned."""
    counts = Counter(verdict.outcome.value for verdict in verdicts)
    found = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    told = (
        f"none of the {len(verdicts)} responses of a batch could be graded ({found}): each reward "
        "is None, and TRL goes on and learns nothing from them. "
    )
    broken = [n for n, one in enumerate(verdicts) if one.outcome is Outcome.BAD_GOLD]
    if not broken:
        return f"{told}The first: {verdicts[0].reason}. More time for a verdict: deadline_s=60"
    held = repr(rows[broken[0]][gold])
    return (
        f"{told}Column {gold!r} holds {held[:MOST_SHOWN]} ({verdicts[broken[0]].reason}); expected "
        "a gold answer: text, a number or a list of these. Name the column that holds them, "
        'reward_func(..., gold="COLUMN"), or leave out the rows without one: '
        f"dataset.filter(lambda row: row[{gold!r}] is not None)"
    )


def _terms(recipe: str | Recipe | None) -> tuple[Term, ...]:
    if recipe is None:
        return ()
    return (recipe_named(recipe) if isinstance(recipe, str) else recipe).shaping
