"""Patterns that are searched only where a part of them is in the text: nothing is overlooked."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.verifiers.extraction import marked, stated
from rewardkit.verifiers.extraction.endings import questions
from rewardkit.verifiers.extraction.prose import clauses, denials, prose, sentences, spoken
from rewardkit.verifiers.vocabulary.sought import Sought

PARTS = {
    r"\b(?:perhaps|may be)\b": ["may be", "perhaps"],
    r"might|may be": ["may be", "might"],
    r"a\s+long\s+word": ["long"],
    r"does ?n[o']t": ["does"],
    r"(?:not )?sure": ["sure"],
    r"(?:is|was)++ wrong\Z": [" wrong"],
    r"cannot|not": ["not"],
    r"[?？]\s*\Z": ["?", "？"],
    r"(?<=x)yes(?!no)": ["yes"],
    r"(?=.*ends)[a-z]+": ["ends"],
    r"\d+|two": [],
    r"(?:one)?\w*": [],
    r"[a-f]": [],
    r"(?i:ÄNDERN)": ["ändern"],
}


@pytest.mark.parametrize(("pattern", "parts"), PARTS.items())
def test_each_match_holds_a_part(pattern, parts):
    assert list(Sought(pattern).parts) == parts


PHRASES = [
    value
    for module in (clauses, denials, marked, prose, questions, sentences, spoken, stated)
    for value in vars(module).values()
    if isinstance(value, Sought)
]


@pytest.mark.parametrize("phrase", PHRASES)
@given(data=st.data())
@settings(max_examples=20)
def test_no_match_is_overlooked(phrase, data):
    text = data.draw(st.from_regex(phrase.pattern))
    # `re.I` takes a long s for an s; no model writes one
    if text.upper().lower() == text.lower() and phrase.pattern.search(text):
        assert phrase.search(text)


def test_it_finds_what_its_pattern_finds():
    phrase, pattern = Sought(r"\bno\b"), re.compile(r"\bno\b", re.I)
    for text in ("No, no and NO.", "nothing", "yes", ""):
        assert [m.span() for m in phrase.finditer(text)] == [
            m.span() for m in pattern.finditer(text)
        ]
        assert phrase.sub("-", text) == pattern.sub("-", text)
        assert bool(phrase.match(text)) == bool(pattern.match(text))
        assert bool(phrase.search(text, 1, 5)) == bool(pattern.search(text, 1, 5))
