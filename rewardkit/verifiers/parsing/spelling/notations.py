"""One spelling for notations that are written in many ways: LaTeX's, plain text's, money's, units'.

What depends on the mathematics around it is the parser's.
"""

from __future__ import annotations

import re
from itertools import accumulate

from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.parsing.spelling.rules import apply, holds_one, table
from rewardkit.verifiers.parsing.spelling.units import with_units_upright
from rewardkit.verifiers.vocabulary import units
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import JOINING_ELSEWHERE, OR_ELSEWHERE


def _freed(match: re.Match[str]) -> str:
    """Take an `and` that ends a text command out of it, in any language: it separates answers."""
    inner = match[1].strip(" ,\t\n")
    if inner in JOINING_ELSEWHERE and match.start() > 0 and match.end() < len(match.string):
        return " or " if inner in OR_ELSEWHERE else " and "
    last = re.search(r"\b(and|or)\Z", inner)
    if last is None:
        return match[0]
    before = inner[: last.start()].strip(" ,\t\n")
    return (f"\\text{{{before}}} " if before else " ") + f" {last[1]} "


_TEXT = TEXT_COMMAND + r"\s*\{\s*"
_SYSTEM = r"\{(?:array|aligned|matrix)\}"
_CONDITION = r"[A-Za-z]\s*(?:\\(?:in|geq?|leq?|neq?)\b|[<>])[^()]{1,60}"
_C = r"(?<![A-Za-z\\=])(?<!= )(?:" + _TEXT + r"C\s*\}|C)"
_SPEED = r"({})/({})(\^\{{?[23]\}}?)?((?:\s(?:due|to|the)){{0,2}}\s{})?\Z".format(
    *map(alternatives, (*units.RATES, units.DIRECTIONS))
)
_PER = alternatives(n for n in units.UNITS if len(n) > 3 and n.isalpha() and n.islower())
_MICRO = alternatives(units.SYMBOLS.keys() - {"N", "K", "ohm", "J"})
"""What micro stands before, where `\\mu N` is a friction."""
_MONEY = alternatives(name for name in units.CURRENCIES if name.isalpha())
_GAP = r"(?<=[\d}])[\s~]*(?:\\[,;: ])*\s*"
_NOTATIONS = table(
    # \left\{\begin{array} ... \end{array}\right. is a system
    ("\\right.", rf"\\left\s*\\(?:\{{|lbrace\b)\s*\\begin{_SYSTEM}(?:\{{[^{{}}]*\}})?(.*?)"
     rf"\\end{_SYSTEM}\s*\\right\s*\.", r"\\begin{cases}\1\\end{cases}"),
    # (-oo, 1) or (3, oo)
    ("or", r"(?<=[)\]])\s+or\s+(?=[(\[][^(),\[\]]{1,40},(?![^()]*\)\s*=))", r"\\cup "),
    # what is not seen
    ("{", r"\\(?:(?:text)?color|[hv]?phantom|tag\*?|label|(?:[hv]|m)space\*?)\s*\{[^{}]*\}", " "),
    ("\\not", r"\\not\s*(=|\\in\b)", lambda m: "\\ne " if m[1] == "=" else "\\notin "),
    # 3 (mod 7), 17 \text{ mod } 5
    ("mod", _TEXT + r"(\(?)\s*mod\s*\}", r"\1\\bmod "),
    ("mod", r"\(\s*\\?b?mod\b[\s~]*([^()]{1,40})\)|" + _TEXT + r"\(\s*mod\s*([^()]{1,9})\)\s*\}",
     r"\\pmod{\1\2}"),
    # twenty-five is no difference
    ("-", rf"(?i)\b({alternatives(NUMBER_WORDS)})-(?=[a-z]{{3}})", r"\1 "),
    # spaces and separators, 1{,}234, 1\,234
    ("{", _TEXT + r"([,;:.]?)\s*\}", r"\1 "),
    ("", r"(?<=\d)(?:,\s?\\!\s*|\\[,;: !]|\{\\?,\})(?=\d{3}(?!\d))", ""),
    ("}", r"(?:\\math(?:bin|rel))?\{(:|,|\\,)\}", r"\1"),
    ("{", _TEXT + rf"(\\(?:%|\$|{_MONEY}))\s*\}}", r"\1 "),
    ("U", r"(?<=[)\]])\s*U\s*(?=[(\[])", r"\\cup "),
    ("quad", r"(=[^=,;&\\]{1,80}?)\\q?quad\b\s*(?=\\?[A-Za-z][\w{}]{0,12}\s*=)", r"\1, "),
    ("{}", r"(?<=[\d)\]}])\^?\{\}", ""),
    # the length |AB|, \mathbf i
    ("|", r"\|\s*(?:\\(?:overline|vec|overrightarrow)\s*\{\s*)?([A-Z]{2})\s*\}?\s*\|", r"\1"),
    ("\\mathbf", r"\\mathbf\s+([a-zA-Z])(?![a-zA-Z])", r"\\mathbf{\1}"),
    # R in bold is the set where it is all there is, or follows "in"
    ("\\mathbf", r"(?:\A|(?<=\\in)|(?<=\\in ))\\mathbf\s*\{?([RZNQ])\}?", r"\\mathbb{\1}"),
    # 0.\dot2\dot7, 0.\dot{3}, 0.(3)
    ("\\dot", r"(?<=[.\d])\\dot\s*\{?(\d)\}?(?:(\d*)\\dot\s*\{?(\d)\}?)?", r"\\overline{\1\2\3}"),
    (".", r"(?<![\d.])(\d*\.\d*)\((\d{1,9})\)\Z", r"\1\\overline{\2}"),
    # rows of a matrix with room between them
    ("\\\\[", r"\\\\\[\s*-?[\d.]{1,9}\s*(?:pt|em|ex|mm|cm)\s*\]", r"\\\\ "),
    # money
    ("Rs", r"(?:" + _TEXT + r"Rs\.?\s*\}|(?<![A-Za-z\\])Rs\.?\s?(?=\d))", r"\\rupees "),
    # k\Omega, 5 \mu\text{m}
    ("\\Omega", rf"{_GAP}(?:{_TEXT})?([kM]?)\s*\}}?\s*\\Omega\s*\}}?\s*\Z", r"\\text{ \1ohm}"),
    ("\\mu", rf"{_GAP}(?:{_TEXT})?\\mu\s*(?:{_TEXT})?({_MICRO})\s*\}}?\s*\Z", r"\\text{ micro\1}"),
    # 100^{\circ}\mathrm{C}, 100~\text{°C}
    ("\\circ", rf"\^\s?\{{\s*\\circ\s*\}}(?=\s?(?:{_TEXT})?\s?[CF](?![A-Za-z]))", r"^\\circ "),
    ("\\circ", _TEXT + r"\^\s?(?:\{\s*)?\\circ\s*\}?\s*([CF])\s*\}", r"^\\circ \1"),
    # binomial coefficients, but not as a step of a chain: `T_7 = C_{10}^6` names what it counts
    ("C", r"(?:\{\}\s*)?[_^]\{?(\d{1,9})\}?\s*C_\{?(\d{1,9})\}?|"
     rf"{_C}_\{{?(\d{{1,9}})\}}?\s*\^\{{?(\d{{1,9}})\}}?"
     r"|(?<![A-Za-z\\])C\((\d{1,9}),\s*(\d{1,9})\)", r"\\binom{\1\3\5}{\2\4\6}"),
    # 9.8 m/s^2, whose letters would be variables
    ("/", r"(?<=\d) " + _SPEED, r"\\text{ \1/\2\3\4}"),
    # \$35/\text{hour}, 35/hour
    ("/", rf"(?<=\d)\s?/\s?(?:{_TEXT}([a-z]{{3,12}})\s*\}}|({_PER})\Z)", r"\\text{ per \1\2}"),
    # 3/4%
    ("/", r"(?<![\d/.])(\d+)/(\d+)(?=\s?(?:\\?%|per\s?cent\b))", r"\\frac{\1}{\2}"),
    # 6.02 x 10^23
    ("x", r"(?<=\d) x (?=\d)|(?<=\d) ?x ?(?=10 ?\^)", r" \\times "),
    # a_n = 2n - 1 (n \ge 1), f(x) = x \forall x \in \mathbb{R}: a condition after the answer
    ("", r"(?:(?<=[\])}])\s*|(?<=[^\s,;])[\s\\~]+)\(\s*(" + _CONDITION + r")\)\s*\Z"
     r"|\\forall\s*(" + _CONDITION + r")\Z", r", \1\2"),
    # \text{ and } and 3or4 separate answers
    ("{", TEXT_COMMAND + r"\s*+\{([^{}]*+)\}", _freed),
    ("", r"(?<=[\d)}\]])\s*(or|and)\s*(?=[A-Za-z]\s*[(=_]|[\d({\[\\-])", r" \1 "),
    # ln 3 (≈ 1.0986)
    ("\\approx", r"(?<=[\w)}])\s*\(\s*\\approx[^()]{1,40}\)\s*\Z", ""),
    # 1 234
    (" ", r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![\d/]|\. )", lambda m: m[0].replace(" ", "")),
)  # fmt: skip
_OF_PLAIN_TEXT = tuple(
    rule for rule in _NOTATIONS if not (rule.styled or "\\" in rule.sign or "{" in rule.sign)
)
"""Those that a text without a command or brace may hold."""
_AS_THEY_STAND = (
    ("~", " "), ("m\\angle", "\\angle"), ("\\left<", "\\langle "), ("\\left <", "\\langle "),
    ("\\right>", "\\rangle "), ("\\right >", "\\rangle "), ("\\textdollar", "\\$"),
)  # fmt: skip
_THOUSANDS = re.compile(
    r"(?<![\d.])(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,2}(?:,\d\d){1,5},\d{3}(?![\d,]))"
)


def respell(text: str) -> str:
    r"""Return an answer with one spelling for notations that have many.

    >>> respell(r"3\ (\text{mod }7)")
    '3\\ \\pmod{7}'
    """
    text = unify(text)
    for written, plain in _AS_THEY_STAND:
        if written in text:
            text = text.replace(written, plain)
    if "\\" in text or "{" in text or holds_one(_OF_PLAIN_TEXT, text):
        text = apply(_NOTATIONS, text)
    text = with_units_upright(text)
    return _join_thousands(text) if _THOUSANDS.search(text) else text


def _join_thousands(text: str) -> str:
    """Join `1,234` where it stands outside brackets; `(1,234)` is a pair."""
    depths = list(accumulate((c in "([{") - (c in ")]}") for c in text))
    return _THOUSANDS.sub(lambda m: m[0].replace(",", "") if depths[m.start()] <= 0 else m[0], text)
