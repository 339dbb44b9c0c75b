"""Rules first, then a model: what `math+judge` names."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rewardkit.judging.judge import Judge
from rewardkit.verifiers.compose import First
from rewardkit.verifiers.loading import load_verifier

WHEN = ("no_answer:not a value", "incorrect:text", "incorrect:kind", "incorrect::cannot tell")
"""What is left to a model: words where a value was looked for, words or a kind of answer that were
rejected, and what rules could not tell; undecided verdicts as well. Never what numbers decided, nor
a response that declares no answer: a model that accepts it teaches to declare none."""


def behind_rules(rules: str, **options: Any) -> First:
    """Return a verifier by name with a `Judge` behind it.

    Args:
        rules: a verifier's name.
        options: the judge's, of which `when` says what is left to it, and the rules'.

    >>> first = behind_rules("math", base_url="http://localhost:8000/v1", cache="", answer_in="box")
    >>> first.verifiers[0].answer_in, first.keep
    (('box',), 'best')
    """
    known = {one.name for one in fields(Judge)}
    of_judge = {name: value for name, value in options.items() if name in known}
    of_rules = {name: value for name, value in options.items() if name not in known}
    judge = Judge(**of_judge)
    return First((load_verifier(rules, **of_rules), judge), judge.when or WHEN, keep="best")
