"""Each list of words is the same wherever words are read: extraction, parsing, comparison."""

import re

import pytest
from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity

from rewardkit.verifiers import ChoiceVerifier, IntegerVerifier, MathVerifier, TextVerifier
from rewardkit.verifiers.vocabulary.commands import (
    COMMAND_SYNONYMS,
    SPACING_COMMANDS,
    STYLE_COMMANDS,
    TEXT_COMMANDS,
)
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTERS
from rewardkit.verifiers.vocabulary.names import FUNCTION_SYNONYMS, FUNCTIONS, PLAIN_FUNCTIONS
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, SCALES
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import HEDGES
from rewardkit.verifiers.vocabulary.units import LARGER_UNITS, SMALLER_UNITS, UNITS

grade = MathVerifier()


@pytest.mark.parametrize("letter", OPTION_LETTERS)
def test_an_option_is_read_alike_everywhere(letter):
    other = OPTION_LETTERS[OPTION_LETTERS.index(letter) - 1]
    for written in (f"({letter}) 24", f"{letter}. 24", rf"\textbf{{({letter})}}\ 24"):
        assert grade(rf"\boxed{{{written}}}", "24").correct
        assert grade(rf"\boxed{{{written}}}", letter).correct
        assert not grade(rf"\boxed{{{written}}}", "42").correct
        assert not grade(rf"\boxed{{{written}}}", other).correct
    assert grade(f"Option {letter} is correct.", letter).correct
    assert grade(f"**({letter}) 24**", letter).correct
    assert ChoiceVerifier()(rf"\boxed{{{letter}}}", letter).correct


@pytest.mark.parametrize("command", sorted(TEXT_COMMANDS))
def test_a_command_that_holds_text_is_read_alike_everywhere(command):
    def boxed(text):
        return rf"\boxed{{\{command}{{{text}}}}}"

    assert grade(boxed("5"), "5").correct
    assert grade(boxed("(B) 5"), "B").correct
    assert grade(rf"\boxed{{2 \{command}{{ and }} 3}}", "2, 3").correct
    assert not grade(rf"\boxed{{2 \{command}{{ or }} 3}}", "2").correct
    assert IntegerVerifier()(boxed("5"), "5").correct
    assert TextVerifier()(boxed("An Ellipse"), "the ellipse").correct
    assert ChoiceVerifier()(boxed("(B)"), "B").correct


@pytest.mark.parametrize("name", sorted(PLAIN_FUNCTIONS))
def test_a_function_belongs_to_what_follows_it_in_plain_text(name):
    assert last_quantity(rf"It is \{name} 7.") == rf"\{name} 7"
    assert last_quantity(f"It is {name} 7.") == f"{name} 7"


@pytest.mark.parametrize("unit", sorted(unit for unit in UNITS if len(unit) > 3))
def test_a_unit_measures_the_number_before_it(unit):
    assert grade(rf"\boxed{{7\,\mathrm{{{unit}}}}}", f"7 {unit}").correct
    assert not grade(rf"\boxed{{7\,\mathrm{{{unit}}}}}", f"8 {unit}").correct


@pytest.mark.parametrize("unit", sorted(unit for unit in LARGER_UNITS & SMALLER_UNITS))
def test_of_a_quantity_in_two_units_neither_number_is_taken_alone(unit):
    assert last_quantity(f"It is 3 {unit} 7 {unit}") is None


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
