"""`parse` and `verify` of the drop-in: what each setting does, and where they may be called."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

import pytest

from rewardkit import drop_in
from rewardkit.drop_in import (
    ExprExtractionConfig,
    LatexExtractionConfig,
    NormalizationConfig,
    StringExtractionConfig,
    UndecidedError,
    math_metric,
    parse,
    verify,
)
from rewardkit.errors import ConfigError

INTEGRAL = r"$\int_0^1 x^2 dx$"
"""What only sympy decides, in a process of its own."""


def shown(text, *config, **options):
    return [str(part) for part in parse(text, config or drop_in.extraction.BOTH, **options)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$1/2$", ["1/2", "1/2"]),
        (r"so it is \boxed{\frac{1}{2}}", [r"\frac{1}{2}", r"\frac{1}{2}"]),
        ("the answer is 12", ["12", "12"]),
        ("forty two", []),
        ("", []),
    ],
)
def test_a_value_and_its_text_are_parsed_or_nothing(text, found):
    assert shown(text) == found


def test_without_a_fallback_there_is_the_value_alone():
    assert shown("$12$", fallback_mode="no_fallback") == ["12"]


@pytest.mark.parametrize(
    ("config", "text", "found"),
    [
        (LatexExtractionConfig(), "it is 12", []),
        (ExprExtractionConfig(), "it is 12", ["12"]),
        (LatexExtractionConfig(boxed_match_priority=-1), r"\boxed{1}", []),
        (LatexExtractionConfig(boxed_match_priority=100), r"final answer is $9$, \boxed{1}", ["9"]),
        (StringExtractionConfig(), "The answer is B, not A.", ["b"]),
        (StringExtractionConfig(("yes", "no"), lowercase=False), "It is yes", ["yes"]),
        (StringExtractionConfig(try_extract_without_anchor=False), "Because B is valid", []),
    ],
)
def test_what_a_configuration_reads(config, text, found):
    assert shown(text, config, fallback_mode="no_fallback") == found


def test_without_an_anchor_nothing_else_counts():
    marked = (LatexExtractionConfig(try_extract_without_anchor=False),)
    gold = parse("$4$")
    assert verify(gold, parse(r"\boxed{4}", marked))
    assert verify(gold, parse("Final answer: $4$", marked))
    assert not verify(gold, parse("I think that $4$ came up", marked))


def test_malformed_operators_are_refused_where_that_is_asked_for():
    class Strict:
        malformed_operators = False

    strict = LatexExtractionConfig(normalization_config=Strict())
    assert shown(r"$\frac12$", strict) == []
    assert shown(r"$\frac{1}{2}$", strict, fallback_mode="no_fallback") == [r"\frac{1}{2}"]


def test_the_reward_of_open_r1_with_one_import_changed():
    """Its normalisation takes no `\\frac12`, and its anchor no number that is in no box."""
    config = NormalizationConfig(
        nits=False,
        malformed_operators=False,
        basic_latex=True,
        equations=True,
        boxed="all",
        units=True,
    )
    marked = LatexExtractionConfig(
        normalization_config=config, boxed_match_priority=0, try_extract_without_anchor=False
    )
    gold = parse(r"$\frac{1}{2}$", extraction_mode="first_match")
    rewards = {
        text: float(verify(gold, parse(text, extraction_config=[marked])))
        for text in (r"so \boxed{0.5}", r"so \boxed{\frac12}", "so $0.5$")
    }
    assert list(rewards.values()) == [1.0, 0.0, 0.0]


def test_what_is_no_configuration_is_refused():
    with pytest.raises(ConfigError, match="expected LatexExtractionConfig"):
        parse("1", ["latex"])


@pytest.mark.parametrize(
    ("gold", "answer", "options", "same"),
    [
        ("$1/3$", "0.333", {"float_rounding": 3}, True),
        ("$1/3$", "0.333", {"float_rounding": 4}, False),
        ("$4/3$", "1.333", {"float_rounding": 3}, True),
        ("$4/3$", "1.333", {"float_rounding": 4}, False),
        ("$1/300$", "0.003333", {}, True),
        ("$10$", "$9 + 1$", {}, True),
        ("$f(x)$", "$f(y)$", {"strict": False}, True),
        ("$f(x)$", "$f(y)$", {}, False),
        ("$(1, 2)$", "$(2, 1)$", {"strict": False}, True),
        ("$(1, 2)$", "$(2, 1)$", {}, False),
        ("$(1, 2)$", "$1 < x < 2$", {}, False),
        ("$(1, 2)$", "$1 < x < 2$", {"allow_set_relation_comp": True}, True),
        ("$1 < x < 2$", "$(1, 2)$", {}, True),
    ],
)
def test_the_settings_of_a_comparison(gold, answer, options, same):
    assert verify(parse(gold), parse(answer), **options) is same


def test_any_of_several_golds_counts():
    assert verify([*parse("$1$"), *parse("$2$")], parse("$2$"))


def test_the_text_beside_a_value_is_no_second_answer():
    assert not verify(["2", *parse("$1$")], [*parse("$3$"), "2"])
    assert verify(["b"], ["b"])


def test_numbers_and_expressions_of_sympy_are_compared_too():
    sympy = pytest.importorskip("sympy")
    assert verify(sympy.Rational(1, 2), parse("0.5"))
    assert parse("$9999$")[0] == sympy.Integer(9999)
    assert verify(3, parse("3.0"))


def test_what_cannot_be_decided_is_false_or_raised():
    tower = parse(r"$9^{9^{9^{9}}}$")
    assert verify(parse("$7$"), tower) is False
    with pytest.raises(UndecidedError):
        verify(parse("$7$"), tower, raise_on_error=True)


def test_a_metric_of_several_responses():
    metric = math_metric((LatexExtractionConfig(),), (ExprExtractionConfig(),))
    score, parsed = metric(["$12$"], ["it is 11", "it is 12"])
    assert (score, parsed) == (1.0, (["12", "12"], ["11", "11", "12", "12"]))
    with pytest.raises(ValueError, match="no answer is found in a gold"):
        metric(["twelve"], ["12"])


def test_threads_may_call_it_even_where_sympy_decides():
    golds = [r"$\frac{1}{3}$", "$1/2$", "$0.5$", INTEGRAL] * 4
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda one: verify(parse(one), parse("$1/3$")), golds))
    assert found == [True, False, False, True] * 4


def test_a_running_event_loop_may_call_it(caplog):
    async def grade():
        direct = verify(parse(INTEGRAL), parse("$1/3$"))
        return direct, await asyncio.to_thread(verify, parse("$2$"), parse("$2$"))

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(grade()) == (True, True)
    assert caplog.records == []


@pytest.mark.parametrize(
    "text",
    [
        "\\[" * 50_000,
        "\\(" * 50_000,
        "$" * 100_001,
        r"\boxed{" * 50_000,
        r"\boxed{" + "0" * 9_000 + "}",
        r"\frac{" * 50_000,
        "$1$ and " * 20_000,
        "answer " * 50_000,
        r"\boxed{9^{9^{9^{9^9}}}}",
    ],
    ids=lambda text: text[:8],
)
def test_no_text_raises_or_goes_on_for_long(text):
    for target in (LatexExtractionConfig(), StringExtractionConfig(), ExprExtractionConfig()):
        assert verify(parse("$12$"), parse(text, [target])) is False
