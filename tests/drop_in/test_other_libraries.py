"""The drop-ins inside lighteval and Inspect, on rows of their own tests, where they are installed."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from rewardkit.drop_in import ExprExtractionConfig, LatexExtractionConfig
from rewardkit.drop_in.extraction import BOTH

HERE = Path(__file__).parent
SHARED = HERE.parent / "cases" / "math_verify_tests.jsonl"
LIGHTEVAL_DIFFERENCES = {
    "Réponse: Janeth aura encore 220 $ à payer d'ici 12 mois.": "of two numbers the last is read",
    "} \\times \\frac{1}{3} = \\frac{6}{15} = \\frac{2}{5} ] 所以，每份应该是 (\\frac{2}{5}) 吨。 "
    "答案：每份应该是 (\\frac{2}{5}) 吨。": "a fraction in plain brackets",
    "how many $? just about 1$": "a dollar sign that opens no formula",
    "$0$": "the gold is a chain with an unknown command",
}
LETTERS = SimpleNamespace(prefix_for_extraction="NativeLetters", try_extract_without_anchor=True)
"""As lighteval's `IndicesExtractionConfig`."""
INSPECT_DIFFERENCES = {r"\beginboxed{8\sqrt{6}}": "no command of LaTeX"}

READ = {
    "test_number_extraction": (ExprExtractionConfig(),),
    "test_simple_fraction_notation": BOTH,
    "test_sets_handling": BOTH,
    "test_latex_notation": (LatexExtractionConfig(),),
    "test_latex_notation_math": (LatexExtractionConfig(),),
    "test_relations_math": (LatexExtractionConfig(),),
    "test_matrix_extraction": (LatexExtractionConfig(),),
    "test_math_extraction_edge_cases": BOTH,
    "test_math_extraction_additional_cases": BOTH,
    "test_numina_cases": BOTH,
}
"""Tests of math-verify that lighteval's file has as well -> what they read."""


def function(row):
    return row["source"].rpartition("::")[2]


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_lightevals_metric_gives_the_labels_of_its_tests():
    pytest.importorskip("lighteval")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from rewardkit.drop_in.lighteval import MultilingualExtractiveMatchMetric

    wrong, cases = set(), rows(HERE / "lighteval_tests.jsonl")
    cases += [row for row in rows(SHARED) if function(row) in READ and "options" not in row]
    for row in cases:
        targets = (LETTERS,) if "letters" in row else READ.get(function(row), BOTH)
        metric = MultilingualExtractiveMatchMetric(
            gold_extraction_target=targets, pred_extraction_target=targets
        )
        doc = Doc(choices=[row["gold"], "", "", ""], query="", gold_index=0)
        score = metric.compute(doc=doc, model_response=ModelResponse(text=[row["pred"]]))
        if score != row["expected"]:
            wrong.add(row["pred"])
    assert wrong == set(LIGHTEVAL_DIFFERENCES)
    assert len(wrong) <= 0.03 * len(cases)


def test_lightevals_metrics_are_its_own_but_for_one():
    theirs = pytest.importorskip("lighteval.metrics.metrics", exc_type=ImportError).Metrics
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from rewardkit.drop_in.lighteval import Metrics

    assert Metrics.exact_match is theirs.exact_match
    doc = Doc(choices=["12"], query="", gold_index=0)
    found = Metrics.expr_gold_metric.compute_sample(
        doc=doc, model_response=ModelResponse(text=["so it is 12"])
    )
    assert found == {"extractive_match": 1.0}


def test_inspects_scorer_gives_the_labels_of_its_tests():
    pytest.importorskip("inspect_ai")
    from inspect_ai.scorer import CORRECT, Target

    from rewardkit.drop_in.inspect import math

    async def wrong(cases):
        score, found = math(), set()
        for row in cases:
            state = SimpleNamespace(output=SimpleNamespace(completion=row["pred"]))
            value = (await score(state, Target([row["gold"]]))).value
            if (value == CORRECT) != row["expected"]:
                found.add(row["pred"])
        return found

    cases = rows(HERE / "inspect_tests.jsonl")
    assert asyncio.run(wrong(cases)) == set(INSPECT_DIFFERENCES)
    assert len(INSPECT_DIFFERENCES) <= 0.031 * len(cases)
