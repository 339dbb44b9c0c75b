"""Words and phrases that say the same where an answer is words: `concave downward` for `down`."""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.numbers import MONTHS, NUMBER_WORDS, PARTS

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
CLASSES = (
    frozenset(DAYS), frozenset(MONTHS),
    *map(frozenset, map(str.split, (
        "even odd", "true false", "yes no", "increasing decreasing", "convergent divergent",
        "positive negative", "prime composite", "parallel perpendicular", "acute obtuse right",
        "left right", "north south east west", "rational irrational", "convex concave",
        "red green blue yellow black white orange purple brown pink gray grey",
    ))),
)  # fmt: skip
"""Words of which a thing is one."""
RESTATING = (
    r"(?:that\sis(?:\sto\ssay)?|i\.e\.|meaning(?:\sthat)?|in\sother\swords|namely|equivalently"
    r"|or\sto\sput\sit\s[a-z]+|which\s(?:is|equals|means)(?:\sthe\ssame\sas)?)"
)
"""What says a value again behind it."""
NAMES_OF_TIMES = frozenset((*DAYS, *MONTHS))
"""Names that their first three letters stand for, as `Thu` does."""
SAME_WORDS = {
    "downward": "down", "downwards": "down", "upward": "up", "upwards": "up",
    "leftward": "left", "leftwards": "left", "rightward": "right", "rightwards": "right",
    "converges": "convergent", "converge": "convergent", "converging": "convergent",
    "diverges": "divergent", "diverge": "divergent", "diverging": "divergent",
    "increases": "increasing", "decreases": "decreasing",
    "remains": "stays", "remain": "stays", "stay": "stays", "unchanged": "stays same",
    "doubled": "doubles", "tripled": "triples", "halved": "halves",
    "anticlockwise": "counterclockwise", "injective": "one to one", "onto": "surjective",
    "relative": "local", "max": "maximum", "min": "minimum", "grey": "gray",
}  # fmt: skip
"""A word -> another for it."""
SAME_PHRASES = {
    "does not": "not", "do not": "not", "doesn t": "not", "don t": "not", "will not": "not",
    "isn t": "not", "aren t": "not", "not stays same": "changes",
    "not convergent": "divergent", "not divergent": "convergent", "not true": "false",
    "not false": "true", "not defined": "undefined", "not rational": "irrational",
    "not irrational": "rational", "not dependent": "independent", "not independent": "dependent",
    "no change": "stays same", "not change": "stays same", "stays constant": "stays same",
    "absolutely convergent": "convergent absolutely",
    "conditionally convergent": "convergent conditionally", "absolute maximum": "global maximum",
    "absolute minimum": "global minimum", "anti clockwise": "counterclockwise",
    "counter clockwise": "counterclockwise", "right angled": "right",
    "none of these": "none", "none of them": "none", "none of those": "none",
    "one to one surjective": "bijective", "month of": "",
}  # fmt: skip
"""Words in a row, in the words of `SAME_WORDS` -> others for them; applied in this order."""
LEADING = frozenset((
    "it", "they", "s", "re", "was", "were", "on", "in", "at", "to", "due", "towards", "toward",
    "opens",
))  # fmt: skip
"""What may stand before the words that answer: `it is`, `on Tuesday`, `to the left`."""
TRAILING = frozenset(("one", "direction", "wins"))
"""What may stand behind them: `the blue one`."""
NOT_BEFORE_ONE = frozenset((
    "no", "any", "every", "each", "least", "most", "exactly", "only", "than", "about", "to",
    "minus", "plus", "by", "not", "other", *NUMBER_WORDS,
))  # fmt: skip
"""Behind these, `one` counts: `at least one`, `no one`."""
KINDS_OF_THINGS = frozenset((
    "number", "numbers", "function", "functions", "line", "lines", "triangle", "triangles",
    "angle", "angles", "series", "sequence", "progression", "integer", "integers", "point",
    "points", "curve", "curves", "player", "order", "growth", "event", "events", "equation",
    "equations",
))  # fmt: skip
"""What an adjective is said of that answers alone: `obtuse`, an obtuse triangle."""
NO_ADJECTIVES = frozenset(("no", "yes", "all", "any", "every", "none", "not", *NUMBER_WORDS))
LABELLED = frozenset((
    "letter", "figure", "graph", "diagram", "statement", "plan", "box", "jar", "container",
    "shop", "store", "bag", "urn", "route", "curve", "picture", "table", "group", "team", "tank",
    "machine", "method", "case", "type", "quadrant", "class", "scheme", "offer", "company",
    "spinner", "bowl", "bottle", "design", "region", "model", "answer", "option", "choice",
))  # fmt: skip
"""What a letter or numeral names: `Figure III`."""
ORDINAL_WORDS = {
    "first": 1, "second": 2,
    **{word: 1 // part for word, part in PARTS.items() if word.endswith(("th", "rd"))},
}  # fmt: skip
NUMERALS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
BOUNDS = {
    ">=": ("at least", "no fewer than", "no less than", "not less than", "a minimum of", "≥"),
    "<=": ("at most", "no more than", "not more than", "a maximum of", "up to", "≤"),
    ">": ("more than", "greater than", "over", "larger than", "above", ">"),
    "<": ("fewer than", "less than", "under", "smaller than", "below", "<"),
}  # fmt: skip
"""What stands before a number that bounds the answer."""
BOUNDS_BEHIND = {
    ">=": ("or more", "or greater", "or over", "or above"),
    "<=": ("or less", "or fewer", "or under", "or below"),
}  # fmt: skip
"""What stands behind it."""
