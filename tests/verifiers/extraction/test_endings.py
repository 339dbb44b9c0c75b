"""The end of a response read from its end: the same as all of it read from its beginning."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.verifiers.extraction.endings import giving_up
from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.endings.last_sentences import (
    NUMBER,
    last_sentences,
    number_in,
    sentences,
)
from rewardkit.verifiers.extraction.wanted import wanted

FAR = "We look at it once more and find nothing new. " * 60
BETWEEN = re.compile(r"\s(?:(?<=[\w)$*][.!]\s)(?<!\b[eE]\.g\.\s)(?<!\bi\.e\.\s)|(?<=\n)\n*)")
"""Where sentences end, from the white space behind them on."""
TEXTS = st.text(alphabet="aA3 .!\n-e(g$*,", max_size=40)


@given(TEXTS)
def test_sentences_are_cut_where_white_space_ends_them(text):
    assert sentences(text) == BETWEEN.split(text)


@given(
    st.lists(
        st.sampled_from(["One. ", "It is 3!\n", "so\n\n", "e.g. x ", "long " * 40]), max_size=30
    )
)
def test_the_last_sentences_are_those_of_the_whole_end(parts):
    text = "".join(parts)
    assert last_sentences(text) == BETWEEN.split(text[-1000:])[-3:]


@given(TEXTS, st.integers(0, 40))
def test_a_number_is_seen_wherever_the_pattern_finds_one(text, start):
    assert number_in(text, start) == (NUMBER.search(text, start) is not None)


@given(TEXTS)
def test_the_last_sentence_of_many_lines(text):
    assert wanted._last_sentence(text) == wanted._SENTENCES.split(text.strip())[-1]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The answer is 3. " + FAR, ["answer is "]),
        ("The answer is 3. " + FAR + "My choice: 4", ["choice: ", "answer is "]),
        ("The answer is 3. Antwort: 5. " + FAR + "The result is 4", ["result is ", "Antwort:", "answer is "]),
        ("答案：5。" + FAR + "The result is 4", ["result is ", "答案："]),
        (FAR, []),
    ],
)  # fmt: skip
def test_names_of_an_answer_come_last_first(text, names):
    assert [name[0] for name in Ending(text).names()] == names


@pytest.mark.parametrize(
    "refusal", ["I could not find it.", "I give up!", "No idea", "no way to tell 3"]
)
@pytest.mark.parametrize(
    "end", ["The answer is 5.", "So the answer is 5", "the answer is true", "The answer is True"]
)
@pytest.mark.parametrize("between", ["\n", ".\n", "\nHe has 3.\n", " "])
def test_a_last_line_that_names_a_value_concludes(refusal, between, end):
    text = refusal + between + end
    for phrases in (giving_up._REFUSES, giving_up._UNDETERMINED):
        found = list(phrases.finditer(text))
        open_still = bool(found) and not giving_up.concludes(text, found[-1].end() - 1)
        assert giving_up._is_last(phrases, text) == open_still
