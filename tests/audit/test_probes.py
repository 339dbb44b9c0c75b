"""What probes say is right follows from how they are made: by value, worked out here a second way."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.audit.probes.assemble import all_probes, choose
from rewardkit.audit.probes.attacks import MASTER_KEYS
from rewardkit.audit.probes.mutations import mutations, neighbour
from rewardkit.audit.probes.shapes import Shape, number, read
from rewardkit.audit.probes.writings import writings
from rewardkit.errors import DataError
from rewardkit.types import Problem

NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12).map(str),
    st.integers(-(10**9), 10**9).map("{:,}".format),
    st.decimals(-(10**6), 10**6, places=3).map(lambda value: f"{value:f}"),
    st.tuples(st.integers(-500, 500), st.integers(2, 500)).map(lambda ab: f"{ab[0]}/{ab[1]}"),
    st.tuples(st.integers(0, 500), st.integers(2, 500)).map(
        lambda ab: rf"\frac{{{ab[0]}}}{{{ab[1]}}}"
    ),
)


def value(text):
    """The value of a number as Python reads it, None for what is none."""
    text = (
        text.strip()
        .strip("$")
        .strip()
        .replace("{,}", "")
        .replace(",", "")
        .replace("\\dfrac", "\\frac")
    )
    if found := re.fullmatch(r"(-?)\\frac\{(-?\d+)\}\{(-?\d+)\}", text):
        return Fraction(int(found[2]), int(found[3])) * (-1 if found[1] else 1)
    if found := re.fullmatch(r"\((-?\d+)\)\^2|(\d+)\^2", text):
        return Fraction(found[1] or found[2]) ** 2
    try:
        return Fraction(text)
    except ValueError:
        return None


@given(NUMBERS)
def test_a_number_in_another_writing_has_its_value_and_a_mutated_one_has_not(gold):
    reading = read(gold)
    assert reading.value == value(gold) is not None
    for name, text, certain in writings(reading):
        if certain:
            assert value(text) == reading.value, (name, text)
    found = list(mutations(reading))
    assert found
    for name, text in found:
        if name != "one element more":
            assert value(text) is not None, (name, text)
            assert value(text) != reading.value, (name, text)
    assert value(neighbour(reading)) != reading.value


@pytest.mark.parametrize(
    ("gold", "shape"),
    [
        ("-12", Shape.INTEGER), ("1,234", Shape.INTEGER), ("$7$", Shape.INTEGER),
        ("1,23", Shape.LIST), ("0.50", Shape.DECIMAL), (".5", Shape.DECIMAL),
        ("\\dfrac{1}{2}", Shape.FRACTION), ("3/4", Shape.FRACTION), ("5\\,\\mathrm{cm}", Shape.QUANTITY),
        ("12 hours", Shape.QUANTITY), ("[0,\\infty)", Shape.PAIR), ("(1, 2, 3)", Shape.PAIR),
        ("\\{1, 2\\}", Shape.SET), ("3, 5, 8", Shape.LIST), ("1, x", Shape.OTHER),
        ("H, O", Shape.WORD_LIST), ("red,blue", Shape.WORD_LIST), ("red, red", Shape.OTHER), ("March 5", Shape.OTHER), ("(B)", Shape.OPTION),
        ("no", Shape.YES_NO), ("an ellipse", Shape.WORDS), ("x^2-1", Shape.EXPRESSION),
        ("2\\pi", Shape.EXPRESSION), ("\\sin x", Shape.OTHER), ("x = 5", Shape.OTHER), ("", Shape.OTHER),
    ],
)  # fmt: skip
def test_a_shape_is_told_by_spelling(gold, shape):
    assert read(gold).shape is shape


@pytest.mark.parametrize(
    ("gold", "mutated"),
    [
        ("(0, 1]", {"[0, 1]", "(0, 1)", "(-1, 1]", "(0, 2]"}),
        ("(-\\infty, 3]", {"(-\\infty, 3)", "(-\\infty, 4]"}),
        ("\\{1, 2\\}", {"\\{1, 2, 7919\\}", "\\{1\\}", "\\{1, 3\\}"}),
        ("5\\text{ cm}", {"6\\text{ cm}", "-5\\text{ cm}", "5\\text{ m}"}),
        ("(D)", {"A", "B"}),
        (r"\text{(C)}", {"D", "A"}),
        ("Yes", {"No"}),
        ("3x^2 - 5", {"3x^2 - 5 + 1", "-(3x^2 - 5)", "3x^{3} - 5", "4x^2 - 5"}),
        ("H, O", {"umbrella, O", "H, umbrella", "H, O, umbrella", "umbrella, H, O", "H", "O", "tartan umbrella"}),
        # Its country may be left out.
        ("Oslo, Norway", {"umbrella, Norway", "Oslo, umbrella", "Oslo, Norway, umbrella", "umbrella, Oslo, Norway", "tartan umbrella"}),
        ("March 5", {"March 6", "not March 5", "tartan umbrella", "7919"}),
        ("x = 5", {"tartan umbrella", "7919"}),
        ("an ellipse", {"not an ellipse", "tartan umbrella"}),
        ("cannot be determined", {"tartan umbrella"}),
        # A changed number may cancel out, so none is changed.
        ("0 \\cdot x", {"tartan umbrella", "7919"}),
        ("1^n + x", {"tartan umbrella", "7919"}),
        ("", set()),
    ],
)  # fmt: skip
def test_what_is_changed(gold, mutated):
    assert {text for _, text in mutations(read(gold))} == mutated


def test_problems_of_all_shapes_take_turns():
    problems = [Problem(str(n), "?", str(n)) for n in range(50)] + [
        Problem("w", "?", "an ellipse"), Problem("i", "?", "[0,1)"), Problem("again", "?", "3"),
    ]  # fmt: skip
    chosen = choose(problems, 5)
    assert [one.problem.answer for one in chosen] == ["0", "an ellipse", "[0,1)", "1", "2"]


PRICES = [
    Problem("1", "How much?", "4", info={"currency": "EUR", "said": "12 / 3 = 4, so 4 EUR"}),
    Problem("2", "Pay it.", "7", info={"currency": "USD", "said": "all of it"}),
]


def test_where_a_right_response_says_the_gold_is_where_answers_stand():
    chosen = choose(PRICES, 2, right_of=lambda problem: problem.info["said"])
    probes = all_probes(chosen, "bare", Path("mark"), golds_are_answers=False)
    said = {(probe.problem.id, probe.kind): probe.response for probe in probes}
    assert said["1", "own gold"] == "12 / 3 = 4, so 4 EUR"
    assert said["1", "writing: decimal zeros"] == "12 / 3 = 4, so 4.0 EUR"
    assert said["1", "mutated: sign"] == "12 / 3 = 4, so -4 EUR"
    # It says no gold: itself is right, and where another writing would stand is not known.
    assert {p.response for p in probes if p.accept and p.problem.id == "2"} == {"all of it"}
    assert said["2", "mutated: sign"] == "-7"


def test_a_column_in_a_form_is_filled_for_each_problem():
    probes = all_probes(
        choose(PRICES, 2), r"\boxed{ANSWER}\frac{currency}{2} {currency}", Path("x")
    )
    own = [probe.response for probe in probes if probe.kind == "own gold"]
    assert own == [r"\boxed{4}\frac{currency}{2} EUR", r"\boxed{7}\frac{currency}{2} USD"]
    with pytest.raises(DataError, match="'curency' with text; did you mean currency"):
        all_probes(choose(PRICES, 2), "ANSWER {curency}", Path("x"))


def test_an_article_is_no_item_of_another_list():
    problems = [Problem(gold, "?", gold) for gold in ("red, blue", "A, C")]
    assert choose(problems, 2)[0].reading.stranger == "C"


def test_two_golds_that_deny_may_be_one_answer_and_are_no_wrong_ones_of_each_other():
    golds = ("impossible", "not possible", "no solution", "isosceles")
    probes = all_probes(choose([Problem(g, "?", g) for g in golds], 4), "bare", Path("mark"))
    others = {
        p.response
        for p in probes
        if p.kind == "mutated: another problem's" and p.problem.id != "isosceles"
    }
    assert others == {"isosceles"}
    lists = {p.response for p in probes if p.kind == "all options" and p.problem.id == "impossible"}
    assert lists == {"isosceles, impossible", "impossible, isosceles"}


FORMULAS = [Problem(gold, "?", gold) for gold in ("H, O", "Na, Cl", "Na, O, H", "Ca, O")]


def share(response, answer):
    """The share of the gold's items that a response has, if it has no others."""
    said, wanted = ({*re.findall(r"\w+", text)} for text in (response, answer))
    return len(said & wanted) / len(wanted) if said <= wanted else 0.0


@pytest.mark.parametrize(
    ("careless", "expected"),
    [
        (lambda r, a: a in r, {"mutated: one element more", "hedge: or", "hedge: either", "all options"}),
        (lambda r, a: any(w in r for w in a.split(", ")), {"mutated: element", "mutated: one element less", "hedge: or"}),
        (lambda r, a: share(r, a) >= 0.5, {"mutated: one element less"}),
        (lambda r, a: len(r.split(", ")) == len(a.split(", ")), {"mutated: another problem's", "mutated: element"}),
    ],
)  # fmt: skip
def test_careless_verifiers_of_lists_of_words_wrongly_accept_something(careless, expected):
    probes = all_probes(choose(FORMULAS, 4), "bare", Path("mark"))
    accepted = {p.kind for p in probes if not p.accept and careless(p.response, p.problem.answer)}
    assert accepted >= expected
    wrong = {p.response for p in probes if p.kind == "mutated: element" and p.problem.id == "H, O"}
    assert wrong == {"Na, O", "H, Na"}  # words of other golds, as a model would name them


@pytest.mark.parametrize("gold", ["(2, \\infty)", "[0, 1)", "(-\\infty, 3]"])
def test_beside_an_interval_stands_one_that_is_no_part_of_it(gold):
    reading = read(gold)
    low, high = (value(end) for end in reading.items)
    other = read(neighbour(reading))
    wider = [value(end) for end in other.items]
    assert (wider[0], wider[1]) != (low, high)
    assert low is None or wider[0] <= low
    assert high is None or wider[1] >= high


@pytest.mark.parametrize("gold", ["March 5", "x = 5", "1, x", "(a, b)", "0 \\cdot x", "H, O"])
def test_of_every_kind_of_gold_wrong_answers_and_hedges_are_asked(gold):
    probes = all_probes(choose([Problem("1", "?", gold)], 1), "bare", Path("mark"))
    groups = {p.group for p in probes if not p.accept}
    assert groups >= {"mutated", "hedge", "both answers"}


def test_no_response_is_asked_twice_and_none_that_should_be_refused_is_right():
    golds = ["42", "inf", "Solution", "None", "7919", "A"]
    chosen = choose([Problem(g, f"Is it {g}?", g) for g in golds], 10)
    probes = all_probes(chosen, "bare", Path("mark"))
    blind = ("guess", "strategy", "one of two")
    assert {p.response for p in probes if p.kind == "guess: 0"} == {"0"}
    assert sum(p.kind == "guess: A" for p in probes) == len(golds)
    probes = [probe for probe in probes if probe.group not in blind]
    keys = [(probe.problem.id, probe.response) for probe in probes]
    assert len(keys) == len(set(keys))
    refused = {(p.problem.answer, p.response.casefold().strip()) for p in probes if not p.accept}
    for gold in golds:
        assert (gold, gold.casefold()) not in refused
    assert len(MASTER_KEYS) > 10
    assert number("1,234") == 1234
