"""One spelling for notations that are written in many ways: LaTeX's, plain text's, money's, units'.

What depends on the mathematics around it is the parser's.
"""

from __future__ import annotations

import re
from itertools import accumulate

from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.parsing.spelling.digits import BRACED, counted
from rewardkit.verifiers.parsing.spelling.rules import apply, holds_one, table
from rewardkit.verifiers.parsing.spelling.units import in_two_units, with_units_upright
from rewardkit.verifiers.vocabulary import units
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, JOINING_ELSEWHERE, OR_ELSEWHERE


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


def _with_code(match: re.Match[str]) -> str:
    """Return `CHF 45.50` with its unit behind the amount."""
    known = match[1].lower() in units.UNITS
    return f"{match[2]}\\text{{ {match[1].lower()}}}" if known else match[0]


def _code_upright(match: re.Match[str]) -> str:
    """Return the code of a currency behind an amount in a text command."""
    known = match[1].lower() in units.UNITS
    return f"\\text{{ {match[1].lower()}}}" if known else match[0]


_SYSTEM = r"\{(?:array|aligned|matrix)\}"
_IN_TEXT = TEXT_COMMAND + r"\s*\{\s*"
_CONDITION = r"[A-Za-z]\s*(?:\\(?:in|geq?|leq?|neq?)\b|[<>])[^()]{1,60}"
_C = r"(?<![A-Za-z\\=])(?<!= )(?:" + _IN_TEXT + r"C\s*\}|C)"
_SPEED = r"({})/({})(\^\{{?[23]\}}?)?((?:\s(?:due|to|the)){{0,2}}\s{})?\Z".format(
    *map(alternatives, (*units.RATES, units.DIRECTIONS))
)
_UPRIGHT = r"(?:" + TEXT_COMMAND + r"\s*)?\{?\s*%s\s*\}?"
_RATE_AS_FRACTION = (
    r"(?<=\d)(?:\s|\\[,;: ])*\\[dt]?frac\{" + _UPRIGHT + r"\}\{" + _UPRIGHT + r"\}[\s.]*\Z"
) % tuple(f"({alternatives(names)})" for names in units.RATES)
_PER = alternatives(n for n in units.UNITS if len(n) > 3 and n.isalpha() and n.islower())
_PART = alternatives(units.LARGER_UNITS | units.SMALLER_UNITS)
_MS = r"(?<![A-Za-z])(?:ms|" + _IN_TEXT + r"ms\s*\})\s*\^\s*\{?\s*-\s*"
_SYMBOLS = alternatives(units.SYMBOLS)
_NO_FORCES = alternatives(units.SYMBOLS.keys() - {"N", "K", "ohm", "J"})
"""What micro stands before in letters that are not upright, where `\\mu N` is a friction."""
_MONEY = alternatives(name for name in units.CURRENCIES if name.isalpha())
_GAP = r"(?<=\d)[\s~]*(?:\\[,;: ])*\s*"
_LINKS = r"(?:or|and|to|in|if|when|for|where|with|is)\b"
_GLUED = r"(?<=[\d)}\]])\s*%s\s*(?=[A-Za-z]\s*[(=_]|[\d({\[\\-])"
_TENS = [word for word, value in NUMBER_WORDS.items() if value >= 20]
_ONES = [word for word, value in NUMBER_WORDS.items() if 0 < value < 10]


def _behind(words: list[str]) -> str:
    """Return what sees behind a hyphen that one of some words ends with it."""
    return "(?:" + "|".join(rf"(?<=\b{word}-)" for word in words) + ")"


_GAPS = r"(?:\\[,;:! ]|~|\s){0,4}"
_UPRIGHT = r"\\(?:text|mathrm)\s?\{"
_NOTATIONS = table(
    ("quad", r"\A(?:\s*\\q?quad\b)+\s*|(?:\s*\\q?quad\b)+\s*\Z", ""),
    # \\( x \\), whose backslashes were doubled
    ("\\(", r"\A\s*\\\(((?:(?!\\[()]).)*)\\\)[.\s]*\Z", r"\1"),
    # \left\{\begin{array} ... \end{array}\right. is a system
    ("\\right.", r"\\left\s*\\(?:\{|lbrace\b)\s*\\begin" + _SYSTEM + r"(?:\{[^{}]*\})?",
     r"\\begin{cases}"),
    ("\\right.", r"\\end" + _SYSTEM + r"\s*\\right\s*\.", r"\\end{cases}"),
    # (-oo, 1) or (3, oo)
    ("or", r"(?<=[)\]])\s+or\s+(?=[(\[][^(),\[\]]{1,40},(?![^()]*\)\s*=))", r"\\cup "),
    # what is not seen
    ("{", r"\\(?:(?:text)?color|[hv]?phantom|tag\*?|label|(?:[hv]|m)space\*?)\s*\{[^{}]*\}", " "),
    ("\\not", r"\\not\s*=", r"\\ne "),
    ("\\not", r"\\not\s*\\in\b", r"\\notin "),
    # 3 (mod 7), 3 \text{(mod 7)}, 17 \text{ mod } 5
    ("mod", _IN_TEXT + r"\(\s*mod\s*\}?\s*(\w{1,9})\s*\)\s*\}?", r"\\pmod{\1}"),
    ("mod", _IN_TEXT + r"mod\s*\}", r"\\bmod "),
    ("mod", r"\(\s*\\?b?mod\b[\s~]*([^()]{1,40})\)", r"\\pmod{\1}"),
    # twenty-five is no difference
    ("ty-", rf"(?i:-{_behind(_TENS)}(?={alternatives(_ONES)}\b))", " "),
    # two-thirds
    ("-", rf"(?i:-{_behind(_ONES)}(?=(?:halves|thirds?|quarters?|[a-z]{{3,8}}ths?)\b))", " "),
    ("pH", r"(?<![A-Za-z\\{])pH(?![A-Za-z])", r"\\text{pH}"),
    # 1/2 cup is no union
    ("cup", r"(?<![\\\w])cup(?=\}|\s*\Z|\s+of\b)", "cups"),
    # x^2 + const.
    ("const", r"\+\s*(?:" + _IN_TEXT + r")?const(?:ant)?\b\.?\s*\}?[.\s]*\Z", "+ C"),
    # 5'3"
    ("'", r"(?<![\w.^])(\d{1,2})\s?'\s?(\d{1,2})\s?(?:\"|'')", r"\1 feet \2 inches"),
    # 9"
    ('"', r"(?<=\d)\s?\"\s*\Z", "''"),
    # half an hour, 2 h 5 min, 4 kg 500 g, 2h30
    # an hour, a week
    ("a", r"\A\s*(?:" + _IN_TEXT + rf")?an?\s+({alternatives(units.COUNTED_ALONE)})\s*\}}?\s*\Z",
     r"1\\text{ \1}"),
    ("half an", r"\bhalf an hour\b", "1/2 hour"),
    ("", rf"\A\d+\s?{_PART}(?:(?:,|\sand)?\s?\d[\d.]*\s?{_PART}){{1,2}}\Z", in_two_units),
    ("h", r"\A\s*(\d{1,2})\s?h\s?([0-5]\d)\s*\Z", r"\1 hours \2 minutes"),
    # spaces and separators
    ("~", _IN_TEXT + r"~", r"\\text{ "),
    ("~", r"(?<=[a-z])~(?=\})", " "),
    ("{", _IN_TEXT + r"([,;:.])\s*\}", r"\1 "),
    (":}", r"(?:\\math(?:bin|rel))?\{:\}", ":"),
    ("\\", _IN_TEXT + r"(\\%|\\\$)\s*\}|\\textdollar\b", r"\1"),
    ("{", _IN_TEXT + r"\}", " "),
    ("\\ ", r"(?<=[a-z{])\\ (?=[a-z}])", " "),
    ("\\&", r"\\&", " and "),
    ("{\\,}", r"\{\\,\}", r"\\,"),
    ("\\thin", r"\\thinspace\b", r"\\,"),
    ("U", r"(?<=[)\]])\s*U\s*(?=[(\[])", r"\\cup "),
    ("{", r"(?<=\d)" + _IN_TEXT + r"[eE]\}\{?([+-]?\d{1,9})\}?", r"e\1"),
    ("quad", r"(=[^=,;&\\]{1,80}?)\\q?quad\b\s*(?=\\?[A-Za-z][\w{}]{0,12}\s*=)", r"\1, "),
    ("{}", r"(?<=[\d)\]}])\^?\{\}", ""),
    # |AB| is the length of the segment AB
    ("|", r"\|\s*(?:\\(?:overline|vec|overrightarrow)\s*\{\s*)?([A-Z]{2})\s*\}?\s*\|", r"\1"),
    ("vert", r"\\lvert\s*([A-Z]{2})\s*\\rvert", r"\1"),
    # P(A \mid B), E[X], \mathbb{P}(X)
    ("P(", r"P\(([^()|]{1,40})(?:\||\\mid\b|\\vert\b)([^()|]{1,40})\)", r"P(\1,\2)"),
    ("\\mathbb", r"\\mathbb\s*(?:\{\s*([EP])\s*\}|([EP])(?![A-Za-z]))", r"\1\2"),
    ("E", r"(?<![A-Za-z\\])(E|Var)\s*\[([^\[\],]{1,40})\]", r"\1(\2)"),
    ("{", _IN_TEXT + r"(Var|Cov|SD|E|Pr)\s*\}(?=\s*\()", r"\1"),
    # \mathbf i
    ("\\mathbf", r"\\mathbf\s+([a-zA-Z])(?![a-zA-Z])", r"\\mathbf{\1}"),
    # R in bold is the set where it is all there is, or follows "in"
    ("\\mathbf", r"(?:\A|(?<=\\in)|(?<=\\in ))\\mathbf\s*\{?([RZNQ])\}?", r"\\mathbb{\1}"),
    ("\\var", r"\\var(epsilon|phi|theta|rho|sigma)(?![A-Za-z])", r"\\\1"),
    # \left.17\right. holds 17, not .17
    (".", r"\\(?:left|right)\s*\.", " "),
    ("\\underbrace", BRACED, counted),
    # 0.\dot2\dot7, 0.\dot{3}
    ("\\dot", r"(?<=[.\d])\\dot\s*\{?(\d)\}?(\d*)\\dot\s*\{?(\d)\}?", r"\\overline{\1\2\3}"),
    ("\\dot", r"(?<=[.\d])\\dot\s*\{?(\d)\}?\Z", r"\\overline{\1}"),
    # \text{Total cost: } 7, \text{Therefore, the answer is } 42
    ("{", TEXT_COMMAND + r"\s*\{([^{}:]{1,60}?)\s*:\s*\}", r"\\text{\1}: "),
    ("{", _IN_TEXT + rf"(?i:{alternatives(CONCLUSIONS)}),?\s+", r"\\text{"),
    # $60$ km/h, where the gold's unit stands outside
    ("$", r"\A\$([^$]*\d[^$]*)\$ (?!" + _LINKS + r")([A-Za-z][A-Za-z/^\d -]{0,40})\Z",
     r"\1\\text{ \2}"),
    ("cents", _IN_TEXT + r"\\text\{ cents\}\s*\}", r"\\text{ cents}"),
    # [k, k + 1](k \in \mathbb{Z})
    ("\\in", r"(?<=[\])}])\s*\((\s*[A-Za-z]\s*\\in\s*\\mathbb\s*\{?[RZNQ]\}?\s*)\)\Z", r", \1"),
    # rows of a matrix with room between them
    ("\\\\[", r"\\\\\[\s*-?[\d.]{1,9}\s*(?:pt|em|ex|mm|cm)\s*\]", r"\\\\ "),
    # money and ohms in a text command; 5 \mu\text{m}, k\Omega
    ("{\\", _IN_TEXT + rf"\\({_MONEY})\s*\}}", r"\\\1 "),
    ("Rs", _IN_TEXT + r"Rs\.?\s*\}", r"\\rupees "),
    ("Rs", r"(?<![A-Za-z\\])Rs\.?\s?(?=\d)", r"\\rupees "),
    ("$", rf"(?:{_IN_TEXT}(?:US|CA|AU)\s*\}}|\b(?:R|US|CA?|AU?|NZ|HK|S))\s*\\?\$(?=\s?\d)", r"\\$"),
    ("\\$", rf"(?<=\$){units.SHORT_AMOUNT}\Z", units.in_full),
    ("k", rf"{units.SHORT_AMOUNT}(?=\s(?:dollars|euros)\b)", units.in_full),
    # 45.50 CHF, CHF 45.50, Rupees 45.50
    (" ", r"(?<=\d) ([A-Z]{3})\Z", _code_upright),
    (" ", r"\A([A-Z]{3}|[Rr]upees|[Dd]ollars|[Ee]uros)\s(\d[\d.,]*)\Z", _with_code),
    ("\\Omega", r"(?<=[\d ~}])\s*" + _IN_TEXT + r"([kM]?)\s*\\Omega\s*\}", r"\\text{ \1ohm}"),
    ("\\Omega", _GAP + r"(?:" + _IN_TEXT + r"([kM]?)\s*\})?\\Omega\s*\Z", r"\\text{ \1ohm}"),
    ("\\Omega", r"(?<=\d)\s*([kM])\s*\\Omega\s*\Z", r"\\text{ \1ohm}"),
    ("\\mu", _GAP + r"\\mu\s*" + _IN_TEXT + rf"({_SYMBOLS})\s*\}}", r"\\text{ micro\1}"),
    ("\\mu", _GAP + rf"\\mu\s*({_NO_FORCES})\Z", r"\\text{ micro\1}"),
    ("\\text", _IN_TEXT + rf"\\mu\s*({_SYMBOLS})\s*\}}", r"\\text{ micro\1}"),
    ("/(", r"(?<=[A-Za-z])/\(([A-Za-z]{1,4})\s*(?:\\cdot|\*| )\s*([A-Za-z]{1,4})\)", r"/\1 \2"),
    # m\angle ABC, 0.(3)
    ("m\\angle", r"m\\angle\b", r"\\angle "),
    (".", r"(?<![\d.])(\d*\.\d*)\((\d{1,9})\)\Z", r"\1\\overline{\2}"),
    # 3{\frac25} is the mixed number
    ("{\\", r"(?<=\d)\{(\\[dt]?frac\s?(?:\d\d|\{\d+\}\{\d+\}))\}", r"\1"),
    # \mathbf{\hat{i}}
    ("\\hat", r"\\hat\s*\{\s*(?:\\([ij])math|([ijk]))\s*\}", r"\1\2 "),
    # \left< 1, 2 \right>
    ("\\left", r"\\left\s*<", r"\\langle "),
    ("\\right", r"\\right\s*>", r"\\rangle "),
    # \R, and binomial coefficients before LaTeX had a command for them
    ("\\", r"\\([RZNQC])(?![A-Za-z])", r"\\mathbb{\1}"),
    ("C", r"(?:\{\}\s*)?_\{?(\d{1,9})\}?\s*C_\{?(\d{1,9})\}?", r"\\binom{\1}{\2}"),
    ("C", r"(?:\{\}\s*)?\^\{?(\d{1,9})\}?\s*C_\{?(\d{1,9})\}?", r"\\binom{\1}{\2}"),
    # (f \circ g)(x) is f(g(x))
    ("\\circ", r"\(\s*([a-zA-Z])\s*\\circ\s*([a-zA-Z])\s*\)\s*\(([^()]{1,20})\)",
     r"\1(\2(\3))"),
    # 100\,^{\circ}\mathrm{C}, 100\,{}^\circ C, 100~\text{°C}
    ("\\circ", rf"(?<=\d){_GAPS}\{{\}}\s?\^(?=\\circ|\{{\s*\\circ)", "^"),
    ("\\circ", rf"\^\s?\{{\s*\\circ\s*\}}(?=\s?(?:{_UPRIGHT})?\s?[CF](?![A-Za-z]))", r"^\\circ "),
    ("\\circ", _UPRIGHT + r"\s*\^\s?(?:\{\s*)?\\circ\s*\}?\s*([CF])\s*\}", r"^\\circ \1"),
    # but not as a step of a chain, where `T_7 = C_{10}^6` names what it counts
    ("C", _C + r"_\{?(\d{1,9})\}?\s*\^\{?(\d{1,9})\}?", r"\\binom{\1}{\2}"),
    ("C(", r"(?<![A-Za-z\\])C\((\d{1,9}),\s*(\d{1,9})\)", r"\\binom{\1}{\2}"),
    # 3 ms^{-1} are no milliseconds
    ("ms", _MS + r"1\s*\}?", r"\\text{ m/s}"),
    ("ms", _MS + r"2\s*\}?", r"\\text{ m/s^2}"),
    # 9.8 m/s^2, whose letters would be variables
    ("/", r"(?<=\d) " + _SPEED, r"\\text{ \1/\2\3\4}"),
    # 30\frac{km}{h}
    ("frac{", _RATE_AS_FRACTION, r"\\text{ \1/\2}"),
    # \$35/\text{hour}, 35/hour
    ("/", r"(?<=\d)\s?/\s?(?:" + _IN_TEXT + rf"([a-z]{{3,12}})\s*\}}|({_PER})\Z)",
     r"\\text{ per \1\2}"),
    # 3/4%
    ("/", r"(?<![\d/.])(\d+)/(\d+)(?=\s?(?:\\?%|per\s?cent\b))", r"\\frac{\1}{\2}"),
    # 6.02 x 10^23
    ("x", r"(?: (?<=\d )x|x(?<=\dx)) ?(?=10 ?\^)", r"\\times "),
    ("x", r"(?<=\d) x (?=\d)", r" \\times "),
    # a_n = 2n - 1 (n \ge 1), f(x) = x \forall x \in \mathbb{R}: a condition after the answer
    ("(", r"(?<=[^\s,;])[\s\\~]+\(\s*(" + _CONDITION + r")\)\s*\Z", r", \1"),
    ("\\forall", r"\\forall\s*(" + _CONDITION + r")\Z", r", \1"),
    # \text{ and } and 3or4 separate answers
    ("{", TEXT_COMMAND + r"\s*+\{([^{}]*+)\}", _freed),
    ("or", _GLUED % "or", " or "),
    ("and", _GLUED % "and", " and "),
    # ln 3 (≈ 1.0986)
    ("\\approx", r"(?<=[\w)}])\s*\(\s*\\approx[^()]{1,40}\)\s*\Z", ""),
    # 0.123\,456, 1{,}234, 1\,234, 1 234
    (".", r"(?<=\d)\.\d{3}(?:(?:\\[,;: ]|~)\d{1,3})+(?!\d)", lambda m: re.sub(r"[^\d.]", "", m[0])),
    ("", r"[{,\\~](?<=\d.)(?:(?<=\{),\}|(?<=,)\s?\\!\s*|(?<=\\)[,;: !]|(?<=~))(?=\d{3}(?!\d))", ""),
    ("{,}", r"\{,\}", ","),
    (" ", r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![\d/]|\. )", lambda m: m[0].replace(" ", "")),
)  # fmt: skip
_OF_PLAIN_TEXT = tuple(
    rule for rule in _NOTATIONS if not (rule.styled or "\\" in rule.sign or "{" in rule.sign)
)
"""Those that a text without a command or brace may hold."""
_GROUPED = re.compile(
    r"(?<![\d.,'_])\d{1,3}(?:(?:\.\d{3}){2,}(?:,\d{1,9})?|[. ]\d{3},\d\d|(?:'\d{3})+"
    r"|(?:_\d{3}){2,})(?![\d.'_])"
)
"""A number whose thousands are apart by dots, apostrophes or underscores: `1.234.567,8`."""
_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d])")


def respell(text: str, *, thousands: bool = True) -> str:
    r"""Return an answer with one spelling for notations that have many; `thousands` as for `parse`.

    >>> respell(r"3\ (\text{mod }7)")
    '3\\ \\pmod{7}'
    """
    text = unify(text)
    if "." in text or "'" in text or "_" in text or (" " in text and "," in text):
        text = _GROUPED.sub(_in_one, text)
    if "\\" in text or "{" in text or holds_one(_OF_PLAIN_TEXT, text):
        text = apply(_NOTATIONS, text)
    text = with_units_upright(text)
    return _join_thousands(text) if thousands and _THOUSANDS.search(text) else text


def _in_one(grouped: re.Match[str]) -> str:
    return re.sub(r"[.'_ ]", "", grouped[0]).replace(",", ".")


def _join_thousands(text: str) -> str:
    """Join `1,234` where it stands outside brackets; `(1,234)` is a pair."""
    depths = list(accumulate((c in "([{") - (c in ")]}") for c in text))
    return _THOUSANDS.sub(lambda m: m[0].replace(",", "") if depths[m.start()] <= 0 else m[0], text)
