"""Answers that are read without tokens: the same trees as the parser makes of their tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.forms.dates_and_bases import special_form
from rewardkit.verifiers.parsing.forms.frequent import frequent
from rewardkit.verifiers.parsing.grammar.grammar import GRAMMAR
from rewardkit.verifiers.parsing.grammar.pratt import Parser
from rewardkit.verifiers.parsing.grammar.statements import answer
from rewardkit.verifiers.parsing.tokens.lexer import tokenize
from rewardkit.verifiers.vocabulary import numbers, phrases, units

FORMS = [
    "-5", "-1.25", "3/4", "-3/4", r"\frac{7}{2}", r"-\dfrac{7}{2}", "60%", r"60\%", "1,456%",
    "24 years", "21,456 reports", "6.75 hours", "5 noon", "5 june", "5 percent", "5 dozen", "5 half",
    r"74^\circ", r"-74^{\circ}", r"\sqrt{3}", r"6\sqrt{2}", r"-2 \sqrt{5}", r"\pi", r"3\pi",
    "[0, 3]", "(1,234)", "(-1.5, 2]", "[1, 2, 3, 4]", "(1,000, 2)", "007", "[01, 2]",
]  # fmt: skip
WORDS = sorted(
    {
        *units.UNITS, *units.PERCENT_WORDS, *units.CURRENCIES, *numbers.NUMBER_WORDS,
        *numbers.MULTIPLES, *numbers.OPERATIONS, *numbers.ORDINALS, *numbers.MONTHS,
        *phrases.HEDGES, *phrases.CONNECTIVES, *phrases.COMPARATIVES, *phrases.INTRODUCTIONS,
        *GRAMMAR.operators, *GRAMMAR.operands, "cookies", "pairs", "noon", "midnight",
    }
)  # fmt: skip


def by_tokens(text):
    try:
        return special_form(text) or answer(Parser(tokenize(text), GRAMMAR))
    except NotAnswer:
        return None


@pytest.mark.parametrize("text", FORMS)
def test_a_form_is_what_its_tokens_say(text):
    assert frequent(text) in (None, by_tokens(text))


def test_most_of_the_forms_are_known():
    assert sum(frequent(text) is not None for text in FORMS) > 20


def test_a_word_behind_a_number_counts_only_where_it_does_for_the_parser():
    texts = [f"24 {word.lower()}" for word in WORDS]
    assert not [text for text in texts if frequent(text) not in (None, by_tokens(text))]


@given(
    st.from_regex(
        r"-?(\d{1,3}(,\d{3})?(\.\d{1,3})?|[1-9]\d?/\d{1,2})( [a-z]{4,7}|\\?%)?", fullmatch=True
    )
)
def test_numbers_and_what_they_count(text):
    assert frequent(text) in (None, by_tokens(text))
