"""The equation, expression or functions that a sentence ends with: `So the line is x + 2y = 7`.

Functions may be said by name, `the identity`; a gold answer that is words with mathematics,
`increasing on (0, 2)`, is said word for word.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.questions import states_nothing
from rewardkit.verifiers.extraction.prose.claims import claims_at
from rewardkit.verifiers.extraction.prose.denials import is_negated
from rewardkit.verifiers.extraction.text.formulas import WORD, concluded
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.patterns import LEFT_OPEN, left_open_by
from rewardkit.verifiers.vocabulary.phrases import CONNECTIVES

_STYLE = as_pattern(r"\$+|\\[()\[\]]|\*\*|\\[,;!]")
_WHOLE = as_pattern(
    r",?\s\(?(?:(?:for|where|with|and)\s)?(?:(?:any|all|every|each|an?|some)\s)*(?:integers?|whole\snumbers?)\s"
    r"(?:values?\sof\s)?([a-z])\)?\Z"
    r"|,?\s\(?(?:for|where|with|and)\s([a-z])\s(?:is\s|being\s)?(?:(?:any|an?|some|arbitrary)\s)*(?:integer|whole\snumber)\)?\Z"
)
"""Behind a family, what says that its parameter is any whole number."""
_ANY = as_pattern(
    r",?\s\(?(?:for|where|with)\s(?:(?:any|all|every|each|an?|some)\s)*(?:(?:real|constants?|numbers?|values?|of)\s)*"
    r"[a-zA-Z](?:\s(?:is\s|being\s)?(?:(?:any|an?|some|arbitrary|real)\s)*(?:constant|real|number|parameter)+)?\)?\Z"
    r"|,?\s\(?(?:with|where)\s[a-zA-Z]\s?=\s?[a-zA-Z]\(\d\)(?:\s?[>≠≥]\s?0)?"
    r"(?:,?\s(?:is|being|an?|any|arbitrary|real|constant|number|parameter|free)\b)*\)?\Z"
    r"|,?\s\(?(?:provided|for|where|if|when|as\slong\sas)\s(?:that\s)?[a-z]\s?(?:[≠<>≥≤]|\\neq?|!=)\s?[^\s=]+\)?\Z"
)
"""Behind an expression, what says that it holds for any value of an unknown."""
_DOUBTS = "cannot|impossible|unlikely|no|maybe|perhaps|would|assum\\w+|wrong|false"
_UNSURE = left_open_by(rf"{_DOUBTS}|instead|should|given(?! by)")
_UNSURE_BEFORE = left_open_by(rf"{_DOUBTS}|incorrect|or|if|whether")
_REMARK = as_pattern(
    r"\s(?:is|are)\s(?:indeed\s)?(?:the|our|a|an)\s(?!given|original|line\swe)[a-z][^=<>\d]*\Z"
    r"|,\s(?:as\s(?:required|desired|claimed|wanted|needed|shown|expected|can)|which)\b[^=<>]*\Z"
)
"""Behind a formula, what it is said to be or that it is right: `is the equation of the line`."""
_BESIDE = frozenset((
    "and", "or", "if", "when", "from", "than", "in", "with", "for", "into", "consider", "given",
    "let", "take", "start", "using", "use", "except",
))  # fmt: skip
"""Behind these, a formula is no more than a part of what is said."""
_BRACES = as_pattern(r"(?:\b(?:is|are|as)|=)\s?(\\?\{[^=]{1,200}\})\Z")
"""A set at the end: words within it are its elements."""
_OF_SETS = as_pattern(r"[∩∪]|\\c[au]p\b")
"""What makes a set of two others, `A ∩ B`: the result alone is no answer that names it."""
_PRODUCT = as_pattern(
    r"(?!(?:is|are|of|or|in|to|by|at|as|we|he|it|an|on|so|if|be|do|no|up|us|my|me)\b)[a-z]{2}(?:\s?[+*/·^=]|\))"
    r"|(?<=[-+*/·(√{])[a-z]{2}\b"
)
"""Two letters that a sign shows to be a product rather than a word: the first of `mn/(m+n)`."""
_SPELLED = as_pattern(STYLED_TEXT.pattern + r"|\\(?:[,;:! ()]|left|right)|[$*]")
_INTERVAL = as_pattern(r"\b(?:the\s)?(?:open\s|closed\s)?(?:interval|point)\s(?=[(\[])")
"""What says of brackets what they are."""
_GAP = as_pattern(r"\s*([-+=<>(),\[\]^/])\s*")
_WORDS = as_pattern(r"[a-zA-Z]{3,}\s(?:.*\s)?[^a-z]*[\d()\[\]]")
_ANY_CONSTANT = as_pattern(r"\+\s(?:(?:an?\s)?(?:arbitrary\s)?constant|const)\Z")
_MAX_CHARS, _MAX_WORDS = 400, 80
_FUNCTION = r"(?<![\w\\])([a-zA-Z])\s?\(([a-z])\)"
_EACH = as_pattern(rf"{_FUNCTION}\s?=\s?(?P<value>(?:(?![a-zA-Z]\s?\([a-z]\)\s?=)[^=,;:])+)")
_ENDS = as_pattern(
    r"[,;:$]?\s+(?:and|or|as\swell\sas|for|where|with|which|check|work|satisfy|are|do)\b.*|[$.!*]+\Z"
)
_NAMED = as_pattern(
    r"\b(?:(zero)|identity)(?:\sfunction)?(?!\sfunction|[\s,(:$]*[a-zA-Z]\s?\([a-z]\))\b"
)
"""A function without its equation: `the zero function and ...`."""
_GOLD = as_pattern(rf"{_FUNCTION}\s?=")
_LAST_NAMED = as_pattern(
    r"(?:\A\W*(?:only\s)?|\b(?:is|are|be)\s(?:only\s)?)"
    r"(?:(?:an?|the|all|any)\s)?(?:(?P<same>identity)\s(?:functions?|map)|constant(?:\sfunctions?)?)[\s.!$]*\Z",
    re.I,
)


def written(sentence: str) -> str | None:
    """Return the equation or expression that a sentence ends with and claims, else None.

    >>> written("So the equation is $x + 2y = 7$."), written("We start from x + 2y = 7.")
    ('x + 2y = 7', None)
    >>> written("The solutions are x = 7k + 3, where k is any integer.")
    'x = 7k + 3, k \\\\in \\\\mathbb{Z}'
    """
    if len(sentence) > _MAX_CHARS or _UNSURE.search(sentence):
        return None
    text = " ".join(_STYLE.sub("", sentence).split()).rstrip(" .!。")
    text = _REMARK.sub("", text)
    text = _ANY_CONSTANT.sub("+ C", text) if "const" in text else text
    if (braces := _BRACES.search(text)) and not _OF_SETS.search(text, 0, braces.start()):
        return None if is_negated(text[: braces.start()]) else braces[1]
    domain = ""
    if whole := _WHOLE.search(text):
        text, domain = text[: whole.start()], f", {whole[1] or whole[2]} \\in \\mathbb{{Z}}"
    while holds := _ANY.search(text):
        text = text[: holds.start()]
    words = [word for word in WORD.finditer(text) if not _PRODUCT.match(text, word.start())]
    while words and _joins(words[-1], text[words[-2].end() if words[1:] else 0 :]):
        words.pop()
    last = words[-1] if words else None
    start = last.end() if last else 0
    found = concluded(text[start:].strip(" ,:;.")).strip()
    apart = last is None or not last[0].isascii() or text[start : start + 1] in " :,."
    if not apart or (last and last[0].lower() in _BESIDE):
        return None
    if not any(c.isalpha() or c == "{" for c in found) or states_nothing(text):
        return None
    at = text.rfind(found)
    if is_negated(text[:at]) or not claims_at(text, at, at + len(found)):
        return None
    return found + domain


def _joins(word: re.Match[str], text: str) -> bool:
    """Return whether a word joins the formula before it, behind the words before, with another."""
    before = text.partition(word[0])[0]
    return word[0] in CONNECTIVES and any(c.isdigit() or c == "=" for c in before)


def is_phrase(gold: str) -> bool:
    """Return whether a gold answer that is no mathematics is words with some in it."""
    return len(gold) < _MAX_WORDS and _WORDS.match(gold) is not None


def phrase_in(gold: str, sentence: str) -> str | None:
    """Return the gold answer where a sentence ends with it and means it, else None.

    >>> phrase_in("increasing on (0, 2)", "So $f$ is increasing on $(0,2)$.")
    'increasing on (0, 2)'
    >>> phrase_in("continuous at x = 2", "f is discontinuous at x = 2.")
    """
    wanted, said = _spelled(gold), _spelled(sentence)
    before = said.removesuffix(wanted)
    if (
        before == said
        or before[-1:].isalnum()
        or _UNSURE_BEFORE.search(before)
        or is_negated(before)
    ):
        return None
    return gold


def _spelled(text: str) -> str:
    """Return a text in one spelling, without the gaps around signs."""
    text = _INTERVAL.sub("", unify(_SPELLED.sub(r"\1", text)).lower())
    return " ".join(_GAP.sub(r"\1", text).split()).rstrip(" .!")


def functions_in(gold: str, sentence: str) -> str | None:
    """Return the functions that a sentence names, where a gold answer is as many of them.

    >>> functions_in("g(x)=0, g(x)=x", "Two work: the identity, g(x) = x, and g(x) = 0.")
    'g(x) = x, g(x) = 0'
    >>> functions_in("g(x)=0, g(x)=x", "It is g(x) = x, not g(x) = 0.")
    """
    names = {*_GOLD.findall(gold)}
    if len(names) != 1 or (count := gold.count("=")) < 2:
        return None
    if len(sentence) > _MAX_CHARS or LEFT_OPEN.search(sentence):
        return None
    [(name, variable)] = names
    head = f"{name}({variable}) = "
    equations = [one for one in _EACH.finditer(sentence) if one.group(1, 2) == (name, variable)]
    named = [] if len(equations) == count else list(_NAMED.finditer(sentence))
    found = sorted((*equations, *named), key=lambda one: one.start())
    if len(found) != count or not claims_at(sentence, found[0].start(), found[-1].end()):
        return None
    values = [_ENDS.sub("", one["value"]) for one in equations]
    values += ["0" if one[1] else variable for one in named]
    return ", ".join(f"{head}{value.strip(' $')}" for value in values)


def function_in(sentence: str) -> str | None:
    """Return the functions that a sentence ends with, in words that all say in one way, else None.

    >>> function_in("So f must be constant."), function_in("Only the identity function works.")
    ('constant functions', None)
    >>> function_in("So f is not constant."), function_in("g is the identity map")
    (None, 'identity function')
    """
    named = _LAST_NAMED.search(sentence)
    if named is None or LEFT_OPEN.search(sentence):
        return None
    return "identity function" if named["same"] else "constant functions"
