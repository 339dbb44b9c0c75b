"""Answer text -> tokens: LaTeX, plain text and Unicode written alike."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from rewardkit.verifiers.limits import MAX_ANSWER_CHARS, MAX_TOKENS, TooComplex
from rewardkit.verifiers.units import UNITS


class Token(NamedTuple):
    """A token: `kind` is num, name, word, cmd, op or end; `gap` says white space came before."""

    kind: str
    text: str
    gap: bool = False


FUNCTIONS = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "arccot", "sinh",
    "cosh", "tanh", "coth", "ln", "log", "lg", "exp", "sqrt", "gcd", "lcm", "max", "min",
    "floor", "ceil", "abs", "det", "deg", "arg", "Re", "Im", "asin", "acos", "atan", "sgn",
    "mod", "bmod", "cis",
))  # fmt: skip
GREEK = frozenset((
    "alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta",
    "vartheta", "iota", "kappa", "lambda", "mu", "nu", "xi", "rho", "varrho", "sigma", "tau",
    "upsilon", "phi", "varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda",
    "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "ell", "hbar",
))  # fmt: skip
CONNECTIVES = frozenset({"and", "or", "und", "oder", "et", "ou"})
_DROPPED = frozenset(
    [
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "Biggl",
        "Biggr",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "limits",
        "nolimits",
        "mathopen",
        "mathclose",
        "rm",
        "bf",
        "it",
        "middle,",
        "cdotp",
        "boldsymbol",
        "bm",
        "mathit",
        "mathsf",
        "mathcal",
        "mathscr",
        "mathfrak",
        "vec",
        "hat",
        "overrightarrow",
        "overline",
        "bar",
        "widehat",
        "tilde",
        "boxed",
        "underline",
        "fbox",
        "mathring",
        "Large",
        "large",
        "small",
        "normalsize",
        "dot",
        "ddot",
    ]
) - {"overline", "bar", "dot", "ddot"}
_SPACES = frozenset({"quad", "qquad", "thinspace", "enspace", "hspace", "space", "nobreakspace"})
_TEXT_COMMANDS = frozenset((
    "text", "mathrm", "textbf", "mbox", "textrm", "textnormal", "textit", "mathbf",
    "operatorname", "textsf", "texttt", "hbox", "textup", "emph",
))  # fmt: skip
_SYNONYMS = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom",
    "leqslant": "le", "leq": "le", "geqslant": "ge", "geq": "ge", "lt": "<", "gt": ">",
    "rightarrow": "to", "longrightarrow": "to", "nicefrac": "frac", "sfrac": "frac", "surd": "sqrt",
    "neq": "ne", "times": "*", "cdot": "*", "ast": "*", "div": "/", "colon": ":", "land": "and",
    "varnothing": "emptyset", "infin": "infty", "lbrace": "\\{", "rbrace": "\\}", "lor": "or",
    "wedge": "and", "vee": "or", "lbrack": "[", "rbrack": "]", "mid": "|", "vert": "|",
    "lvert": "|", "rvert": "|", "Vert": "|", "backslash": "setminus", "smallsetminus": "setminus",
    "approx": "~", "simeq": "~", "doteq": "~", "colon:": ":", "dotsc": "ldots", "dots": "ldots",
    "cdots": "ldots", "dotsb": "ldots", "dotsm": "ldots", "vdots": "ldots", "textcirc": "circ",
    "degree": "circ", "pmb": "", "land ": "and", "operatorname*": "operatorname", "ldotp": ".",
}  # fmt: skip

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
_TOKEN = re.compile(
    r"(?P<space>\s+|~|\\[,;:!> ]|\\\n)"
    r"|(?P<num>\d+\.(?=\\(?:overline|bar|dot))|\d+(?:\.\d+)?(?:[eE][+-]?\d+(?![\d.a-zA-Z]))?|\.\d+)"
    r"|(?P<cmd>\\[a-zA-Z]+\*?)"
    r"|(?P<esc>\\\\|\\.)"
    r"|(?P<name>[^\W\d_]+)"
    r"|(?P<op><=|>=|!=|==|\*\*|:=|\.\.\.+|''|.)",
    re.S,
)
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


def tokenize(text: str, *, thousands: bool = True) -> list[Token]:
    """Return the tokens of an answer, with an `end` token last.

    Args:
        text: the answer.
        thousands: whether `1,234` at the top level is one number (else two).

    Raises:
        TooComplex: the answer is longer than any answer is.
    """
    if len(text) > MAX_ANSWER_CHARS:
        raise TooComplex(f"the answer has {len(text)} characters")
    text = unify(text)
    if "\\right." in text:
        text = _SYSTEM_END.sub(r"\\end{cases}", _SYSTEM.sub(r"\\begin{cases}", text))
    if "\\" in text:
        text = _NOT.sub(_negated, _INVISIBLE.sub(" ", text))
    text = _GLUED.sub(r" \1 ", _TEXT.sub(_freed, text))
    text = re.sub(r"(?<=\d)(?:\{,\}|,\\!\s*|\\,|\\;|\\ |\\!)(?=\d{3}(?!\d))", "", text)
    text = re.sub(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![\d./])", lambda m: m[0].replace(" ", ""), text)
    if thousands and "," in text:
        text = _join_thousands(text)
    tokens: list[Token] = []
    gap = False
    for match in _TOKEN.finditer(text):
        kind, lexeme = str(match.lastgroup), match[0]
        if kind == "space" or lexeme in ("$", "\\\t"):
            gap = True
            if lexeme == "$":
                tokens.append(Token("op", "$", gap))
            continue
        if kind == "cmd":
            name = lexeme[1:]
            name = _SYNONYMS.get(name, name)
            if name in _SPACES or not name:
                gap = True
                continue
            if name in _DROPPED:
                continue
            tokens.append(_command(name, gap))
        elif kind == "name":
            tokens.extend(_names(lexeme, gap))
        else:
            tokens.append(Token("num" if kind == "num" else "op", lexeme, gap))
        gap = False
    if len(tokens) > MAX_TOKENS:
        raise TooComplex(f"the answer has {len(tokens)} tokens")
    tokens.append(Token("end", "", gap))
    return tokens


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


def _command(name: str, gap: bool) -> Token:
    if name in _TEXT_COMMANDS:
        return Token("textcmd", name, gap)
    if name in CONNECTIVES:
        return Token("word", name, gap)
    if name in GREEK:
        return Token("name", name, gap)
    if not name[0].isalpha():
        return Token("op", name, gap)
    return Token("cmd", name, gap)


def _names(run: str, gap: bool) -> list[Token]:
    """Split a run of plain letters into functions, words and one-letter names."""
    if len(run) == 1:
        return [Token("name", run, gap)]
    if run in FUNCTIONS or run in ("pi", "sqrt", "frac", "infty", "cup", "cap", "binom"):
        return [Token("cmd", run, gap)]
    if run in ("inf", "infinity", "Infinity", "oo"):
        return [Token("cmd", "infty", gap)]
    if run in GREEK and len(run) > 2:
        return [Token("name", run, gap)]
    for name in ("sqrt", "sin", "cos", "tan", "ln", "pi"):
        if run.startswith(name) and len(run) == len(name) + 1:
            return [Token("cmd", name, gap), Token("name", run[-1])]
        if run.endswith(name) and len(run) == len(name) + 1 and run not in UNITS:
            return [Token("name", run[0], gap), Token("cmd", name)]
    if run.isupper() and len(run) <= 3:
        return [Token("name", c, gap and k == 0) for k, c in enumerate(run)]
    if run.lower() in CONNECTIVES:
        return [Token("word", run.lower(), gap)]
    if len(run) > 3 or run.lower() in UNITS or run.lower() in _SHORT_WORDS or not run.isascii():
        return [Token("word", run, gap)]
    return [Token("name", c, gap and k == 0) for k, c in enumerate(run)]


_SHORT_WORDS = frozenset((
    "yes", "no", "not", "odd", "the", "is", "of", "to", "in", "on", "at", "are", "for", "any",
    "all", "how", "one", "two", "six", "ten", "red", "day", "win", "won", "nor", "but", "its",
    "per", "may", "can", "set", "none", "true", "cot", "an", "am", "pm", "th", "st", "nd", "rd",
    "if", "by", "it", "as", "pct",
))  # fmt: skip
