"""`results.json`: what was measured of some weights on held-out problems. One schema for all.

A training run holds an evaluation for each time that it measured itself, under the labels
`before`, `step-00010`, ... and `after`; `rewardkit eval` holds one, under the label `model`:

    {"schema": 2, "evaluations": {LABEL: {"step": ..., "sets": {NAME: {"accuracy": ...}}}}}

Files without a `schema`, which is what versions up to 0.1 wrote in two forms, are read as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, cast

from rewardkit.errors import DataError

SCHEMA = 2
"""The version of the form described here, the field `schema` of each file."""
RESULTS_FILE = "results.json"
"""What the file is called in a run folder."""
MODEL = "model"
"""The label of what `rewardkit eval` measured."""
TEST = "test"
"""What a run calls the set by which its checkpoints are compared."""


class Score(TypedDict):
    """Accuracy, each problem weighing the same, with both 95 % intervals; None if unknown."""

    accuracy: float | None
    """The mean over problems of the share of right responses; null while samples are missing."""
    interval_these_problems: list[float] | None
    """[low, high], if the same problems were sampled again."""
    interval_new_problems: list[float] | None
    """[low, high], on another draw of problems like these."""


class ByRules(Score):
    """What rules alone would say where a model was asked behind them."""

    asked: int
    """Responses that the model was asked of."""
    agreement: float | None
    """The share of these on which both say right, or both not right; null where none is decided."""


class MeanScore(TypedDict):
    """The mean of the verifier's scores, each problem weighing the same, with both intervals."""

    mean: float
    """In [0, 1]."""
    interval_these_problems: list[float]
    """[low, high], if the same problems were sampled again."""
    interval_new_problems: list[float]
    """[low, high], on another draw of problems like these."""


class Ungraded(TypedDict):
    """Responses whose verdict says nothing, and problems that have no other."""

    timeout_or_error: int
    """Responses whose verification did not end well."""
    bad_gold: int
    """Responses to problems whose gold answer cannot be read."""
    problems_without_grade: int
    """Problems of which no response has a verdict that says something."""
    reasons: NotRequired[dict[str, int]]
    """Of responses whose verification did not end well: the most frequent reasons, and how often;
    an exception of a verifier's code has its file and line."""


class SampleResult(TypedDict):
    """One response, without its text: that is in `samples.jsonl`, under the key."""

    key: str
    """Under which `samples.jsonl` has it."""
    index: int
    """Which of its problem's samples, from 0."""
    seed: int
    """What it was drawn with."""
    outcome: str
    """The value of an `Outcome`."""
    finish: str
    """How it ended: the value of a `Finish`."""
    tokens: int
    """Its length, reasoning included."""
    extracted: str | None
    """Its answer; null where none was found."""
    score: NotRequired[float]
    """Absent in files that were written before there was any."""
    near_miss: NotRequired[str]
    """How a response that is not right holds the right value; absent where it does not."""
    judged: NotRequired[str]
    """What rules and a judge said where these part, such as incorrect>correct; else absent."""


class ProblemResult(TypedDict):
    """One problem: `correct` of `graded` responses were right."""

    id: str
    """As the task has it."""
    text_hash: str
    """Of the question."""
    prompt_hash: str
    """Of the prompt as the model saw it."""
    chat_hash: NotRequired[str]
    """Of what was asked, before the chat template; absent in files that are older than it."""
    gold: str
    """The answer that counts as right."""
    correct: int
    graded: int
    missing: int
    """Samples that were asked for and never came."""
    rate: float | None
    """`correct` / `graded`; null where nothing is graded."""
    info: NotRequired[dict[str, Any]]
    """Its columns; absent in files that were written before there were any."""
    truncated: int
    """Responses that the limit cut off."""
    answers: dict[str, int]
    """The most frequent extracted answers, most frequent first."""
    samples: list[SampleResult]
    """In the order of their index."""


class SetDetails(TypedDict, total=False):
    """What not every set has: `score`, and what `rewardkit eval` says beyond a training run."""

    score: MeanScore
    """Where scores say more than outcomes."""
    by_rules: ByRules
    """Without what a model said behind rules, where one was asked."""
    task: str
    """Its name."""
    source: str
    """Where its problems come from."""
    licence: str
    """Theirs."""
    version: int
    """Of the task."""
    remarks: list[str]
    """What is known to be wrong with its problems."""
    verifier: str
    """What graded, with its settings."""
    samples_per_problem: int
    """k, as it was asked for."""
    expected: int
    """Samples that were asked for, of all problems."""
    missing: int
    """Those that never came."""
    coverage: float
    """The share that is there."""
    complete: bool
    """Whether every sample is there; while one is not, the score is None."""
    partial: dict[str, Any] | None
    """The score of what is there, with its coverage; None once the set is complete."""
    pass_at_k: dict[str, dict[str, Any]]
    """k -> `value` (unbiased) and `problems`, those with so many graded samples."""
    maj_at_k: dict[str, dict[str, Any]]
    """k -> `value`, that the most frequent answer of k is right, and `problems`, as above."""
    truncation: dict[str, Any]
    """`count` and `rate` of responses cut off, and the accuracy if all were wrong or right."""
    other_ends: NotRequired[dict[str, int]]
    """Responses that a server's filter, the call of a tool or the limit of turns ended, by
    `Finish`; absent without."""
    turns: NotRequired[dict[str, float]]
    """Of a task with an environment, a sample: `mean` turns of the model, `environment_tokens`, and
    `tool_errors`; and `environment_failed`, the share that is undecided for that."""
    silent: NotRequired[dict[str, int]]
    """Responses without an answer that the model itself ended: `empty`, or `reasoning_only`."""
    tokens: dict[str, Any]
    """Sums over prompts and responses; mean, median and longest response, and mean if right."""
    near_misses: dict[str, int]
    """Responses that hold the right value, but not where the task declares it: in all, and by
    sign; `read` are those without a declared answer in which a lenient reading finds any."""
    lengths: list[dict[str, Any]]
    """The score under each of several token limits, ascending, where that was asked for."""
    overlap: NotRequired[dict[str, Any]]
    """What of it stands in training data: which problems, and the score on them and on the rest."""
    all_right: float | None
    """The share of problems of which every graded sample is right."""
    all_wrong: float | None
    """The share of problems of which no sample is right."""
    per_problem: list[ProblemResult]
    """In the order of the set."""


class SetResult(Score, SetDetails):
    """What was measured on one set of problems."""

    problems: int
    """How many there are."""
    samples: int
    """Responses that were drawn."""
    graded: int
    """Those whose verdict says something; the score is over them."""
    correct: int
    """Responses that are right."""
    answered_share: float | None
    """How often there was an answer at all, of all samples."""
    accuracy_given_answer: float | None
    """A model that learns the asked form gets more right without knowing more; this stays."""
    outcomes: dict[str, int]
    """How many responses have each outcome; all outcomes are named."""
    ungraded: Ungraded
    """What the score is not over."""


class Overall(Score):
    """The score over the problems of all sets together."""

    problems: int
    """How many there are in all sets."""


class EvaluationDetails(TypedDict, total=False):
    """What `rewardkit eval` says of the whole beyond what a training run does."""

    model: str
    """As it was named."""
    fingerprint: str
    """Changes when the weights do."""
    engine: str
    """What drew the samples."""
    seed: int
    """Of the evaluation; each sample has one of its own from it."""
    sampling: dict[str, Any]
    """Samples a problem, limit in tokens, temperature, top-p and top-k."""
    asking: dict[str, Any]
    """What stood in the place of the tasks' own words; empty where nothing did."""
    complete: bool
    """Whether every sample of every set is there."""
    generation_errors: int
    """Samples that the engine gave up in the last call."""
    overall: Overall | None
    """Null for a single set, and while a sample is missing."""


class Evaluation(EvaluationDetails):
    """What was measured of the same weights, on one set or several."""

    step: int | None
    """After which training step; None where no run knows."""
    sets: dict[str, SetResult]
    """By name; that of a run's own test problems is `test`."""


Evaluations = dict[str, Evaluation]
"""By label, in order of time."""


def document(evaluations: Mapping[str, Evaluation]) -> dict[str, Any]:
    """Return what `results.json` holds."""
    return {"schema": SCHEMA, "evaluations": dict(evaluations)}


def evaluations_in(found: Any, where: object = RESULTS_FILE) -> Evaluations:
    """Return the evaluations in what a `results.json` holds, whatever version wrote it.

    What is no evaluation is left out, and what an older form does not say is None.

    Raises:
        DataError: a later version wrote it.

    >>> old = {"before": {"step": 0, "accuracy": 0.5, "suites": {"harder": {"accuracy": 0.1}}}}
    >>> {name: one["accuracy"] for name, one in evaluations_in(old)["before"]["sets"].items()}
    {'test': 0.5, 'harder': 0.1}
    """
    if not isinstance(found, dict):
        return {}
    if "schema" not in found:
        return _of_one_model(found) if "tasks" in found else _of_a_run(found)
    if found["schema"] != SCHEMA:
        raise DataError(
            f"{where} has schema {found['schema']!r}, and this version of rewardkit knows "
            f"{SCHEMA} and what came before; read it with the version that wrote it"
        )
    held = found.get("evaluations")
    return {
        label: cast(Evaluation, {**one, "sets": _sets(one.get("sets"))})
        for label, one in (held.items() if isinstance(held, dict) else ())
        if isinstance(one, dict)
    }


def _of_a_run(found: dict[str, Any]) -> Evaluations:
    """Return the evaluations of a training run without a schema: `test` lay open, others apart."""
    evaluations = {}
    for label, one in found.items():
        if isinstance(one, dict):
            test = {key: value for key, value in one.items() if key not in ("step", "suites")}
            suites = one.get("suites")
            sets = {TEST: test, **(suites if isinstance(suites, dict) else {})}
            # `samples` were those that could be graded.
            sets = {
                name: {**each, "graded": each.get("samples"), "samples": _drawn(each)}
                for name, each in sets.items()
                if isinstance(each, dict)
            }
            evaluations[label] = cast(Evaluation, {"step": one.get("step"), "sets": _sets(sets)})
    return evaluations


def _of_one_model(found: dict[str, Any]) -> Evaluations:
    """Return the one evaluation of `rewardkit eval` without a schema."""
    rest = {key: value for key, value in found.items() if key != "tasks"}
    return {MODEL: cast(Evaluation, {**rest, "step": None, "sets": _sets(found["tasks"])})}


def _sets(found: Any) -> dict[str, SetResult]:
    """Return the sets, each with every field that all sets have."""
    return {
        # What is there keeps its order: a resumed run writes the same bytes.
        name: cast(SetResult, one | {k: v for k, v in _usual(one).items() if k not in one})
        for name, one in (found.items() if isinstance(found, dict) else ())
        if isinstance(one, dict)
    }


def _usual(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stands in for fields that older files lack, counted where it can be."""
    counted = _counts(one)
    right, wrong = counted.get("correct", 0), counted.get("incorrect", 0)
    graded = right + wrong + counted.get("no_answer", 0)
    return {
        **dict.fromkeys(Score.__annotations__),
        "problems": None,
        "samples": None,
        "graded": graded,
        "correct": right,
        "answered_share": (right + wrong) / graded if graded else None,
        "accuracy_given_answer": right / (right + wrong) if right + wrong else None,
        "outcomes": {},
        "ungraded": {"timeout_or_error": 0, "bad_gold": 0, "problems_without_grade": 0},
    }


def _drawn(one: Mapping[str, Any]) -> Any:
    samples = one.get("samples")
    return max(sum(_counts(one).values()), samples if type(samples) is int else 0) or None


def _counts(one: Mapping[str, Any]) -> dict[str, int]:
    outcomes = one.get("outcomes")
    found = outcomes if isinstance(outcomes, dict) else {}
    return {name: count for name, count in found.items() if type(count) is int}
