"""Verifiers: (response, gold answer) -> `Verdict`, and their pool; imported when first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rewardkit.verifiers.choice import ChoiceVerifier as ChoiceVerifier
    from rewardkit.verifiers.compose import Agreement as Agreement
    from rewardkit.verifiers.compose import Best as Best
    from rewardkit.verifiers.compose import First as First
    from rewardkit.verifiers.compose import Weighted as Weighted
    from rewardkit.verifiers.compose import second_verdict as second_verdict
    from rewardkit.verifiers.functions import as_verifier as as_verifier
    from rewardkit.verifiers.integer import IntegerVerifier as IntegerVerifier
    from rewardkit.verifiers.layout import FormatVerifier as FormatVerifier
    from rewardkit.verifiers.loading import load_verifier as load_verifier
    from rewardkit.verifiers.loading import register_verifier as register_verifier
    from rewardkit.verifiers.math import MathVerifier as MathVerifier
    from rewardkit.verifiers.math_verify import MathVerify as MathVerify
    from rewardkit.verifiers.numeric import NumericVerifier as NumericVerifier
    from rewardkit.verifiers.pool.pool import VerifierPool as VerifierPool
    from rewardkit.verifiers.text import TextVerifier as TextVerifier

_HOMES = {
    "Agreement": "compose",
    "Best": "compose",
    "ChoiceVerifier": "choice",
    "First": "compose",
    "FormatVerifier": "layout",
    "IntegerVerifier": "integer",
    "MathVerifier": "math",
    "MathVerify": "math_verify",
    "NumericVerifier": "numeric",
    "TextVerifier": "text",
    "VerifierPool": "pool",
    "Weighted": "compose",
    "as_verifier": "functions",
    "load_verifier": "loading",
    "register_verifier": "loading",
    "second_verdict": "compose",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name == "Judge":  # it has a room of its own
        return importlib.import_module("rewardkit.judging").Judge
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
