"""Words that join answers, hedge or announce them, and phrases that are an answer."""

from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, ORDINALS
from rewardkit.verifiers.vocabulary.patterns import words

CONNECTIVES = frozenset({"and", "or", "und", "oder", "et", "ou"})
"""Words between the parts of an answer."""
OR = frozenset({"or", "oder", "ou"})
OR_ELSEWHERE = frozenset(("oder", "ou", "o", "или", "或"))
JOINING_ELSEWHERE = OR_ELSEWHERE | {"und", "et", "y", "e", "и", "和"}
"""Words between the parts of an answer elsewhere; in a formula, one letter may be an unknown."""
NEGATIONS = frozenset(("not", "never", "nor", "neither", "cannot"))
DOUBTS = words("""maybe perhaps possibly probably presumably supposedly conceivably hopefully
    allegedly""")
HEDGES = words("""no either any some about almost unless except but wrong incorrect unknown other
    another else all every anything if isn least most more less than or candidate candidates guess
    guesses possibility possibilities options error mistake""").union(NEGATIONS, DOUBTS)
"""Words beside a value that make it less than an answer."""
COMPARATIVES = frozenset(("more", "less"))
"""Words that say how a count compares when they stand right after it: `10 more people`."""
INTRODUCTIONS = frozenset(("is", "are", "both", "point", "value"))
"""Words that end a phrase before an answer: `\\text{the roots are } 1, 3`."""
SHORT_ANSWERS = words("yes no odd red all any day win won none true not set")
"""Words of a few letters that are an answer alone, where others are a product."""
SHORT_NUMBER_WORDS = frozenset(word for word in NUMBER_WORDS if len(word) <= 3)
SHORT_WORDS = words("""the is of to in on at are for how nor but its per may can an am pm if by it
    as pct sq cu""").union(SHORT_ANSWERS, SHORT_NUMBER_WORDS, ORDINALS)
"""Runs of two or three letters that are words rather than products."""
_NUMBER_SETS = {
    "R": ("real numbers", "reals", "any real number"), "Z": ("integers",),
    "N": ("natural numbers",), "Q": ("rational numbers", "rationals"), "C": ("complex numbers",),
}  # fmt: skip
_ALL_OF = ("", "all ", "the ", "all the ", "set of ", "the set of ", "the set of all ")
VALUES_IN_WORDS = {
    "inf": ("infinity", "positive infinity", "infinite", "infinitely many",
            "infinitely many solutions"),
    "-inf": ("negative infinity", "minus infinity"),
    "empty": ("no solution", "no solutions", "no real solution", "no real solutions", "empty set"),
    **{name: tuple(f"{all_of}{kind}" for all_of in _ALL_OF for kind in kinds)
       for name, kinds in _NUMBER_SETS.items()},
}  # fmt: skip
"""Infinity, the empty set and the sets of numbers as they are said."""
OPTIONAL_WORDS = frozenset(("a", "an", "the", "is", "are", "and"))
"""Words that answers in words may have or leave out."""
SENTENCE_WORDS = words("""you he she we they his her our their has have had was were will would did
    does can could should""")
"""Words of a sentence, some of them short enough to look like a product of unknowns."""
