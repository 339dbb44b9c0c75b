"""Patterns that are searched only where the text holds what they need: nothing is overlooked."""

import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random

import pytest

from rewardkit.verifiers import extraction
from rewardkit.verifiers.vocabulary.needed import Reader
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought, words_in

sys.path.append(str(Path(__file__).parent))
from texts_that_match import drawn  # isort: skip

WORDS = {
    r"\b(?:perhaps|may be)\b": ["may perh", "be perh"],
    r"cannot": [],  # maybe the end of a longer word
    r"\bcannot": ["cann"],
    r"\bcan": [],  # maybe the beginning of one
    r"\bcan\b": ["can"],
    r"\bcan['’]t\s": ["t", "can"],  # of each set one, the rarest first
    r"\b(?:un)?able\b": ["able unab"],
    r"\bsolv(?:ed?|ing)\b": ["solv"],
    r"\bf(?:ind|ound)\b": ["foun find"],
    r"\b[a-z]+ing\b": [],
    r"\bhm+\b": ["hm hmm hmmm"],
    r"\b(?:very\s)*late\b": ["late"],
    r"\b(?:I|we)\s?(?:do\s)?know": ["ikno know wekn"],
    r"\A(?:no|[a-z]+)\sidea": ["idea"],
    r"\bas(?!\s)\b.{0,9}\bany": ["as"],
    r"[\s,.]due[-–\s]to\b": ["due", "to"],
    r"无法": ["无", "法"],
    r"\b(?:say|claim),?\sthat": ["clai say", "that"],
    r"\b(?:if|suppos\w+)\b": ["if supp"],
    r"\b(?:may|june),?\s\d": ["june may"],
}


@pytest.mark.parametrize(("pattern", "words"), WORDS.items())
def test_each_match_holds_a_word_of_each_set(pattern, words):
    needed = Reader(pattern).branches()[0].words
    assert [" ".join(sorted(some)) for some in needed] == [
        " ".join(sorted(some.split())) for some in words
    ]


PHRASES = {
    f"{module.name.rpartition('.')[2]}.{name}": phrase
    for module in walk_packages(extraction.__path__, f"{extraction.__name__}.")
    for name, phrase in vars(import_module(module.name)).items()
    if isinstance(phrase, (Sought, Beginning))
}


WANTED, MOST_DRAWN = 20, 2000


@pytest.mark.parametrize("name", PHRASES)
def test_no_match_is_overlooked(name):
    phrase, chance = PHRASES[name], Random(name)
    begins = isinstance(phrase, Beginning)
    alternatives = [branch.source for branch in Reader(phrase.source).branches()]
    matched = 0
    for _ in range(MOST_DRAWN):
        source = chance.choice(alternatives)
        text, pattern = drawn(source, chance, begins), re.compile(source, re.I)
        found = pattern.match(text) if begins else pattern.search(text)
        # `re.I` takes a long s for an s; no model writes one
        if found and text.upper().lower() == text.lower():
            assert phrase.may_be_in(text), text
            again = phrase.match(text) if begins else phrase.search(text)
            assert again.start() <= found.start(), text
            matched += 1
        if matched == WANTED:
            return
    pytest.fail(f"only {matched} of {MOST_DRAWN} texts match {phrase.source}")


@pytest.mark.parametrize("name", PHRASES)
def test_texts_of_its_own_words_are_searched_as_by_its_pattern(name):
    phrase, chance = PHRASES[name], Random(name)
    own = re.findall(r"[^\W_]+|[^\w\s]", re.sub(r"\\\w", " ", phrase.source).replace("\\", ""))
    pieces = [*own, " ", "7", "\n"]
    # by hypothesis, each of these texts takes as long as fifty do here
    for number in range(40):
        text = " "[number % 2 :].join(chance.choices(pieces, k=chance.randint(1, 20)))
        if isinstance(phrase, Beginning):
            found, plain = phrase.match(text), phrase.pattern.match(text)
        else:
            found, plain = phrase.search(text), phrase.pattern.search(text)
        assert (found and found.span()) == (plain and plain.span()), text


def test_words_are_told_by_how_they_begin():
    assert set(words_in("I can't; can’t see_it 24x, Größe")) == {
        *("i", "can", "t", "see_", "24x", "größ")
    }


def test_a_chinese_character_is_a_word_too():
    assert set(words_in("x无法解")) == {"x无法解", *"无法解"}


def test_half_a_character_is_read():
    assert Sought(r"\bno\b|无法").search("\ud800 no") is not None
    assert Sought(r"\bno\b|无法").search("\ud800 无法") is not None


def test_it_finds_what_its_pattern_finds():
    phrase, pattern = Sought(r"\bno\b"), re.compile(r"\bno\b", re.I)
    for text in ("No, no and NO.", "nothing", "yes", ""):
        assert [m.span() for m in phrase.finditer(text)] == [
            m.span() for m in pattern.finditer(text)
        ]
        assert phrase.sub("-", text) == pattern.sub("-", text)
        assert bool(phrase.match(text)) == bool(pattern.match(text))
        assert bool(phrase.search(text, 1, 5)) == bool(pattern.search(text, 1, 5))


def test_several_alternatives_are_found_in_the_order_of_their_pattern():
    source = r"\bnot sure\b|\bnot\b|\bmaybe\b|\bperhaps\b"
    phrase, pattern = Sought(source), re.compile(source, re.I)
    text = "Maybe not, I am NOT SURE, maybe."
    assert [m.span() for m in phrase.finditer(text)] == [m.span() for m in pattern.finditer(text)]
    assert phrase.sub("-", text) == pattern.sub("-", text) == "- -, I am -, -."
    assert Beginning(r"(so)?,?\s?\b(we|it)\b").match("So we").groups() == ("So", "we")
