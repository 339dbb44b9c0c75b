"""MathVerifier: the final answer of a response against a gold answer, by what both mean."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import lru_cache

from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers import worker
from rewardkit.verifiers.compare import compare
from rewardkit.verifiers.equality import Answer, check_workable
from rewardkit.verifiers.extraction import bare_answer, extract
from rewardkit.verifiers.findings import Finding, different, equal
from rewardkit.verifiers.limits import NeedsSympy, NotAnswer, TooComplex, work
from rewardkit.verifiers.nodes import Node, contains, node
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parser import parse
from rewardkit.verifiers.pool import VerifierPool
from rewardkit.verifiers.spelling import unify
from rewardkit.verifiers.surface import trim

SYMPY_CPU_SECONDS = 3.0
SYMPY_SECONDS = 30.0
"""Of one direct call: the CPU time decides; the wall clock is for a machine that stands still."""
Reading = Node | str
"""What an answer was parsed into; a str is an answer that is words rather than mathematics."""


@dataclass(frozen=True, slots=True)
class MathVerifier(MathOptions):
    r"""Grade the final mathematical answer of a response against a gold answer.

    The text is parsed by rewardkit's own parser and evaluated within fixed limits, in the calling
    process; no text reaches `eval` or sympy. Only integrals, limits and endless sums go to sympy,
    built from the tree, in a worker process that is killed when it has spent its CPU time. It
    never raises on text. The options, inherited from `MathOptions`, are the policies.

    >>> verdict = MathVerifier()(r"So the area is \boxed{\frac{\sqrt2}{2}}.", r"1/\sqrt{2}")
    >>> verdict.outcome, verdict.method
    (<Outcome.CORRECT: 'correct'>, 'symbolic')
    """

    def __call__(self, response: str, answer: str) -> Verdict:
        """Return the verdict on one response."""
        verdict = self.quick(response, answer)
        if verdict is not None:
            return verdict
        if worker.in_worker:
            return self._verdict(response, answer, sympy=True)
        return _sympy_pool(self).verify_one(response, answer)

    def quick(self, response: str, answer: str) -> Verdict | None:
        """Return the verdict on one response, or None when deciding it may take unbounded work."""
        try:
            return self._verdict(response, answer, sympy=False)
        except NeedsSympy:
            return None

    def _verdict(self, response: str, answer: str, *, sympy: bool) -> Verdict:
        started = time.perf_counter()
        work.begin()
        try:
            outcome, extracted, gold, finding = self._decide(response, answer, sympy)
        except NeedsSympy:
            raise
        except Exception as error:  # noqa: BLE001 a bug of ours must not end a training run
            outcome, extracted, gold = Outcome.ERROR, None, answer
            finding = different("error", f"{type(error).__name__}: {error}"[:300])
        seconds = time.perf_counter() - started
        return Verdict(outcome, extracted, gold, finding.method, finding.reason, seconds)

    def _decide(
        self, response: str, answer: str, sympy: bool
    ) -> tuple[Outcome, str | None, str, Finding]:
        gold_text = _gold_text(answer)
        if not gold_text:
            return Outcome.BAD_GOLD, None, answer, different("gold", "the gold answer is empty")
        fault = gold_fault(gold_text)
        if fault is not None:
            return Outcome.BAD_GOLD, None, answer, different("gold", fault)
        found = extract(response, self)
        if found is None or not (text := _PREFACE.sub("", trim(found.text))):
            nothing = different("extraction", "no answer in the response")
            return Outcome.NO_ANSWER, None, gold_text, nothing
        try:
            finding = self._compare(gold_text, text, sympy)
        except TooComplex as limit:
            finding = Finding(Answer.UNKNOWN, "limits", str(limit))
            return Outcome.TIMEOUT, text[:500], gold_text, finding
        outcome = Outcome.CORRECT if finding.equal else Outcome.INCORRECT
        return outcome, text[:500], gold_text, finding

    def _compare(self, gold_text: str, text: str, sympy: bool) -> Finding:
        plain = _as_integer(text)
        if plain is not None and (wanted := _as_integer(gold_text)) is not None:
            return _SAME_INTEGER if plain == wanted else _OTHER_INTEGER
        option, chosen = _option(gold_text), _option(text)
        if option and chosen:
            return self._options(option, chosen, sympy)
        if option and option[1]:
            found = self._compare(option[1], text, sympy)  # `(B) 24` is 24 as well
            if found.equal:
                return found
        if chosen and chosen[1] and not option:
            found = self._compare(gold_text, chosen[1], sympy)  # and `(B) 24` says 24
            if found.equal:
                return found
        gold = gold_reading(gold_text)
        if _unspaced(text) == _unspaced(gold_text):
            return equal("exact", "both are written alike")
        if self.text != "never" and _is_name(gold_text) and gold_text.lower() == text.lower():
            return equal("text", "the same name")
        pred = reading(text)
        finding = self._compare_readings(gold, pred, gold_text, text, sympy)
        if finding.equal:
            return finding
        for again in (_as_lists, _decimal_comma):
            if (other := again(gold_text, text)) is not None:
                second = self._compare_readings(*other, gold_text, text, sympy)
                if second.equal:
                    return second
        return finding

    def _options(self, gold: tuple[str, str], pred: tuple[str, str], sympy: bool) -> Finding:
        if gold[0] != pred[0]:
            return different("choice", "other option")
        if gold[1] and pred[1] and not self._compare(gold[1], pred[1], sympy).equal:
            return different("choice", "the same option with another text")
        return equal("choice", "the same option")

    def _compare_readings(
        self, gold: Reading, pred: Reading, gold_text: str, text: str, sympy: bool
    ) -> Finding:
        if isinstance(gold, Node) and isinstance(pred, Node):
            return compare(gold, pred, self, sympy=sympy)
        if isinstance(gold, Node) != isinstance(pred, Node) and not _may_be_words(gold, pred):
            return different("kind", "one side is mathematics, the other is not")
        if self.text == "never":
            return different("text", "answers in words are not compared")
        mine, theirs = words(gold_text), words(text)
        if mine and mine == theirs:
            return equal("text", "the same words")
        return different("text", "the words differ")


@lru_cache(maxsize=8)
def _sympy_pool(verifier: MathVerifier) -> VerifierPool:
    """Return the one worker that direct calls of such a verifier share, started when needed."""
    return VerifierPool(verifier, workers=1, deadline_s=SYMPY_SECONDS, cpu_s=SYMPY_CPU_SECONDS)


@lru_cache(maxsize=4096)
def _gold_text(answer: str) -> str:
    return _PREFACE.sub("", trim(bare_answer(answer)))


_PREFACE = re.compile(
    r"^(?:(?:the )?(?:final )?ans(?:wer)?(?: is|:)\s*:?"
    r"|\\(?:text|mathrm|textbf)\s*\{\s*(?:the )?(?:final )?ans(?:wer)?(?: is|:)\s*:?\s*\})\s*",
    re.I,
)
_INTEGER = re.compile(r"[-+]?[0-9]{1,4000}+")
_SAME_INTEGER = equal("exact", "the same integer")
_OTHER_INTEGER = different("exact", "other integer")


def _as_integer(text: str) -> int | None:
    return int(text) if _INTEGER.fullmatch(text) else None


@lru_cache(maxsize=4096)
def reading(text: str) -> Reading:
    """Return an answer parsed, or as words when it is no mathematics.

    Raises:
        TooComplex: it is beyond the static limits.
    """
    try:
        return parse(text)
    except NotAnswer:
        return text


def gold_reading(text: str) -> Reading:
    """Return a gold answer parsed; of a chain or sentence that does not parse, its last side.

    Raises:
        TooComplex: it is beyond the static limits.
    """
    whole = reading(text)
    sides = _SAYS.split(whole) if isinstance(whole, str) and not _DENIES.search(whole) else []
    if len(sides) > 1 and all(side.strip() for side in sides):
        last = reading(sides[-1])
        return last if isinstance(last, Node) else whole
    return whole


@lru_cache(maxsize=4096)
def gold_fault(text: str) -> str | None:
    """Return what is wrong with a gold that is neither mathematics nor words, else None.

    >>> gold_fault(r"\\frac{1}{"), gold_fault("an ellipse")
    ('the braces of the gold answer are not balanced', None)
    """
    if _as_integer(text) is not None:
        return None
    if _CONTROL.search(text):
        return "the gold answer holds control characters"
    try:
        if isinstance(tree := gold_reading(text), Node):
            check_workable(tree)
            return None
    except TooComplex as limit:
        return f"the gold answer is beyond the limits: {limit}"
    if _SIGN.fullmatch(text):
        return None
    braces = re.findall(r"(?<!\\)[{}]", text)
    if braces.count("{") != braces.count("}"):
        return "the braces of the gold answer are not balanced"
    if text.count("\\begin") != text.count("\\end"):
        return "an environment of the gold answer is not closed"
    if not _SPOKEN.search(_STRUCTURE.sub("", text)):
        return "the gold answer is neither mathematics nor words"
    return None


_SAYS = re.compile(r"=|\b(?:is|are)\b")
_DENIES = re.compile(r"\b(?:not|no|n't|never|or)\b")
_SIGN = re.compile(r"[<>=≤≥≠+×÷*/-]|\\(?:[lg](?:e|eq|t)|neq?|times|div)")
_CONTROL = re.compile(r"[\x00-\x07\x0e-\x1f\x7f]")
"""None that a wrongly escaped `\\t`, `\\b`, `\\f`, `\\r` of a LaTeX command leaves."""
_STRUCTURE = re.compile(
    r"\\(?:[dtc]?frac|sqrt|left|right|boxed|fbox|text|cdot|times|pm|in|[lg]eq?|neq?)\b"
)
_SPOKEN = re.compile(r"[^\W\d_]{2}|[^\W\d_\x00-\x7f]")
"""What words have, and a broken formula of one-letter names has not."""
_BETWEEN_DIGITS = re.compile(r"(?<=\d)\s+(?=\d)")
_JOINED = re.compile(r"\d,\d{3}(?!\d)")
_ONE = re.compile(r"\d,0\d\d(?!\d)")
"""No item of a list begins with a zero."""
_COMMA = re.compile(r"-?(?:0,\d+|\d+,(?!\d{3}\Z)\d+)")
"""Three digits after it make it a separator of thousands."""


_ONE_IN_BRACES = re.compile(r"(?<=[_^])\{([^{}\s\\])\}")
_UPRIGHT = re.compile(r"\\(?:text|mathrm)\s*\{([^{}]*)\}")
_STYLED = re.compile(r"\\(?:text(?:bf|rm|it)?|math(?:rm|bf)|mbox)\s*\{([^{}]*)\}")
_LETTERED = re.compile(
    r"(?:(?:the\s+)?(?:correct\s+)?(?:option|choice|answer)\b(?:\s+is\b)?[:\s]*)?"
    r"(?:\(([A-F])\)((?:[\s.:~]|\\ )+\S.*|[\w\\$].*)?|([A-F])[).:]\s+(\S.*)|([A-F])\)?)",
    re.S | re.I,
)


def _is_name(text: str) -> bool:
    """Return whether a text is a capitalised word: `Tom` and `tom` are no products."""
    return len(text) > 2 and text.isalpha() and text.istitle()


def _unspaced(text: str) -> str:
    if "\\text" in text or "\\mathrm" in text:  # `\text{Fe}_2\text{O}_3`
        text = _UPRIGHT.sub(r"\1", _ONE_IN_BRACES.sub(r"\1", text))
    return "".join(_BETWEEN_DIGITS.sub("\0", text).split())


def _option(text: str) -> tuple[str, str] | None:
    """Return the option that `A`, `(A)` or `(A) 15` chooses and what is said of it, or None."""
    if len(text) > 300:
        return None
    if styled := _STYLED.match(text):
        inner = styled[1].strip()
        # `\\text{C} 14` names option C; `C 14` would be a product.
        inner = f"({inner})" if len(inner) == 1 and styled[0] != text else inner
        text = inner + text[styled.end() :]
    match = _LETTERED.fullmatch(text)
    letter = (match[1] or match[3] or match[5]) if match else None
    if match is None or letter is None or not letter.isupper():
        return None
    return letter, (match[2] or match[4] or "").strip(" \\.:~\n")


def _as_lists(gold_text: str, text: str) -> tuple[Node, Node] | None:
    """Read `100,200` as two numbers where it could also be one, and the other side is a list.

    In order: what separates them is a guess, and no guess may reorder what was written.
    """
    if bool(_JOINED.search(gold_text)) == bool(_JOINED.search(text)) or _ONE.search(
        gold_text + " " + text
    ):
        return None
    try:
        gold, pred = parse(gold_text, thousands=False), parse(text, thousands=False)
    except NotAnswer:
        return None
    if gold.kind == pred.kind == "list":
        return node("seq", "(", ")", *gold.args), node("seq", "(", ")", *pred.args)
    return gold, pred


def _decimal_comma(gold_text: str, text: str) -> tuple[Node, Node] | None:
    """Read `2,74` as 2.74 when the other side is a decimal."""
    for one, other in ((gold_text, text), (text, gold_text)):
        if _COMMA.fullmatch(one) and re.fullmatch(r"-?\d*\.\d+", other):
            return parse(one.replace(",", ".")), parse(other)
    return None


def _may_be_words(gold: Reading, pred: Reading) -> bool:
    """Return whether the parsed side is just letters, so that both may be words."""
    parsed = gold if isinstance(gold, Node) else pred
    return isinstance(parsed, Node) and not contains(parsed, "num", "div", "pow", "rel", "call")


_ARTICLES = frozenset({"a", "an", "the", "is", "are", "and"})
_LATEX_STYLE = re.compile(
    r"\\(?:text|textbf|textrm|mathrm|mbox|textit|mathbf|operatorname|left|right|displaystyle"
    r"|textstyle)\b\s*"
)
_SPELLINGS = [
    (re.compile(r"\\[dtc]frac\b"), r"\\frac"),
    (re.compile(r"\\([lg])eq(?:slant)?\b"), r"\\\1e"),
    (re.compile(r"\\neq\b"), r"\\ne"),
    (re.compile(r"\\forall\b"), "for all "),
]
_WORD = re.compile(r"[^\W_]+|[^\s\w{}$,.;:\"'!?]")


def words(text: str) -> list[str]:
    """Return the words and signs of a text answer, for comparing; articles and style are dropped.

    >>> words(r"\\text{The Ellipse.}") == words("an ellipse")
    True
    """
    text = re.sub(r"\\[,;:! ]|\\q?quad\b|~", " ", _LATEX_STYLE.sub(" ", unify(text)))
    for pattern, plain in _SPELLINGS:
        text = pattern.sub(plain, text)
    return [w for w in _WORD.findall(text.casefold()) if w not in _ARTICLES]
