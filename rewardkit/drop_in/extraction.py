"""`parse` and its extraction configurations: which part of a text may hold the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from rewardkit.errors import ConfigError
from rewardkit.verifiers.expressions.arithmetic import Unsupported
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.format.boxes import box_at
from rewardkit.verifiers.format.found import Found
from rewardkit.verifiers.format.markers import LABELS
from rewardkit.verifiers.gold import answer_alone, gold_text
from rewardkit.verifiers.kinds import Kind
from rewardkit.verifiers.lenient.numbers import NUMBER, is_value
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.reading import read

_NEAR = 20_000
"""Characters at the end of a text in which formulas are looked for."""
_BOX = re.compile(r"\\(?:boxed|fbox)\b")
_FRACTION = re.compile(r"-?\\[dtc]?frac\s{0,5}\{[^{}]+\}\s{0,5}\{[^{}]+\}")
_FORMULA = re.compile(
    r"\$\$.{1,500}?\$\$|\\\[.{1,500}?\\\]|(?<!\\)\$(?:\\.|[^$\\\n])+\$"
    r"|\\\((?:\\(?!\))|[^\\\n]){1,500}\\\)|\\(?:boxed|fbox|begin)\b|\x08oxed|\\[dtc]?frac\s*\{",
    re.S,
)
"""What math-verify takes for a formula; one within a line ends on it."""
_ONE = r"(?:\$\$?[^$]+\$\$?|\\\[.{1,500}?\\\]|\\\(.{1,500}?\\\))"
_JOINED = re.compile(rf"{_ONE}(?:\s{{0,5}}(?:,?\s?\b(?:and|or)\b|,)\s{{0,5}}{_ONE})*", re.S)
"""A formula of any kind, and those that it is joined to."""
_DELIMITERS = re.compile(r"\$+|\\[\[\]()]")
_MALFORMED = re.compile(r"\\[dtc]?frac(?!\s*\{)|\\sqrt(?!\s*[\[{])")
_AND_IN_WORDS = re.compile(r"\\text\{[^{}]{0,60}\band\s*\}(?=\s*\\boxed)")
"""Words of a formula that join its boxes, such as "for part (a) and"."""
_BESIDE_A_WORD = r"(?:^|(?<=\s)|(?<=\*\*)|(?<=\())(?:{})(?=\*\*|[.,:)\s]|$)"
_NAMED = "(?i:" + "|".join(map(re.escape, LABELS)) + ")"
_BESIDE_HAN = re.compile(
    r"(?<=[\u3000-\u9fff\uff00-\uffef])(?=[A-Za-z0-9\\])"
    r"|(?<=[A-Za-z0-9}])(?=[\u3000-\u9fff\uff00-\uffef])"
)
"""Where Chinese or Japanese, which has no spaces, touches a value."""
_MAX_BETWEEN, _MAX_BOXES = 14, 20
"""Characters between the boxes of a gold answer that are one answer, and how many those may be."""


@dataclass(frozen=True, slots=True)
class NormalizationConfig:
    r"""How formulas are rewritten before they are read, by latex2sympy2_extended's names.

    >>> strict = LatexExtractionConfig(normalization_config=NormalizationConfig(units=True))
    >>> parse(r"$\frac12$", [strict]), [str(part) for part in parse(r"$\frac12$")][:1]
    ([], ['\\frac12'])
    """

    basic_latex: bool = True
    """No effect: such commands are always read."""
    units: bool = False
    """No effect: units are always read."""
    malformed_operators: bool = False
    r"""Whether `\frac12` and `\sqrt2` are read."""
    nits: bool = False
    """No effect: small slips are always read."""
    boxed: Literal["all", "last", "none"] = "all"
    """No effect: see `LatexExtractionConfig.boxed_match_priority`."""
    equations: bool = False
    """No effect: of an equation its value is read."""


@dataclass(frozen=True, slots=True)
class LatexExtractionConfig:
    """Formulas are read: in dollar signs, `\\[...\\]`, `\\(...\\)` or a box."""

    try_extract_without_anchor: bool = True
    """Whether a formula counts that is in no box, and not named the answer."""
    boxed_match_priority: int = 50
    """Below 0 boxes are not read; above 50 what is named the answer counts before a box."""
    normalization_config: Any = None
    """Ours or theirs: with `malformed_operators=False` no `\\frac12` is read; all else is."""


@dataclass(frozen=True, slots=True)
class ExprExtractionConfig:
    """Numbers and calculations in plain text are read."""

    try_extract_without_anchor: bool = True
    """Whether one counts that is not named the answer."""


@dataclass(frozen=True, slots=True)
class StringExtractionConfig:
    """One of `strings` is read, such as the letter of an option; `lowercase`: given as such."""

    strings: tuple[str, ...] = ("A", "B", "C", "D")
    try_extract_without_anchor: bool = True
    """Whether one counts that is not named the answer."""
    lowercase: bool = True


Target = Any
"""One of the three above, or math-verify's own, or lighteval's."""
BOTH = (LatexExtractionConfig(), ExprExtractionConfig())


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text `pred` and what of it may be read, `targets`; sympy takes it for its expression.

    >>> str(Parsed("so it is $7$."))
    '7'
    """

    pred: str
    targets: tuple[Target, ...] = BOTH

    def __str__(self) -> str:
        """Return the value that it has as a gold answer."""
        return gold_of(self.pred, self.targets)

    def _sympy_(self) -> Any:
        import sympy

        from rewardkit.verifiers.expressions.sympy_bridge import _built

        tree = reading(str(self))
        try:
            if isinstance(tree, str):
                raise Unsupported("words")
            return _built(tree, sympy)
        except Unsupported as error:
            raise sympy.SympifyError(str(self)) from error


@lru_cache(maxsize=4096)
def gold_of(pred: str, targets: tuple[Target, ...]) -> str:
    r"""Return the value of a text as a gold answer: all of it, its boxes, or what it states.

    >>> gold_of(r"\boxed{1} paper and \boxed{2} bins", BOTH)
    '1, 2'
    """
    latex = _latex(targets)
    if latex is not None and latex.boxed_match_priority > 50:
        return answer_of(pred, targets, "expression") or gold_text(pred)
    boxes = _joined_boxes(pred)
    text = ", ".join(boxes) if len(boxes) > 1 else gold_text(pred)
    if is_value(text, number=False) or (_DELIMITERS.search(text) and _is_value(text)):
        return text
    return answer_of(pred, targets, "expression") or text


def _joined_boxes(text: str) -> list[str]:
    """Return what the last box holds, and those before it with no more than a word between."""
    boxes: dict[str, None] = {}
    end = len(text)
    for at in list(_BOX.finditer(text))[-_MAX_BOXES:]:
        if at.start() - end > _MAX_BETWEEN:
            boxes.clear()
        found = box_at(text, at.start(), len(text))
        end = found.end
        boxes[found.text] = None
    return list(boxes)


@lru_cache(maxsize=4096)
def answer_of(pred: str, targets: tuple[Target, ...], kind: Kind) -> str | None:
    """Return the one value of a response, where an answer of a kind is asked for."""
    latex = _latex(targets)
    priority = latex.boxed_match_priority if latex is not None else -1
    if priority < 0:
        pred = _BOX.sub("", pred)
    answer_in: tuple[str, ...] = ()
    if not any(one.try_extract_without_anchor for one in targets) or (
        priority == 0 and _BOX.search(pred)
    ):
        answer_in = ("box", "marker")
    elif priority > 50 and isinstance(read(pred, ("marker",), kind), Found):
        answer_in = ("marker",)
    found = read(pred, answer_in, kind)
    if not isinstance(found, Found):
        return None
    text = answer_alone(_BOX.split(found.text)[0].rstrip(" ,") if priority > 50 else found.text)
    if found.by != "box" and not _is_value(text):
        text = _last_value(pred[found.start : found.end]) or _last_value(pred) or text
    return None if _strict(latex) and _MALFORMED.search(text) else text


def _last_value(text: str) -> str | None:
    """Return the last formula of a text that is words otherwise, or the last number."""
    for pattern in (_JOINED, _FRACTION, NUMBER):
        if found := pattern.findall(text[-_NEAR:]):
            return _DELIMITERS.sub(" ", found[-1]).strip()
    return None


def _strict(latex: Target | None) -> bool:
    return not getattr(getattr(latex, "normalization_config", None), "malformed_operators", True)


def _is_value(text: str) -> bool:
    try:
        return isinstance(reading(text), Node)
    except TooComplex:
        return True


def _latex(targets: Iterable[Target]) -> Target | None:
    return next((one for one in targets if hasattr(one, "boxed_match_priority")), None)


def parse(
    pred: str,
    extraction_config: Sequence[Target] = BOTH,
    fallback_mode: Literal["no_fallback", "first_match"] = "first_match",
    extraction_mode: Literal["first_match", "any_match"] = "any_match",
    parsing_timeout: int | None = 5,
    raise_on_error: bool = False,
) -> list[Any]:
    """Return what a text may hold, as math-verify's `parse`: an empty list where that is nothing.

    Args:
        pred: a gold answer or a response.
        extraction_config: what is read of it.
        fallback_mode: whether the value's text stands in the list, behind the value.
        extraction_mode: one value is read in either; math-verify tries several in `any_match`.
        parsing_timeout: nothing to wait for: parsing ends after so many steps, in any thread.
        raise_on_error: nothing to raise: no text makes parsing fail.

    Raises:
        ConfigError: a configuration is none of the three.

    >>> [str(part) for part in parse("so the answer is 1/2")], parse("no answer")
    (['1/2', '1/2'], [])
    >>> parse("The answer is A.", [StringExtractionConfig()])
    ['a', 'A']
    """
    targets = tuple(extraction_config)
    for one in targets:
        if not hasattr(one, "try_extract_without_anchor"):
            known = "LatexExtractionConfig(), ExprExtractionConfig() or StringExtractionConfig()"
            raise ConfigError(f"extraction_config holds {one!r}; expected {known}")
    if not pred.isascii():
        pred = _BESIDE_HAN.sub(" ", pred)
    pred = _AND_IN_WORDS.sub("and", pred)
    words = next((one for one in targets if hasattr(one, "strings")), None)
    others = tuple(one for one in targets if one is not words)
    found: list[Any] = _word(pred, words, named=True) if words else []
    if not found and others and _holds_any(pred, others):
        value = Parsed(pred, others)
        if not (_strict(_latex(others)) and _MALFORMED.search(str(value))):
            found = [value, str(value)]
    if not found and words is not None and words.try_extract_without_anchor:
        found = _word(pred, words, named=False)
    return found[:1] if fallback_mode == "no_fallback" else found


def _holds_any(pred: str, targets: tuple[Target, ...]) -> bool:
    latex = _latex(targets)
    if latex is not None and latex.boxed_match_priority < 0:
        pred = _BOX.sub("", pred)
    return (latex is not None and _FORMULA.search(pred[-_NEAR:]) is not None) or (
        len(targets) > (latex is not None) and any(map(str.isdigit, pred))
    )


def _word(pred: str, words: Target, *, named: bool) -> list[str]:
    """Return the last word that is named the answer, or else the first of all, or the last."""
    one = _BESIDE_A_WORD.format("|".join(map(re.escape, words.strings)))
    patterns = [rf"{_NAMED}.{{0,50}}?({one})"] if named else [rf"\A(?:\*\*)?({one})", f"({one})"]
    for pattern in patterns:
        if found := re.findall(pattern, pred[-_NEAR:]):
            return [found[-1].lower() if words.lowercase else found[-1], found[-1]]
    return []
