"""The end of a response read from its end: the same as all of it read from its beginning."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.verifiers.extraction.endings import unsettled
from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.endings.last_sentences import (
    NUMBER,
    last_sentences,
    number_in,
    sentences,
)
from rewardkit.verifiers.extraction.endings.others import others_from
from rewardkit.verifiers.extraction.endings.words_behind import without_words_behind
from rewardkit.verifiers.extraction.text.said_again import said_plainly_again
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
    for phrases in (unsettled._REFUSES, unsettled._UNDETERMINED):
        found = list(phrases.finditer(text))
        open_still = bool(found) and not unsettled.concludes(text, found[-1].end() - 1)
        assert unsettled._is_last(phrases, text) == open_still


@pytest.mark.parametrize(
    "remark",
    [
        "Take care: 17 isn't prime.",
        "Watch out! 17 isn't prime.",
        "Never mix it up with the 17 before.",
        "It can't be 17, as that is odd.",
        "17 would be too few.",
        "Whoever says 17 forgot the last one.",
        "Had she lost one, she'd have 17.",
        "Without the last one it'd be 17.",
    ],
)
def test_what_only_speaks_of_other_values_claims_nothing(remark):
    answer = "She has 18 of them."
    assert others_from(f"{answer} {remark}") == len(answer)


@pytest.mark.parametrize(
    "claim",
    [
        "Take care: it is 17.",
        "Watch out! That is not right.",
        "Careful, I forgot one: 17.",
        "Careful: 18 isn't right.",
        "18 would be too few.",
        "Whoever says 18 forgot the last one.",
        "Mind the last one: 17 in all.",
        "She gave one away, so 17 are left.",
    ],
)
def test_what_gives_another_answer_or_speaks_of_this_one_is_no_remark(claim):
    assert others_from(f"She has 18 of them. {claim}") == -1


@pytest.mark.parametrize("remark", ["Isn't that neat?", "What a nice puzzle!", "Enjoy the cake!"])
def test_words_to_the_reader_are_left_out(remark):
    assert without_words_behind(f"It has 18 pages. {remark}") == "It has 18 pages."


@pytest.mark.parametrize("doubt", ["Isn't that wrong?", "Isn't it 17?", "How high is it?"])
def test_questions_about_the_answer_are_no_words_to_the_reader(doubt):
    assert without_words_behind(f"It has 18 pages. {doubt}").endswith(doubt)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1/8, or 12.5% if you prefer.", "1/8, or 12.5%."),
        ("2 m or, put differently, 200 cm.", "2 m or 200 cm."),
        ("3√2, or roughly 4.24.", "3√2, which is roughly 4.24."),
        ("3√2, or roughly 5.", "3√2, or roughly 5."),
        ("12, if you like puzzles.", "12, if you like puzzles."),
    ],
)
def test_an_answer_said_again_is_brought_to_one_wording(text, plain):
    assert said_plainly_again(text) == plain
