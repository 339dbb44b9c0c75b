"""Steps of a response: where they end, in characters and in tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.errors import ConfigError
from rewardkit.shaping.response_steps import lines, token_places, token_steps
from rewardkit.types import Outcome, Segment, StepScore, Verdict


def test_lines_without_words_are_no_steps():
    assert lines("") == lines("\n \n") == []
    assert lines("\na\n\n b \n") == [(3, "a"), (8, "b")]


def test_every_character_is_of_a_token():
    pieces = {1: "ab", 2: "c", 3: ""}

    def decode(tokens):
        return "".join(pieces[token] for token in tokens)

    tokens = (1, 2, 3, 1)  # ab c - ab
    assert token_places([1, 2, 3, 4, 5], tokens, decode) == [0, 0, 1, 3, 3]
    assert token_places([9], tokens, decode) == [3]  # beyond the text
    assert token_places([], tokens, decode) == []
    steps = [StepScore(1, 0.5), StepScore(2, 0.25), StepScore(3, 1.0)]
    assert token_steps(steps, tokens, decode) == [(0, 0.75), (3, 1.0)]
    assert token_steps(steps, (), decode) == []


def test_steps_of_several_turns_end_in_the_turn_that_has_them():
    pieces = {1: "ab", 2: "c", 3: "", 4: "??"}
    parts = Segment(True, "abc", 3), Segment(False, "??", 1), Segment(True, "c", 2)
    tokens = (1, 2, 3, 4, 2, 3)
    decode = lambda some: "".join(pieces[token] for token in some)  # noqa: E731
    for ends, places in {(2, 4, 6): [0, 2, 5], (3, 5): [2, 5], (9, 12): [5]}.items():
        steps = [StepScore(end, 0.5) for end in ends]
        assert [one.token for one in token_steps(steps, tokens, decode, parts)] == places


def bytewise(tokens):
    """Tokens are bytes; what is no whole character yet is one sign of that, as tokenizers do."""
    return bytes(tokens).decode(errors="replace")


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12), st.data())
def test_a_step_ends_with_the_byte_that_completes_its_last_character(text, data):
    end = data.draw(st.integers(1, len(text)))
    place = token_places([end], text.encode(), bytewise)[0]
    begins, stops = len(text[: end - 1].encode()), len(text[:end].encode())
    assert begins <= place < stops


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([(1, 1.5)], "in \\[0, 1\\], found 1.5"),
        ([(2, 1.0), (2, 1.0)], "one after the other"),
        ([(0, 1.0)], "at 1 or later"),
    ],
)
def test_steps_that_are_none(steps, message):
    with pytest.raises(ConfigError, match=message):
        Verdict(Outcome.CORRECT, steps=steps)


def test_what_says_nothing_has_no_steps():
    with pytest.raises(ConfigError, match="has no steps"):
        Verdict(Outcome.TIMEOUT, steps=[(1, 0.0)])
