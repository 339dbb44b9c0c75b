"""Each list of words is the same wherever words are read: parsing, comparison."""

import re

import pytest

from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.vocabulary.commands import (
    COMMAND_SYNONYMS,
    SPACING_COMMANDS,
    STYLE_COMMANDS,
    TEXT_COMMANDS,
)
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTERS
from rewardkit.verifiers.vocabulary.names import FUNCTION_SYNONYMS, FUNCTIONS
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, SCALES
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import HEDGES
from rewardkit.verifiers.vocabulary.units import UNITS


def equal(answer, gold):
    return compare_texts(gold, answer, MathOptions()).equal


@pytest.mark.parametrize("letter", OPTION_LETTERS)
def test_an_option_is_its_letter_and_what_it_says(letter):
    other = OPTION_LETTERS[OPTION_LETTERS.index(letter) - 1]
    for written in (f"({letter}) 24", f"{letter}. 24", rf"\textbf{{({letter})}}\ 24"):
        assert equal(written, "24")
        assert equal(written, letter)
        assert not equal(written, "42")
        assert not equal(written, other)


@pytest.mark.parametrize("command", sorted(TEXT_COMMANDS))
def test_a_command_that_holds_text_is_read_alike_everywhere(command):
    assert equal(rf"\{command}{{5}}", "5")
    assert equal(rf"\{command}{{(B) 5}}", "B")
    assert equal(rf"2 \{command}{{ and }} 3", "2, 3")
    assert not equal(rf"2 \{command}{{ or }} 3", "2")
    assert equal(rf"\{command}{{An Ellipse}}", "the ellipse")


@pytest.mark.parametrize("unit", sorted(unit for unit in UNITS if len(unit) > 3))
def test_a_unit_measures_the_number_before_it(unit):
    assert equal(rf"7\,\mathrm{{{unit}}}", f"7 {unit}")
    assert not equal(rf"7\,\mathrm{{{unit}}}", f"8 {unit}")


def test_no_command_is_two_things():
    kinds = (TEXT_COMMANDS, SPACING_COMMANDS, STYLE_COMMANDS, set(COMMAND_SYNONYMS), FUNCTIONS)
    names = [name for kind in kinds for name in kind]
    assert len(names) == len(set(names))
    assert set(FUNCTION_SYNONYMS) | set(FUNCTION_SYNONYMS.values()) <= FUNCTIONS


def test_a_hedge_is_no_unit_and_no_multiple():
    assert not HEDGES & (set(UNITS) | set(MULTIPLES))
    assert SCALES.items() <= MULTIPLES.items()


def test_the_longer_of_two_alternatives_is_found():
    found = re.search(alternatives(["text", "textbf", "a b"]), r"\textbf{x}")
    assert found
    assert found[0] == "textbf"
    assert re.fullmatch(alternatives(["a b", "a"]), "a  b")
    assert re.fullmatch(alternatives(["a.b"]), "axb") is None
