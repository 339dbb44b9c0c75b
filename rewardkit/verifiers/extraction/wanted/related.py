"""How two figures are related: `triangle ABC is similar to triangle DEF`, `AB ∥ CD`."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import left_open_by
from rewardkit.verifiers.vocabulary.sought import holds_one

_FIGURE = (
    r"(?:(?:the\s)?(?:triangle|line|segment|side|angle|chord|polygon|quadrilateral)s?\s|△\s?|∠\s?"
    r"|\\(?:triangle|angle|overline|overleftrightarrow)\s?)?\{?"
)
_RELATION = (
    r"(?:(?:is|are|must\sbe)\s(?:thus\s|therefore\s|indeed\s|also\s)?"
    r"(?P<said>similar|congruent|parallel|perpendicular|orthogonal)\s(?:to|with)"
    r"|(?P<sign>\\sim(?:eq)?|\\cong|\\parallel|\\perp|[∼~≅∥⊥]))"
)
_RELATED = as_pattern(
    rf"(?<![\w\\])(?i:{_FIGURE})(?P<one>[A-Z]{{2,6}})\}}?\s?{_RELATION}\s?(?i:{_FIGURE})(?P<other>[A-Z]{{2,6}})\}}?"
    r"(?!\w)"
    r"(?:,?\s(?:by|because|since|as)\s[^.;]{1,80})?[\s.!]*\Z",
)
_NAMES = {
    "\\sim": "similar", "∼": "similar", "~": "similar", "\\cong": "congruent", "≅": "congruent",
    "\\simeq": "congruent", "\\parallel": "parallel", "∥": "parallel",
    "\\perp": "perpendicular", "⊥": "perpendicular", "orthogonal": "perpendicular",
}  # fmt: skip
_MAY_BE = ("similar", "congruent", "parallel", "perp", "orthogonal", "sim", "cong", *"∼~≅∥⊥")
_UNSURE = left_open_by(r"or|but|if|unless|whether|maybe|perhaps|assum\w+|suppose|given|false|wrong")
_MAX_GOLD, _MAX_CHARS = 80, 300


class Related(NamedTuple):
    """A relation and its two sides, whose order says nothing; what corresponds keeps its order."""

    relation: str
    sides: frozenset[str]


@lru_cache(maxsize=4096)
def related(gold: str) -> Related | None:
    """Return the relation that a gold answer is, and nothing else, or None.

    >>> related(r"AB \\perp CD") == related("CD is perpendicular to BA")
    True
    >>> related(r"ABC \\sim DEF") == related(r"ABC \\sim DFE"), related("AB = CD")
    (False, None)
    """
    return _relation(gold, whole=True) if len(gold) <= _MAX_GOLD else None


def related_in(gold: str, sentence: str) -> str | None:
    """Return the gold answer where a sentence ends with the same relation, else what it says.

    >>> related_in(r"AB \\perp CD", "So AB is perpendicular to CD.")
    'AB \\\\perp CD'
    >>> related_in(r"AB \\perp CD", "So AB is parallel to CD.")
    'parallel'
    """
    said = _relation(sentence, whole=False) if len(sentence) <= _MAX_CHARS else None
    return said and (gold if said == related(gold) else said.relation)


def _relation(text: str, *, whole: bool) -> Related | None:
    if not holds_one(text, _MAY_BE):
        return None
    plain = text.replace("$", "").replace("*", "").strip()
    found = (_RELATED.match if whole else _RELATED.search)(plain)
    if found is None or _UNSURE.search(plain):
        return None
    relation = (found["said"] or found["sign"]).lower()
    relation = _NAMES.get(relation, relation)
    sides = sorted((found["one"], found["other"]), key=sorted)
    if relation in ("parallel", "perpendicular"):
        return Related(relation, frozenset("".join(sorted(side)) for side in sides))
    if len(sides[0]) != len(sides[1]):
        return None
    pairs = zip(*sides, strict=True)  # what corresponds, in whatever order it is named
    return Related(relation, frozenset(map("".join, pairs)))
