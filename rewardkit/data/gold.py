"""The answer in a gold that is more than that: a solution with a box, one that ends with ####."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from rewardkit.errors import DataError
from rewardkit.verifiers.format.boxes import last_box

_WORD = re.compile(r"(?<!\\)\b[^\W\d_]{2,}")
LOOKED_AT = 100
"""Golds at the beginning of a data set that show what all of them are."""


def _boxed(gold: str) -> str:
    box = last_box(gold)
    return box.text if box else ""


def _behind_hashes(gold: str) -> str:
    return gold.rpartition("####")[2].strip() if "####" in gold else ""


def _last_line(gold: str) -> str:
    return gold.strip().rpartition("\n")[2].strip()


AS_IS = "as_is"
FORMS: Mapping[str, tuple[Callable[[str], str], str]] = {
    "boxed": (_boxed, r"what the last \boxed{} of it holds"),
    "hash": (_behind_hashes, "what stands behind its last ####"),
    "last_line": (_last_line, "its last line"),
    AS_IS: (str.strip, "all of it"),
}
"""By the name of a form: what takes the answer out of a gold (empty for none), and in words."""
FOUND_OUT = ("boxed", "hash")
"""Forms that golds show by themselves; the others have to be said."""


def form_of(golds: Iterable[str]) -> str:
    r"""Return the form that all golds have: `boxed` or `hash`, else `as_is`.

    >>> form_of([r"So $x = 2$, and $\boxed{2}$.", r"\boxed{\frac12}"]), form_of(["2 #### 3", "4"])
    ('boxed', 'as_is')
    """
    held = list(golds)
    for form in FOUND_OUT:
        if held and all(FORMS[form][0](gold) for gold in held):
            return form
    return AS_IS


def prose(golds: Iterable[str]) -> str | None:
    """Return a gold that is a sentence, where most are: no number equals one.

    >>> prose(["So Bob has 11 apples.", "12", "They pay 3 dollars in all."]), prose(["12", "x + 1"])
    ('So Bob has 11 apples.', None)
    """
    held = list(golds)
    sentences = [gold for gold in held if len(_WORD.findall(gold)) >= 3]
    return sentences[0] if 2 * len(sentences) > len(held) else None


def answer_in_gold(gold: str, form: str, where: Callable[[], str] | None = None) -> str:
    r"""Return the answer that a gold of a form holds.

    Args:
        gold: the text of a row.
        form: of `FORMS`.
        where: says where the row stands, if each gold must be of the form; otherwise one that is
            not stays as it is.

    Raises:
        DataError: a gold that must be of the form is not.

    >>> answer_in_gold(r"Since $2x = 4$, $x = \boxed{2}$.", "boxed")
    '2'
    """
    take, what = FORMS[form]
    if answer := take(gold):
        return answer
    if where is None:
        return gold
    raise DataError(
        f"{where()}: the answer is to be {what} (task.gold = {form!r}), and {gold[:60]!r} has "
        f"none; take another of {', '.join(FORMS)}"
    )
