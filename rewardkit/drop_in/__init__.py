"""One import for another: math-verify and what trainers make of it, by our verifiers.

from rewardkit.drop_in import parse, verify  # instead of: from math_verify import parse, verify
"""

from rewardkit.drop_in.comparison import UndecidedError, math_metric, verify
from rewardkit.drop_in.extraction import (
    ExprExtractionConfig,
    LatexExtractionConfig,
    NormalizationConfig,
    Parsed,
    StringExtractionConfig,
    parse,
)

__all__ = [
    "ExprExtractionConfig",
    "LatexExtractionConfig",
    "NormalizationConfig",
    "Parsed",
    "StringExtractionConfig",
    "UndecidedError",
    "math_metric",
    "parse",
    "verify",
]
