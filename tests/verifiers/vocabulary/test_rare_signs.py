"""What a long text holds is told by rare signs, as by a plain search."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from rewardkit.verifiers.vocabulary import rare_signs
from rewardkit.verifiers.vocabulary.rare_signs import holds, holds_any


@given(st.text("ab<>/", max_size=40), st.text("ab<>/", min_size=1, max_size=4), st.integers(0, 9))
def test_it_says_what_a_search_says(text, part, start):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rare_signs, "_LONG", 0)
        patched.setattr(rare_signs, "_MAX_SIGNS", 3)
        assert holds(text, part, start) == (text.find(part, start) >= 0)


@pytest.mark.parametrize("place", [0, 30_000, 59_990])
def test_a_part_of_a_long_text_is_found_wherever_it_is(place):
    text = "we < you > all " * 4_000
    text = text[:place] + "</think>" + text[place:]
    assert holds(text, "</think>")
    assert holds(text, "</think>", place)
    assert not holds(text, "</think>", place + 1)
    assert holds_any(text, ("<answer>", "</think>"))
    assert not holds_any(text, ("<answer>", "TOOL_CALLS"))
