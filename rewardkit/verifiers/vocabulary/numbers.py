"""Numbers in words, and words that multiply or change the number before them."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.vocabulary.patterns import phrases, same_as, words

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
"""What a number of up to three digits is said of: `two million one thousand`."""
_IRREGULAR = same_as("third: three; fifth: five; eighth: eight; ninth: nine; twelfth: twelve")


def _ordinal(word: str) -> str:
    return _IRREGULAR.get(word) or (f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th")


PARTS = {
    form: Fraction(1, size)
    for word, size in {**NUMBER_WORDS, "hundred": 100, **SCALES}.items()
    if size > 2
    for form in (_ordinal(word), f"{_ordinal(word)}s")
} | {
    **dict.fromkeys(("half", "halves"), Fraction(1, 2)),
    **dict.fromkeys(("quarter", "quarters"), Fraction(1, 4)),
}  # fmt: skip
"""What a counted part is of the whole: `third`, `thirds`, `twentieth`, `half`."""
MULTIPLES: dict[str, int | Fraction] = {
    **SCALES, **{f"{name}s": size for name, size in SCALES.items()},
    "hundred": 100, "hundreds": 100, "dozen": 12, "dozens": 12, "lakh": 10**5, "crore": 10**7,
    "bn": 10**9, "double": 2, "triple": 3,
    **{part: PARTS[part] for part in phrases("""halves, thirds, quarters, fourths, fifths, sixths,
        sevenths, eighths, ninths, tenths, twelfths, hundredths, thousandths""")},
}  # fmt: skip
"""Words that multiply the number before them."""
OPERATIONS = words("""squared cubed factorial doubled tripled halved reciprocal minus plus imaginary
    invalid impossible infinite false undefined half third inverse negative inverted negated""")
"""Words after a number that make another one of it, and so are no units."""
ORDINAL_SUFFIXES = {"1": "st", "2": "nd", "3": "rd"}
"""Last digit -> what follows it in `21st`; after any other, and in the teens, `th`."""
ORDINALS = frozenset(("st", "nd", "rd", "th"))
MONTHS = phrases("""january, february, march, april, may, june, july, august, september, october,
    november, december""")
