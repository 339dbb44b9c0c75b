"""lighteval: a metric for `LightevalTaskConfig(metrics=[verdict_metric("math")])`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rewardkit.integrations.grading import AnswerIn, Grader
from rewardkit.types import UNDECIDED


def verdict_metric(target: str, name: str = "rewardkit", answer_in: AnswerIn = ()) -> Any:
    """Return a sample metric of lighteval: the mean score over a document's responses.

    Undecided responses are left out; of a document that has no other, the value is NaN, which the
    mean over the set leaves out. A document's `specific` are the columns that a verifier asks for.

    Args:
        target: the name of a verifier.
        name: what the metric is called in the results.
        answer_in: where the answer stands, as in `verifier_of`.

    Raises:
        ModuleNotFoundError: lighteval is not installed.
    """
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetric
    from lighteval.tasks.requests import SamplingMethod

    grader = Grader(target, gold="gold", answer_in=answer_in)

    class Verdicts(SampleLevelComputation):  # type: ignore[misc]  # lighteval is untyped
        def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
            row = {**(doc.specific or {}), "question": doc.query, "gold": doc.get_golds()[0]}
            texts = model_response.final_text
            verdicts = grader.verdicts(texts, [row] * len(texts))
            scores = [v.score for v in verdicts if v.outcome not in UNDECIDED]
            return mean_of_decided(scores)

    return SampleLevelMetric(
        metric_name=name,
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=Verdicts(),
        corpus_level_fn=mean_of_decided,
    )


def mean_of_decided(values: Sequence[float]) -> float:
    """Return the mean without those that are NaN; NaN where there is no other.

    >>> mean_of_decided([1.0, 0.0, float("nan")])
    0.5
    """
    decided = [value for value in values if not math.isnan(value)]
    return sum(decided) / len(decided) if decided else math.nan
