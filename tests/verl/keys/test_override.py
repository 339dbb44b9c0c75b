"""Hydra reads back what we wrote, whatever it holds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit_verl.keys.override import Override, hydra

pytestmark = pytest.mark.verl

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="$\0"), max_size=30)


def read_back(word):
    from hydra.core.override_parser.overrides_parser import OverridesParser

    return OverridesParser.create().parse_override(f"key={word}").value()


@settings(deadline=None, max_examples=300)
@given(TEXT)
def test_any_text_without_a_dollar_comes_back(text):
    found = read_back(hydra(text))
    assert getattr(found, "text", found) == text


@pytest.mark.parametrize(
    "value",
    [1e-6, 1, True, False, None, [0.9, 0.95], ["console", "file"], "null", "true", "1e5", "7", ""],
)
def test_values_keep_their_type(value):
    found = read_back(hydra(value))
    if isinstance(value, list) and isinstance(value[0], str):
        found = [getattr(v, "text", v) for v in found]
    found = getattr(found, "text", found)
    assert found == value
    assert type(found) is type(value)


def test_a_new_key_gets_a_plus():
    assert Override("x", "a.b", 1, new=True).text == "+a.b=1"
    assert Override("x", "a.b", "c d").text == "a.b='c d'"
