"""Words and phrases that say the same where an answer is words: `concave downward` for `down`."""

from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import phrases, same_as, words

NUMBER_CLASSES = words("""odd even prime composite positive negative nonnegative perfect square cube
    natural""")
"""Which numbers an answer names: `all odd integers`."""
BESIDE_CLASSES = words("""all every any each number numbers integer integers value values of for n m
    k x must be exactly when if only function""")
"""What stands beside these and says nothing more."""
SAME_WORDS = same_as("""down: downward downwards; up: upward upwards; left: leftward leftwards;
    right: rightward rightwards; convergent: converges converge converging; divergent: diverges
    diverge diverging; increasing: increases; decreasing: decreases; stays: remains remain stay;
    counterclockwise: anticlockwise; maximum: max; minimum: min; gray: grey""")
"""A word -> another for it."""
SAME_PHRASES = {
    **dict.fromkeys(phrases("no more than, not more than, maximum of, up to"), "most"),
    **dict.fromkeys(phrases("no fewer than, no less than, not less than, minimum of"), "least"),
    **dict.fromkeys(phrases("does not converge, not convergent"), "divergent"),
    "not true": "false", "not defined": "undefined", "not rational": "irrational",
    "counter clockwise": "counterclockwise", "right angled": "right", "unchanged": "stays same",
    "no change": "stays same", "none of these": "none", "none of them": "none",
}  # fmt: skip
"""Words in a row, in the words of `SAME_WORDS` -> others for them."""
LEADING = words("it they s re was were on in at to due towards toward opens")
"""What may stand before the words that answer: `it is`, `on Tuesday`, `to the left`."""
TRAILING = words("one direction number numbers integers")
"""What may stand behind them: `the blue one`."""
NOT_BEFORE_ONE = words("""no any every each least most exactly only than about to minus plus by not
    other""").union(NUMBER_WORDS)
"""Behind these, `one` counts: `at least one`, `no one`."""
