"""Answer text -> tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from rewardkit.verifiers.limits import MAX_ANSWER_CHARS, MAX_TOKENS, TooComplex
from rewardkit.verifiers.spelling import respell
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
    "mod", "bmod", "cis", "tg", "ctg", "arctg",
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
        "middle",
        "therefore",
        "ensuremath",
        "num",
        "blacksquare",
        "qed",
        "hline",
        "tiny",
        "scriptsize",
        "footnotesize",
        "LARGE",
        "huge",
        "Huge",
        "cdotp",
        "boldsymbol",
        "bm",
        "mathit",
        "mathsf",
        "mathcal",
        "mathscr",
        "mathfrak",
        "hat",
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
    "operatorname", "textsf", "texttt", "hbox", "textup", "mathtt", "emph",
))  # fmt: skip
_SYNONYMS = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom",
    "leqslant": "le", "leq": "le", "geqslant": "ge", "geqq": "ge", "leqq": "le", "geq": "ge",
    "lt": "<", "gt": ">",
    "rightarrow": "to", "longrightarrow": "to", "nicefrac": "frac", "sfrac": "frac", "surd": "sqrt",
    "neq": "ne", "times": "*", "cdot": "*", "ast": "*", "div": "/", "colon": ":", "land": "and",
    "varnothing": "emptyset", "infin": "infty", "lbrace": "\\{", "rbrace": "\\}", "lor": "or",
    "wedge": "and", "vee": "or", "lbrack": "[", "rbrack": "]", "mid": "|", "vert": "|",
    "lvert": "|", "rvert": "|", "Vert": "|", "backslash": "setminus", "smallsetminus": "setminus",
    "approx": "~", "simeq": "~", "doteq": "~", "colon:": ":", "dotsc": "ldots", "dots": "ldots",
    "cdots": "ldots", "dotsb": "ldots", "dotsm": "ldots", "vdots": "ldots", "textcirc": "circ",
    "degree": "circ", "bigcup": "cup", "bigcap": "cap", "cr": "\\\\", "top": "T",
    "intercal": "T", "pmb": "", "land ": "and", "operatorname*": "operatorname", "ldotp": ".",
}  # fmt: skip

_TOKEN = re.compile(
    r"(?P<space>\s+|~|\\[,;:!> ]|\\\n)"
    r"|(?P<num>\d+\.(?=\\(?:overline|bar|dot))|\d+(?:\.\d+)?(?:[eE][+-]?\d+(?![\d.a-zA-Z]))?|\.\d+)"
    r"|(?P<cmd>\\[a-zA-Z]+\*?)"
    r"|(?P<esc>\\\\|\\.)"
    r"|(?P<name>[^\W\d_]+)"
    r"|(?P<op><=|>=|!=|==|\*\*|:=|\.\.\.+|''|.)",
    re.S,
)


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
    text = respell(text, thousands=thousands)
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
    _name_units(tokens)
    tokens = _short_words_apart(tokens)
    if len(tokens) > MAX_TOKENS:
        raise TooComplex(f"the answer has {len(tokens)} tokens")
    tokens.append(Token("end", "", gap))
    return tokens


def _name_units(tokens: list[Token]) -> None:
    """Make words of `min`, `sec` and `deg` where they measure a number: `30 min`, `m/sec`."""
    for k, token in enumerate(tokens):
        if token.kind == "cmd" and token.text in ("min", "sec", "deg"):
            after = tokens[k + 1] if k + 1 < len(tokens) else Token("end", "")
            number_before = k > 0 and tokens[k - 1].kind == "num"
            if after.kind in ("end", "textcmd", "word") or (
                after.text in ("}", ",", ")", "/", ".", ";", "$")
                or (after.kind == "num" and number_before)
            ):
                tokens[k] = Token("word", token.text, token.gap)


def _short_words_apart(tokens: list[Token]) -> list[Token]:
    """Take words of two or three plain letters as products where mathematics is around them.

    `km` measures the number before it at the end of an answer, and is k times m in `x^2 + 2km`;
    `at` is a word between words, and a times t in `v_0 + at`. In a text command they are words.
    """
    if not any(t.kind == "word" and len(t.text) <= 3 for t in tokens) or any(
        t.kind == "word" and len(t.text) > 3 and t.text.lower() not in UNITS for t in tokens
    ):
        return tokens
    found: list[Token] = []
    depth = 0  # of braces within a text command
    for k, token in enumerate(tokens):
        if depth or (token.text == "{" and k and tokens[k - 1].kind == "textcmd"):
            depth += (token.text == "{") - (token.text == "}")
        if depth or token.kind != "word" or len(token.text) > 3 or _is_word(tokens, k):
            found.append(token)
        else:
            found += [Token("name", c, token.gap and j == 0) for j, c in enumerate(token.text)]
    return found


def _is_word(tokens: list[Token], k: int) -> bool:
    token, text = tokens[k], tokens[k].text.lower()
    before = tokens[k - 1] if k else Token("end", "")
    after = tokens[k + 1] if k + 1 < len(tokens) else Token("end", "")
    if text in CONNECTIVES or not text.isascii() or {before.kind, after.kind} & {"word", "textcmd"}:
        return True
    if text in _NUMBER_NAMES or after.text == "'":
        return True
    if before.kind == after.kind == "end":
        return text in _ANSWERS
    if text in ("sq", "cu"):
        return before.kind == "num"
    if text in _ORDINALS:
        right = "th" if before.text[-2:-1] == "1" else _SUFFIXES.get(before.text[-1:], "th")
        return before.kind == "num" and not token.gap and after.kind == "end" and text == right
    ends = after.kind in ("end", "num") or after.text in (",", ";", "/", ")", "]", "^", "$", ".")
    if not ends or text not in UNITS:
        # Of the small words, those that stand apart on both sides.
        opens = after.text in ("(", "[", "{")
        apart = token.gap and before.kind != "op" and (opens or after.kind not in ("op", "end"))
        apart = apart and (after.gap or opens)
        return text in ("pct", "pm") or (apart and text in _SHORT_WORDS)
    if before.text == "/":
        return k > 1 and tokens[k - 2].kind == "word"
    if before.kind == "num":
        start = max((j for j in range(k) if tokens[j].text in _STARTS), default=-1)
        return not any(t.kind == "name" for t in tokens[start + 1 : k])
    return text in _PLAIN_UNITS and (before.text in ("}", ")", "pi") or before.kind == "cmd")


_ANSWERS = frozenset((
    "yes", "no", "odd", "red", "all", "any", "day", "win", "won", "none", "true", "not", "set",
))  # fmt: skip
"""Words of a few letters that are an answer alone, where others are a product."""
_NUMBER_NAMES = frozenset(("one", "two", "six", "ten"))
_SUFFIXES = {"1": "st", "2": "nd", "3": "rd"}
_ORDINALS = frozenset((*_SUFFIXES.values(), "th"))
_STARTS = frozenset((",", ";", "=", "~", "<", ">", "le", "ge", "and", "or", "("))
_PLAIN_UNITS = frozenset((
    "cm", "mm", "km", "kg", "ml", "dm", "lbs", "mph", "kph", "mins", "secs", "sec", "hrs", "usd",
))  # fmt: skip
"""Units that nobody writes as a product of variables."""


def _command(name: str, gap: bool) -> Token:
    if name in _TEXT_COMMANDS:
        return Token("textcmd", name, gap)
    if name in CONNECTIVES:
        return Token("word", name, gap)
    if name in GREEK:
        return Token("name", name, gap)
    if name == "T":
        return Token("name", name, gap)
    if not name[0].isalpha():
        return Token("esc" if name == "\\\\" else "op", name, gap)
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
    "if", "by", "it", "as", "pct", "sq", "cu",
))  # fmt: skip
