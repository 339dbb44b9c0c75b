"""lighteval: its metrics of mathematics, as `Metrics.expr_gold_metric`.

from rewardkit.drop_in.lighteval import Metrics  # instead of: lighteval.metrics.metrics
from rewardkit.drop_in.lighteval import MultilingualExtractiveMatchMetric  # dynamic_metrics
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from rewardkit.drop_in.comparison import scores, shown
from rewardkit.drop_in.extraction import (
    BOTH,
    ExprExtractionConfig,
    LatexExtractionConfig,
    StringExtractionConfig,
    Target,
    parse,
)
from rewardkit.errors import ConfigError

_LETTERS = StringExtractionConfig(tuple("ABCDEFGHIJ"))


@cache
def _metric() -> Any:
    from lighteval.metrics.metrics_sample import SampleLevelComputation

    class MultilingualExtractiveMatchMetric(SampleLevelComputation):  # type: ignore[misc]
        """The score of a document's responses; all languages are read, none has to be named."""

        def __init__(
            self,
            language: Any = None,
            gold_extraction_target: Sequence[Target] = (ExprExtractionConfig(),),
            pred_extraction_target: Sequence[Target] = BOTH,
            aggregation_function: Callable[[list[float]], float] = max,
            precision: int = 6,
            **_: Any,
        ) -> None:
            self.golds, self.preds = map(_ours, (gold_extraction_target, pred_extraction_target))
            self.aggregation_function, self.precision = aggregation_function, precision

        def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
            golds = [parse(one, self.golds) or [one] for one in doc.get_golds()]
            answers = [parse(text, self.preds) for text in model_response.final_text]
            doc.specific = (doc.specific or {}) | {
                "extracted_predictions": shown(answers),
                "extracted_golds": shown(golds),
            }
            return self.aggregation_function(scores(golds, answers, self.precision))

    return MultilingualExtractiveMatchMetric


def _ours(targets: Sequence[Target]) -> tuple[Target, ...]:
    """Return configurations with words for lighteval's letters of options.

    Raises:
        ConfigError: it looks for numbers of options.
    """
    prefixes = [getattr(one, "prefix_for_extraction", None) for one in targets]
    if other := set(prefixes) - {None, "NativeLetters", "Letters"}:
        raise ConfigError(f"prefix_for_extraction={other.pop()!r}: only letters are read here")
    pairs = zip(targets, prefixes, strict=True)
    return tuple(one if prefix is None else _LETTERS for one, prefix in pairs)


class _Metrics:
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what inspection asks any object for, lighteval or not
            raise AttributeError(name)
        from lighteval.metrics.metrics import Metrics as Theirs

        found = getattr(Theirs, name)
        if name != "expr_gold_metric":
            return found
        preds = (ExprExtractionConfig(), LatexExtractionConfig(boxed_match_priority=0))
        made = _metric()(pred_extraction_target=preds, precision=5)
        return replace(found.value, sample_level_fn=made)


Metrics = _Metrics()
"""lighteval's, with our `expr_gold_metric`."""


def __getattr__(name: str) -> Any:
    if name == "MultilingualExtractiveMatchMetric":
        return _metric()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
