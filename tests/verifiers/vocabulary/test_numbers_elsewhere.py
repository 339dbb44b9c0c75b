"""What each language says of a number is read as that number, and nothing else is."""

from fractions import Fraction

import pytest

from rewardkit.verifiers.vocabulary.numbers_elsewhere import (
    LANGUAGES,
    folded,
    part_of_whole,
    whole_number,
)

GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, RUSSIAN = LANGUAGES
NUMBERS = [
    (GERMAN, "null", 0),
    (GERMAN, "einundzwanzig", 21),
    (GERMAN, "Dreißig", 30),
    (GERMAN, "dreissig", 30),
    (GERMAN, "hundertfünf", 105),
    (GERMAN, "neunhundertneunundneunzig", 999),
    (GERMAN, "tausendundeins", 1001),
    (GERMAN, "eine Million zweihunderttausend", 1_200_000),
    (FRENCH, "vingt et un", 21),
    (FRENCH, "quarante-huit", 48),
    (FRENCH, "soixante et onze", 71),
    (FRENCH, "septante-cinq", 75),
    (FRENCH, "quatre-vingts", 80),
    (FRENCH, "quatre-vingt-dix-neuf", 99),
    (FRENCH, "deux cents", 200),
    (FRENCH, "mille deux cent trente-quatre", 1234),
    (FRENCH, "un million six cent mille", 1_600_000),
    (SPANISH, "dieciséis", 16),
    (SPANISH, "treinta y cinco", 35),
    (SPANISH, "ciento una", 101),
    (SPANISH, "quinientas", 500),
    (SPANISH, "dos mil quinientos", 2500),
    (SPANISH, "mil millones", 10**9),
    (ITALIAN, "ventuno", 21),
    (ITALIAN, "ventitré", 23),
    (ITALIAN, "trentotto", 38),
    (ITALIAN, "centotto", 108),
    (ITALIAN, "duemilacinquecento", 2500),
    (ITALIAN, "mille e uno", 1001),
    (PORTUGUESE, "dezesseis", 16),
    (PORTUGUESE, "dezasseis", 16),
    (PORTUGUESE, "cento e vinte e cinco", 125),
    (PORTUGUESE, "mil e quinhentos", 1500),
    (PORTUGUESE, "dois milhões", 2_000_000),
    (DUTCH, "tweeëntwintig", 22),
    (RUSSIAN, "пятнадцать", 15),
    (RUSSIAN, "двадцать пять", 25),
    (RUSSIAN, "сто одна", 101),
    (RUSSIAN, "две тысячи пятьсот", 2500),
    (RUSSIAN, "девяносто тысяч", 90_000),
    (DUTCH, "honderdvijf", 105),
    (DUTCH, "drieduizend", 3000),
]


@pytest.mark.parametrize(("language", "said", "value"), NUMBERS)
def test_a_number_in_words_is_the_one_it_says(language, said, value):
    assert whole_number(folded(said), language) == value


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (GERMAN, "einundzwanzigste"),
        (GERMAN, "zwanzigeins"),
        (GERMAN, "zweidrei"),
        (GERMAN, "und"),
        (FRENCH, "quatre cinq"),
        (FRENCH, "vingt et"),
        (FRENCH, "centaine"),
        (SPANISH, "veinte dos mil mil"),
        (SPANISH, "treinta y"),
        (ITALIAN, "centro"),
        (PORTUGUESE, "vinte e"),
        (DUTCH, "tweetwintig"),
        (RUSSIAN, "пять двадцать"),
        (RUSSIAN, "стол"),
        (GERMAN, "x" * 500),
        (GERMAN, ""),
    ],
)
def test_what_says_no_number_is_none(language, said):
    assert whole_number(folded(said), language) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_numbers_below_a_thousand_are_said_alike(language):
    said = [name for n in range(1000) for name in set(language.say(n))]
    assert len(said) == len(set(said))
    assert all(name == folded(name) for name in said)


@pytest.mark.parametrize(
    ("language", "said", "part"),
    [
        (GERMAN, "Drittel", 3),
        (GERMAN, "Zwanzigstel", 20),
        (FRENCH, "quarts", 4),
        (FRENCH, "sixième", 6),
        (FRENCH, "douzièmes", 12),
        (SPANISH, "tercio", 3),
        (SPANISH, "doceavos", 12),
        (ITALIAN, "quinti", 5),
        (PORTUGUESE, "terços", 3),
        (DUTCH, "kwart", 4),
        (FRENCH, "deuxième", None),
        (GERMAN, "Mittel", None),
    ],
)
def test_a_part_of_the_whole_is_read(language, said, part):
    assert part_of_whole(folded(said), language) == (part and Fraction(1, part))
