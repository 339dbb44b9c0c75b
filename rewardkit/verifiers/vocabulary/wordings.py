"""Words and phrases that say the same where an answer is words: `concave downward` for `down`."""

from rewardkit.verifiers.vocabulary.numbers import MONTHS, NUMBER_WORDS, PARTS
from rewardkit.verifiers.vocabulary.patterns import phrases, same_as, words

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBER_CLASSES = words("""odd even prime composite positive negative nonnegative perfect square cube
    natural""")
"""Which numbers an answer names: `all odd integers`."""
BESIDE_CLASSES = words("""all every any each number numbers integer integers value values of for n m
    k x must be exactly when if only function""")
"""What stands beside these and says nothing more."""
NAMES_OF_TIMES = frozenset(DAYS + MONTHS)
"""Names that their first three letters stand for, as `Thu` does."""
SAME_WORDS = same_as("""down: downward downwards; up: upward upwards; left: leftward leftwards;
    right: rightward rightwards; convergent: converges converge converging; divergent: diverges
    diverge diverging; increasing: increases; decreasing: decreases; stays: remains remain stay;
    stays same: unchanged; doubles: doubled; triples: tripled; halves: halved;
    counterclockwise: anticlockwise; one to one: injective; surjective: onto; local: relative;
    maximum: max; minimum: min; gray: grey; tied: tie ties draw drawn""")
"""A word -> another for it."""
SAME_PHRASES = {
    **dict.fromkeys(phrases("does not, do not, doesn t, don t, will not, isn t, aren t"), "not"),
    "not stays same": "changes",
    "not convergent": "divergent", "not divergent": "convergent", "not true": "false",
    "not false": "true", "not defined": "undefined", "not rational": "irrational",
    "not irrational": "rational", "not dependent": "independent", "not independent": "dependent",
    **dict.fromkeys(phrases("no change, not change, stays constant"), "stays same"),
    "absolutely convergent": "convergent absolutely",
    "conditionally convergent": "convergent conditionally", "absolute maximum": "global maximum",
    "absolute minimum": "global minimum", "anti clockwise": "counterclockwise",
    "counter clockwise": "counterclockwise", "right angled": "right",
    **dict.fromkeys(phrases("none of these, none of them, none of those"), "none"),
    "one to one surjective": "bijective", "month of": "",
    **dict.fromkeys(
        phrases("has winning strategy, always wins, can always win, can force win"), ""
    ),
}  # fmt: skip
"""Words in a row, in the words of `SAME_WORDS` -> others for them; applied in this order."""
LEADING = words("it they s re was were on in at to due towards toward opens")
"""What may stand before the words that answer: `it is`, `on Tuesday`, `to the left`."""
TRAILING = frozenset(("one", "direction", "wins"))
"""What may stand behind them: `the blue one`."""
NOT_BEFORE_ONE = words("""no any every each least most exactly only than about to minus plus by not
    other""").union(NUMBER_WORDS)
"""Behind these, `one` counts: `at least one`, `no one`."""
KINDS_OF_THINGS = words("""number numbers function functions line lines triangle triangles angle
    angles series sequence progression integer integers point points curve curves player order
    growth event events equation equations""")
"""What an adjective is said of that answers alone: `obtuse`, an obtuse triangle."""
NO_ADJECTIVES = frozenset(("no", "yes", "all", "any", "every", "none", "not", *NUMBER_WORDS))
LABELLED = words("""letter figure graph diagram statement plan box jar container shop store bag urn
    route curve picture table group team tank machine method case type quadrant class scheme offer
    company spinner bowl bottle design region model answer option choice""")
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
COMPASS = {
    "n": "north", "e": "east", "s": "south", "w": "west",
    "ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
}  # fmt: skip
"""A letter or two -> the way that they stand for."""
