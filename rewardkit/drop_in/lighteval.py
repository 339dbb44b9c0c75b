"""lighteval: its metrics of mathematics, such as `Metrics.expr_gold_metric`.

from rewardkit.drop_in.lighteval import Metrics  # instead of: lighteval.metrics.metrics
from rewardkit.drop_in.lighteval import MultilingualExtractiveMatchMetric  # dynamic_metrics
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rewardkit.drop_in.comparison import verify
from rewardkit.drop_in.extraction import (
    BOTH,
    ExprExtractionConfig,
    LatexExtractionConfig,
    StringExtractionConfig,
    Target,
    parse,
)
from rewardkit.errors import ConfigError


@cache
def _metric() -> Any:
    from lighteval.metrics.metrics_sample import SampleLevelComputation

    class MultilingualExtractiveMatchMetric(SampleLevelComputation):  # type: ignore[misc]
        """The score of a document's responses against its golds; no language has to be named."""

        def __init__(
            self,
            language: Any = None,
            gold_extraction_target: Sequence[Target] = (ExprExtractionConfig(),),
            pred_extraction_target: Sequence[Target] = BOTH,
            aggregation_function: Callable[[list[float]], float] = max,
            fallback_mode: Any = "first_match",
            extraction_mode: str = "any_match",
            precision: int = 6,
            timeout_seconds: int = 5,
        ) -> None:
            self.gold_extraction_target = _ours(gold_extraction_target)
            self.pred_extraction_target = _ours(pred_extraction_target)
            self.aggregation_function, self.fallback_mode = aggregation_function, fallback_mode
            self.precision, self.timeout_seconds = precision, timeout_seconds

        def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
            texts, mode = model_response.final_text, self.fallback_mode
            golds = [parse(one, self.gold_extraction_target, mode) for one in doc.get_golds()]
            if not all(golds):
                golds = [[one] for one in doc.get_golds()]
            answers = [parse(text, self.pred_extraction_target, mode) for text in texts]
            doc.specific = (doc.specific or {}) | {
                "extracted_predictions": [str(part) for parts in answers for part in parts],
                "extracted_golds": [str(part) for parts in golds for part in parts],
            }
            scores = [
                any(
                    verify(gold, answer, self.precision, timeout_seconds=self.timeout_seconds)
                    for gold in golds
                )
                for answer in answers
            ]
            return self.aggregation_function([float(score) for score in scores])

    return MultilingualExtractiveMatchMetric


def _ours(targets: Sequence[Target]) -> tuple[Target, ...]:
    """Return configurations with lighteval's one for the letters of options as one of words."""
    found = []
    for one in targets:
        prefix = getattr(one, "prefix_for_extraction", None)
        if prefix not in (None, "NativeLetters", "Letters"):
            raise ConfigError(f"prefix_for_extraction={prefix!r}: only letters are read here")
        found.append(one if prefix is None else StringExtractionConfig(tuple("ABCDEFGHIJ")))
    return tuple(found)


@cache
def _expr_gold_metric() -> Any:
    """Return lighteval's metric of that name with our reading and comparison in it."""
    from dataclasses import replace

    from lighteval.metrics.metrics import Metrics

    made = _metric()(
        pred_extraction_target=(
            ExprExtractionConfig(),
            LatexExtractionConfig(boxed_match_priority=0),
        ),
        precision=5,
    )
    return replace(Metrics.expr_gold_metric.value, sample_level_fn=made)


class _Metrics:
    """lighteval's `Metrics`, but for the metric that reads numbers."""

    def __getattr__(self, name: str) -> Any:
        if name == "expr_gold_metric":
            return _expr_gold_metric()
        from lighteval.metrics.metrics import Metrics

        return getattr(Metrics, name)


Metrics = _Metrics()
"""lighteval's, with our `expr_gold_metric`."""


def __getattr__(name: str) -> Any:
    if name == "MultilingualExtractiveMatchMetric":
        return _metric()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
