"""Answer text in one spelling, before it is cut into tokens: Unicode, HTML, LaTeX's many ways.

`unify` gives characters one spelling; `respell` then gives notations one. What depends on the
mathematics around it is the parser's.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_CHARACTERS = {
    "−": "-", "–": "-", "—": "-", "‒": "-", "﹣": "-", "－": "-", "×": "*", "·": "*", "⋅": "*",
    "∙": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/", "≤": "\\le ", "≥": "\\ge ", "⩽": "\\le ",
    "⩾": "\\ge ", "≦": "\\le ", "≧": "\\ge ", "≠": "\\ne ", "≈": "\\approx ", "≅": "\\approx ",
    "∪": "\\cup ", "∩": "\\cap ", "∈": "\\in ", "∉": "\\notin ", "∞": "\\infty ",
    "∅": "\\emptyset ",
    "π": "\\pi ", "√": "\\sqrt ", "∛": "\\sqrt[3] ", "°": "^\\circ ", "º": "^\\circ ", "′": "'",
    "℃": "^\\circ C", "℉": "^\\circ F",
    "’": "'", "″": "''", "±": "\\pm ", "∓": "\\mp ", "…": "\\ldots ", "ℝ": "\\mathbb{R}",
    "ℤ": "\\mathbb{Z}", "ℕ": "\\mathbb{N}", "ℚ": "\\mathbb{Q}", "ℂ": "\\mathbb{C}",
    "∖": "\\setminus ",
    "€": "\\euro ", "£": "\\pounds ", "¥": "\\yen ", "₹": "\\rupees ",
    "⟨": "\\langle ", "⟩": "\\rangle ", "〈": "\\langle ", "〉": "\\rangle ", "¢": "\\text{ cents}",
    "％": "\\%", "∑": "\\sum ", "∏": "\\prod ", "∫": "\\int ", "⌊": "\\lfloor ", "⌋": "\\rfloor ",
    "⌈": "\\lceil ", "⌉": "\\rceil ", "∧": "\\wedge ", "∨": "\\vee ", "¬": "\\neg ", "∶": ":",
    "∣": "|", "，": ",", "；": ";", "（": "(", "）": ")", "、": ",", "∀": "\\forall ",
    "∘": "\\circ ",
    "α": "\\alpha ", "β": "\\beta ", "γ": "\\gamma ", "δ": "\\delta ", "ε": "\\epsilon ",
    "θ": "\\theta ", "λ": "\\lambda ", "μ": "\\mu ", "ρ": "\\rho ", "σ": "\\sigma ", "τ": "\\tau ",
    "φ": "\\phi ", "ω": "\\omega ", "Ω": "\\Omega ", "Δ": "\\Delta ", "Γ": "\\Gamma ",
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₙ", "0123456789+-n")
_FRACTIONS = re.compile("[¼-¾⅐-⅞]")
_EATEN = {"\x0c": "\\f", "\x08": "\\b", "\x0b": "\\v", "\x07": "\\a"}
_INVISIBLE = re.compile(
    r"\\(?:color|textcolor|[hv]?phantom|tag\*?|label|[hv]space\*?|mspace)\s*\{[^{}]*\}"
)
_SYSTEM = re.compile(
    r"\\left\s*\\(?:\{|lbrace\b)\s*\\begin\{(?:array|aligned|matrix)\}(?:\{[^{}]*\})?"
)
_SYSTEM_END = re.compile(r"\\end\{(?:array|aligned|matrix)\}\s*\\right\s*\.")
_NOT = re.compile(r"\\not\s*(=|\\in\b)")
_GLUED = re.compile(r"(?<=[\d)}\]])\s*(or|and)\s*(?=[A-Za-z]\s*[(=_]|[\d({\[\\-])")
_TEXT = re.compile(r"\\(?:text|textrm|textnormal|mathrm|mbox)\s*+\{([^{}]*+)\}")
_LAST_CONNECTIVE = re.compile(r"\b(and|or)\Z")
_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d])")


def unify(text: str) -> str:
    """Return the text with one spelling for what Unicode, HTML and broken escapes write in many."""
    if text.isascii() and "\\" not in text and "<" not in text:
        return text
    text = re.sub(r"\t(?=ext|imes|heta|an\b|au\b|frac)", r"\\t", text)
    text = re.sub(r"\r(?=ight|ho\b|angle)", r"\\r", text)
    for broken, mended in _EATEN.items():
        text = text.replace(broken, mended)
    text = re.sub(r"\\(q?quad)(?=[a-zA-Z])", r"\\\1 ", text)
    text = re.sub(r"(?i)<sup>(.*?)</sup>", r"^{\1}", text)
    text = re.sub(r"(?i)<sub>(.*?)</sub>", r"_{\1}", text)
    if "\\\\" in text and "\\begin" not in text.replace("\\\\begin", ""):
        text = re.sub(r"\\\\+(?=[a-zA-Z({[\])}!,;%$])", r"\\", text)
    if "\\\\begin" in text:
        text = text.replace("\\\\\\\\", "\x00").replace("\\\\", "\\").replace("\x00", "\\\\")
    if text.isascii():
        return text
    text = re.sub("[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]+", lambda m: f"^{{{m[0].translate(_SUPERSCRIPTS)}}}", text)
    text = re.sub("[₀-₉₊₋ₙ]+", lambda m: f"_{{{m[0].translate(_SUBSCRIPTS)}}}", text)
    text = _FRACTIONS.sub(_fraction, text)
    return "".join(_character(c) for c in text)


def _fraction(match: re.Match[str]) -> str:
    top, _, bottom = unicodedata.normalize("NFKC", match[0]).partition("⁄")
    return f"\\frac{{{top}}}{{{bottom}}}" if bottom else match[0]


def _character(c: str) -> str:
    if c in _CHARACTERS:
        return _CHARACTERS[c]
    if c.isascii():
        return c
    category = unicodedata.category(c)
    if category == "Nd":
        return str(unicodedata.digit(c))
    if category in ("Cf", "Mn") or c == "\ufeff":
        return ""
    if category == "Zs":
        return " "
    if 0x2460 <= ord(c) <= 0x2473 or 0xFF01 <= ord(c) <= 0xFF5E or 0x1D400 <= ord(c) <= 0x1D7FF:
        folded = unicodedata.normalize("NFKC", c)
        return f" {folded} ," if 0x2460 <= ord(c) <= 0x2473 else folded
    return c


class _Rule(NamedTuple):
    """A notation and the one it is respelled to, tried where `sign` is in the text."""

    sign: str
    pattern: re.Pattern[str]
    plain: str


_WRAP = r"\\(?:text|textrm|textnormal|textbf|mathrm|mbox|operatorname)\s*\{\s*"
_CONDITION = r"[A-Za-z]\s*(?:\\(?:in|geq?|leq?|neq?)\b|[<>])[^()]{1,60}"
_C = r"(?<![A-Za-z\\=])(?<!= )(?:\\mathrm\s*\{C\}|\\text\s*\{C\}|C)"
_SPEED = r"(c?m|km|mi|ft|k?g|N|J)/(s|h|hr|min|c?m|kg|mol)(\^\{?[23]\}?)?\Z"
_GAP = r"(?<=\d)[\s~]*(?:\\[,;: ])*\s*"
_UPRIGHT = r"\\(?:text|mathrm)\s*\{\s*"
_LINKS = r"(?:or|and|to|in|if|when|for|where|with|is)\b"
_RULES = tuple(
    _Rule(sign, re.compile(pattern), plain)
    for sign, pattern, plain in [
        # 3 (mod 7), 3 \text{(mod 7)}, 17 \text{ mod } 5
        ("mod", _WRAP + r"\(\s*mod\s*\}?\s*(\w{1,9})\s*\)\s*\}?", r"\\pmod{\1}"),
        ("mod", _WRAP + r"mod\s*\}", r"\\bmod "),
        ("mod", r"\(\s*\\?b?mod\b[\s~]*([^()]{1,40})\)", r"\\pmod{\1}"),
        # spaces and separators
        ("~", r"\\text\s*\{~|\\mathrm\s*\{~", r"\\text{ "),
        ("~", r"(?<=[a-z])~(?=\})", " "),
        ("{", r"\\text(?:rm)?\s*\{\s*([,;:.])\s*\}", r"\1 "),
        (":}", r"(?:\\math(?:bin|rel))?\{:\}", ":"),
        ("\\", r"\\text(?:rm)?\s*\{\s*(\\%|\\\$)\s*\}|\\textdollar\b", r"\1"),
        ("\\text", r"\\text\s*\{\s*\}", " "),
        ("\\ ", r"(?<=[a-z{])\\ (?=[a-z}])", " "),
        ("\\&", r"\\&", " and "),
        ("{\\,}", r"\{\\,\}", r"\\,"),
        ("\\thin", r"\\thinspace\b", r"\\,"),
        ("U", r"(?<=[)\]])\s*U\s*(?=[(\[])", r"\\cup "),
        ("{", r"(?<=\d)\\(?:text|mathrm)\s*\{[eE]\}\{?([+-]?\d{1,9})\}?", r"e\1"),
        ("quad", r"(=[^=,;&\\]{1,80}?)\\q?quad\b\s*(?=\\?[A-Za-z][\w{}]{0,12}\s*=)", r"\1, "),
        ("{}", r"\\(?:text|mathrm)\{\}(?=\S)", " "),
        ("{}", r"(?<=[\d)\]}])\^?\{\}", ""),
        # P(A \mid B), E[X], \mathbb{P}(X)
        ("P(", r"P\(([^()|]{1,40})(?:\||\\mid\b|\\vert\b)([^()|]{1,40})\)", r"P(\1,\2)"),
        ("\\mathbb", r"\\mathbb\s*(?:\{\s*([EP])\s*\}|([EP])(?![A-Za-z]))", r"\1\2"),
        ("E", r"(?<![A-Za-z\\])(E|Var)\s*\[([^\[\],]{1,40})\]", r"\1(\2)"),
        # R in bold is the set where it is all there is, or follows "in"
        ("\\mathbf", r"(?:\A|(?<=\\in)|(?<=\\in ))\\mathbf\s*\{?([RZNQ])\}?", r"\\mathbb{\1}"),
        ("\\var", r"\\var(epsilon|phi|theta|rho|sigma)(?![A-Za-z])", r"\\\1"),
        # \left.17\right. holds 17, not .17
        (".", r"\\(?:left|right)\s*\.", " "),
        # 0.\dot2\dot7, 0.\dot{3}
        ("\\dot", r"(?<=[.\d])\\dot\s*\{?(\d)\}?(\d*)\\dot\s*\{?(\d)\}?", r"\\overline{\1\2\3}"),
        ("\\dot", r"(?<=[.\d])\\dot\s*\{?(\d)\}?\Z", r"\\overline{\1}"),
        # \text{Total cost: } 7, \text{Therefore, the answer is } 42
        ("\\text", r"\\text\s*\{([^{}:]{1,60}?)\s*:\s*\}", r"\\text{\1}: "),
        ("\\text", r"\\text\s*\{\s*(?:[Tt]herefore|[Tt]hus|[Hh]ence|[Ss]o),?\s+", r"\\text{"),
        # $60$ km/h, where the gold's unit stands outside
        ("$", r"\A\$([^$]*\d[^$]*)\$ (?!" + _LINKS + r")([A-Za-z][A-Za-z/^\d -]{0,40})\Z",
         r"\1\\text{ \2}"),
        ("cents", r"\\text\s*\{\s*\\text\{ cents\}\s*\}", r"\\text{ cents}"),
        # [k, k + 1](k \in \mathbb{Z})
        ("\\in", r"(?<=[\])}])\s*\((\s*[A-Za-z]\s*\\in\s*\\mathbb\s*\{?[RZNQ]\}?\s*)\)\Z", r", \1"),
        # rows of a matrix with room between them
        ("\\\\[", r"\\\\\[\s*-?[\d.]{1,9}\s*(?:pt|em|ex|mm|cm)\s*\]", r"\\\\ "),
        # money and ohms in a text command; 5 \mu\text{m}, k\Omega
        ("\\text", r"\\text\s*\{\s*\\(pounds|euro|yen|rupees)\s*\}", r"\\\1 "),
        ("\\text", r"\\text\s*\{\s*Rs\.?\s*\}", r"\\rupees "),
        ("\\text", r"\\text\s*\{\s*(?:US|CA|AU)\s*\}\s*(?=\\\$)", ""),
        ("\\Omega", r"(?<=[\d ~}])\s*" + _UPRIGHT + r"([kM]?)\s*\\Omega\s*\}", r"\\text{ \1ohm}"),
        ("\\Omega", _GAP + r"(?:" + _UPRIGHT + r"([kM]?)\s*\})?\\Omega\s*\Z", r"\\text{ \1ohm}"),
        ("\\mu", _GAP + r"\\mu\s*" + _UPRIGHT + r"([msgAC])\s*\}", r"\\text{ micro\1}"),
        ("\\mu", _GAP + r"\\mu\s*([msg])\Z", r"\\text{ micro\1}"),
        ("/(", r"(?<=[A-Za-z])/\(([A-Za-z]{1,4})\s*(?:\\cdot|\*| )\s*([A-Za-z]{1,4})\)", r"/\1 \2"),
        # m\angle ABC, 0.(3)
        ("m\\angle", r"m\\angle\b", r"\\angle "),
        (".", r"(?<![\d.])(\d*\.\d*)\((\d{1,9})\)\Z", r"\1\\overline{\2}"),
        # 3{\frac25} is the mixed number
        ("{\\", r"(?<=\d)\{(\\[dt]?frac\s?(?:\d\d|\{\d+\}\{\d+\}))\}", r"\1"),
        # \left< 1, 2 \right>
        ("\\left", r"\\left\s*<", r"\\langle "),
        ("\\right", r"\\right\s*>", r"\\rangle "),
        # \R, and binomial coefficients before LaTeX had a command for them
        ("\\", r"\\([RZNQC])(?![A-Za-z])", r"\\mathbb{\1}"),
        ("C", r"(?:\{\}\s*)?_\{?(\d{1,9})\}?\s*C_\{?(\d{1,9})\}?", r"\\binom{\1}{\2}"),
        ("C", r"(?:\{\}\s*)?\^\{?(\d{1,9})\}?\s*C_\{?(\d{1,9})\}?", r"\\binom{\1}{\2}"),
        # but not as a step of a chain, where `T_7 = C_{10}^6` names what it counts
        ("C", _C + r"_\{?(\d{1,9})\}?\s*\^\{?(\d{1,9})\}?", r"\\binom{\1}{\2}"),
        ("C(", r"(?<![A-Za-z\\])C\((\d{1,9}),\s*(\d{1,9})\)", r"\\binom{\1}{\2}"),
        # 9.8 m/s^2, whose letters would be variables
        ("/", r"(?<=\d) " + _SPEED, r"\\text{ \1/\2\3}"),
        # 6.02 x 10^23
        ("x", r"(?<=\d) ?x ?(?=10 ?\^)", r"\\times "),
        # a_n = 2n - 1 (n \ge 1), f(x) = x \forall x \in \mathbb{R}: a condition after the answer
        ("(", r"(?<=[^\s,;])[\s\\~]+\(\s*(" + _CONDITION + r")\)\s*\Z", r", \1"),
        ("\\forall", r"\\forall\s*(" + _CONDITION + r")\Z", r", \1"),
    ]
)  # fmt: skip
_DECIMALS = re.compile(r"(?<=\d)\.\d{3}(?:(?:\\[,;: ]|~)\d{1,3})+(?!\d)")
_THIN = re.compile(r"(?<=\d)(?:\{,\}|,\\!\s*|\\[,;: !]|~)(?=\d{3}(?!\d))")
_SPACED = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![\d/]|\. )")


def respell(text: str, *, thousands: bool = True) -> str:
    r"""Return an answer with one spelling for the notations that are written in many.

    >>> respell(r"3\ (\text{mod }7)")
    '3\\ \\pmod{7}'

    Args:
        text: the answer.
        thousands: whether `1,234` at the top level is one number (else two).
    """
    text = unify(text)
    if "\\right." in text:
        text = _SYSTEM_END.sub(r"\\end{cases}", _SYSTEM.sub(r"\\begin{cases}", text))
    if "\\" in text:
        text = _NOT.sub(_negated, _INVISIBLE.sub(" ", text))
    for sign, pattern, plain in _RULES:
        if sign in text:
            text = pattern.sub(plain, text)
    text = _GLUED.sub(r" \1 ", _TEXT.sub(_freed, text))
    text = _DECIMALS.sub(lambda m: "." + "".join(c for c in m[0] if c.isdigit()), text)
    text = _THIN.sub("", text).replace("{,}", ",")
    text = _SPACED.sub(lambda m: m[0].replace(" ", ""), text)
    return _join_thousands(text) if thousands and "," in text else text


def _negated(match: re.Match[str]) -> str:
    return "\\ne " if match[1] == "=" else "\\notin "


def _freed(match: re.Match[str]) -> str:
    """Take an `and` that ends a text command out of it: it separates answers."""
    inner = match[1].rstrip(" ,\t\n")
    last = _LAST_CONNECTIVE.search(inner)
    if last is None:
        return match[0]
    before = inner[: last.start()].strip(" ,\t\n")
    return (f"\\text{{{before}}} " if before else " ") + f" {last[1]} "


def _join_thousands(text: str) -> str:
    """Join `1,234` where it stands outside brackets; `(1,234)` is a pair."""
    depth, parts, last = 0, [], 0
    depths = []
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        depths.append(depth)
    for match in _THOUSANDS.finditer(text):
        if depths[match.start()] <= 0:
            parts += [text[last : match.start()], match[0].replace(",", "")]
            last = match.end()
    return "".join([*parts, text[last:]])
