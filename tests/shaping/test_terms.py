"""Shaping: every term by hand, at its corners, and what it refuses."""

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.recipes import Term
from rewardkit.shaping import TERMS, Scope, shape_group, terms_of
from rewardkit.types import Finish, Outcome, Rollout, Verdict
from rewardkit.verifiers import MathVerifier

BOUNDED = settings(deadline=None, max_examples=50)
REQUIRED = {
    "group_overlong": {"easy": 0.75},
    "length_target": {"target": 9},
    "dler": {"easy_target": 8, "easy": 0.75},
}
"""Options without a default, and those that make a term look at its group."""
RIGHT, WRONG = Verdict(Outcome.CORRECT), Verdict(Outcome.INCORRECT)


def rollout(length=1, text="", finish=Finish.STOP, tokens=None):
    tokens = tuple(range(length)) if tokens is None else tuple(tokens)
    return Rollout(text, tokens, (0.0,) * len(tokens), finish)


def shape(term, lengths, right, limit=20480, **options):
    """The component of one term for a group of lengths, `right` many of them correct."""
    verdicts = [RIGHT if i < right else WRONG for i in range(len(lengths))]
    rewards = shape_group(
        verdicts, [rollout(n) for n in lengths], [Term(term, 1.0, options)], limit=limit
    )
    return [reward.components[term] for reward in rewards]


def test_the_base_is_being_correct():
    rewards = shape_group([RIGHT, WRONG], [rollout(), rollout()], limit=8)
    assert [r.total for r in rewards] == [1.0, 0.0]
    assert [dict(r.components) for r in rewards] == [{"correct": 1.0}, {"correct": 0.0}]


@BOUNDED
@given(st.lists(st.sampled_from(list(Outcome)), min_size=1, max_size=6), st.integers(0, 20))
def test_bare_outcomes_are_shaped_to_the_bit_as_ones_and_zeros(outcomes, length):
    terms = [Term("soft_overlong"), Term("stop_properly", 1.0, {"scale": 0.3, "penalty": 0.1})]
    rollouts = [rollout(length, finish=Finish.LENGTH) for _ in outcomes]
    found = shape_group([Verdict(o) for o in outcomes], rollouts, terms, limit=20)
    for outcome, reward in zip(outcomes, found, strict=True):
        right = outcome is Outcome.CORRECT
        broken = outcome is Outcome.BAD_GOLD
        over = 0.0 if broken else -min(max((length - 16) / 4, 0.0), 1.0)
        stop = 0.0 if broken else (0.3 - 1) * right - 0.1
        parts = {"correct": float(right), "soft_overlong": over, "stop_properly": stop}
        assert (reward.components, reward.total) == (parts, math.fsum(parts.values()))


def test_a_score_is_the_reward_for_being_correct():
    verdicts = [Verdict(Outcome.INCORRECT, score=0.4), Verdict(Outcome.CORRECT, score=0.9), WRONG]
    terms = [Term("correct", 2.0), Term("stop_properly", 1.0, {"scale": 0.5})]
    cut = [rollout(finish=Finish.LENGTH), rollout(), rollout()]
    found = shape_group(verdicts, cut, terms, limit=8)
    assert [reward.components["correct"] for reward in found] == [0.4, 0.9, 0.0]
    assert [reward.total for reward in found] == pytest.approx([0.8 - 0.2, 1.8, 0.0])


@pytest.mark.parametrize("outcome", list(Outcome))
def test_only_correct_is_correct(outcome):
    (reward,) = shape_group([Verdict(outcome)], [rollout()], limit=8)
    assert reward.total == (outcome is Outcome.CORRECT)


def test_a_broken_item_earns_nothing_from_any_term():
    terms = [Term("format", 5.0, {"pattern": ""}), Term("soft_overlong")]
    (reward,) = shape_group([Verdict(Outcome.BAD_GOLD)], [rollout(99)], terms, limit=100)
    assert reward.total == 0
    assert set(reward.components.values()) == {0.0}
    (reward,) = shape_group([Verdict(Outcome.TIMEOUT)], [rollout(99)], terms, limit=100)
    assert reward.total == pytest.approx(5 - 0.95)


def test_components_are_kept_unweighted_beside_the_weighted_sum():
    terms = [Term("soft_overlong", 0.5), Term("format", 2.0, {"pattern": "x"})]
    (reward,) = shape_group([RIGHT], [rollout(18, text="x")], terms, limit=20)
    assert dict(reward.components) == {"correct": 1.0, "soft_overlong": -0.5, "format": 1.0}
    assert reward.total == pytest.approx(1 - 0.25 + 2)


def test_the_base_can_be_weighed_too():
    (reward,) = shape_group([RIGHT], [rollout()], [Term("correct", 0.0)], limit=20)
    assert reward.total == 0
    assert reward.components["correct"] == 1


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (0, 0.0),
        (16383, 0.0),
        (16384, 0.0),  # L − c, the last length without punishment
        (16385, -1 / 4096),
        (18432, -0.5),
        (20479, -4095 / 4096),
        (20480, -1.0),  # L
        (20481, -1.0),  # beyond it: still −1
        (40960, -1.0),
    ],
)
def test_soft_overlong_at_its_corners(length, expected):
    for options in ({}, {"cache": 4096}, {"cache_share": 0.2}):
        (found,) = shape("soft_overlong", [length], 1, **options)
        assert found == pytest.approx(expected, abs=1e-12)


def test_soft_overlong_over_the_whole_range():
    assert shape("soft_overlong", [5], 1, limit=10, cache=10) == [-0.5]
    for options in ({"cache": 0}, {"cache": 21}, {"cache_share": 1.5}, {"cache_share": 0.0}):
        with pytest.raises(ConfigError, match=r"\(0, 20\]"):
            shape("soft_overlong", [5], 1, limit=20, **options)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 30))
@BOUNDED
def test_soft_overlong_never_rewards_length(short, more, cache):
    low, high = shape("soft_overlong", [short, short + more], 2, limit=30, cache=cache)
    assert -1 <= high <= low <= 0


@pytest.mark.parametrize(
    ("lengths", "right", "options", "expected"),
    [
        # all correct: L = (100 + 1000)/2 = 550, −½·450/550
        ([100, 100, 100, 1000], 4, {}, [0, 0, 0, -0.4091]),
        # easy: only correct ones, and only their lengths set L = (100 + 300)/2
        ([100, 100, 300, 9000], 3, {}, [0, 0, -0.25, 0]),
        # hard: nobody
        ([100, 100, 300, 9000], 1, {}, [0, 0, 0, 0]),
        # between, more right than wrong: L over all, the right ones punished
        ([400, 100, 100, 100, 400], 3, {"easy": 0.9}, [-0.3, 0, 0, 0, 0]),
        # between, not more right than wrong: the wrong ones
        ([400, 100, 100, 400], 2, {}, [0, 0, 0, -0.3]),
        ([400, 100, 100, 100, 400], 2, {"easy": 0.9}, [0, 0, 0, 0, -0.3]),
        # the mean may be the larger of the two
        ([100, 400, 400, 400], 4, {}, [0, *[-0.5 * 75 / 325] * 3]),
        # equal lengths sit exactly at L
        ([500] * 4, 4, {}, [0] * 4),
        ([0] * 4, 4, {}, [0] * 4),
    ],
)
def test_group_overlong_by_hand(lengths, right, options, expected):
    found = shape("group_overlong", lengths, right, **{"easy": 0.75, **options})
    assert found == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("easy", "right", "size"), [(0.8, 1, 5), (0.8, 2, 10), (0.8, 4, 20), (0.9, 1, 10)]
)
def test_group_overlong_punishes_nobody_at_the_bound_of_hard_groups(easy, right, size):
    assert shape("group_overlong", [*range(10, 10 + size)], right, easy=easy) == [0.0] * size


def test_group_overlong_in_hard_groups_can_fall_back_to_daposs():
    found = shape("group_overlong", [10, 19], 0, limit=20, easy=0.75, hard="soft")
    assert found == pytest.approx([0, -0.75])


@given(st.lists(st.integers(1, 100), min_size=1, max_size=8), st.integers(0, 8))
@BOUNDED
def test_group_overlong_never_reaches_its_floor(lengths, right):
    """2L ≥ min + max > max for any response that is not empty, so that the −½ of the paper's last branch is out of reach."""
    found = shape("group_overlong", lengths, min(right, len(lengths)), easy=0.75)
    assert all(-0.5 < value <= 0 for value in found)


def test_group_overlong_needs_the_constant_that_the_paper_does_not_state():
    with pytest.raises(ConfigError, match="`easy`"):
        shape("group_overlong", [1], 1)
    for options in ({"easy": 0.5}, {"easy": 1.1}, {"easy": 0.75, "hard": "all"}):
        with pytest.raises(ConfigError):
            shape("group_overlong", [1], 1, **options)


def test_stop_properly():
    cut, whole = rollout(finish=Finish.LENGTH), rollout()
    for options, expected in [
        ({}, [-1.0, 0.0, 0.0]),
        ({"scale": 0.25}, [-0.75, 0.0, 0.0]),
        ({"scale": 1.0, "penalty": 0.5}, [-0.5, -0.5, 0.0]),
    ]:
        rewards = shape_group(
            [RIGHT, WRONG, RIGHT], [cut, cut, whole], [Term("stop_properly", 1.0, options)], limit=9
        )
        assert [r.components["stop_properly"] for r in rewards] == expected
    for options in ({"scale": 2.0}, {"penalty": -1.0}):
        with pytest.raises(ConfigError, match="scale"):
            shape("stop_properly", [1], 1, **options)


@pytest.mark.parametrize(
    ("length", "right", "expected"),
    [(0, 1, 2.0), (50, 1, 1.5), (0, 0, -10.0), (50, 0, -5.0), (100, 1, -10.0), (150, 0, -10.0)],
)
def test_cosine(length, right, expected):
    assert shape("cosine", [length], right, limit=100) == [pytest.approx(expected)]


def test_cosine_prefers_short_right_and_long_wrong():
    right = shape("cosine", [10, 50, 99], 3, limit=100)
    wrong = shape("cosine", [10, 50, 99], 0, limit=100)
    assert right == sorted(right, reverse=True)
    assert wrong == sorted(wrong)


def test_kimi_length():
    assert shape("kimi_length", [10, 20, 30], 3) == [0.5, 0.0, -0.5]
    assert shape("kimi_length", [10, 20, 30], 0) == [0.0, 0.0, -0.5]
    assert shape("kimi_length", [7, 7], 1) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("tokens", "ngram", "expected"),
    [
        ([1, 2, 3, 4], 2, 0.0),
        ([1, 1, 1, 1, 1], 1, -0.8),
        ([1, 2, 1, 2, 1], 2, -0.5),
        ([1, 2], 3, 0.0),
        ([], 1, 0.0),
    ],
)
def test_repetition(tokens, ngram, expected):
    term = Term("repetition", 1.0, {"ngram": ngram})
    (reward,) = shape_group([WRONG], [rollout(tokens=tokens)], [term], limit=9)
    assert reward.components["repetition"] == pytest.approx(expected)


def test_declared_pays_for_the_form_of_what_is_not_right():
    verifier = MathVerifier(answer_in="box")
    texts = [r"\boxed{5}", r"\boxed{6}", r"\boxed{\text{no idea at all}}", r"\boxed{}", "It is 5."]
    verdicts = [verifier(text, "5") for text in texts] + [Verdict(Outcome.TIMEOUT)]

    def found(**options):
        rollouts = [rollout()] * len(verdicts)
        rewards = shape_group(verdicts, rollouts, [Term("declared", 1.0, options)], limit=9)
        return [reward.components["declared"] for reward in rewards]

    assert found() == [0.0, 0.1, 0.0, 0.0, 0.0, 0.0]
    assert found(wrong=0.2, not_a_value=0.1, not_declared=-0.1) == [0.0, 0.2, 0.1, 0.1, -0.1, 0.0]
    own_words = [Verdict(Outcome.NO_ANSWER, method="code"), WRONG]
    rewards = shape_group(own_words, [rollout()] * 2, [Term("declared")], limit=9)
    assert [reward.total for reward in rewards] == [0.0, 0.1]


def test_format():
    texts = [r"so \boxed{3}", "so 3", "<think>\na\n</think> 3"]

    def found(**options):
        rewards = shape_group(
            [WRONG] * 3, [rollout(text=t) for t in texts], [Term("format", 1.0, options)], limit=9
        )
        return [r.components["format"] for r in rewards]

    assert found() == [1.0, 0.0, 0.0]
    assert found(pattern=r"^<think>.*</think>") == [0.0, 0.0, 1.0]
    with pytest.raises(ConfigError, match="regular expression"):
        found(pattern="(")


@pytest.mark.parametrize("name", sorted(TERMS))
def test_an_empty_group_is_an_empty_answer(name):
    options = REQUIRED.get(name, {})
    assert shape_group([], [], [Term(name, 1.0, options)], limit=5) == ()


OUTLINES = [(True, 4), (True, 18), (False, 9), (False, 20)]


@pytest.mark.parametrize("name", sorted(TERMS))
def test_a_term_looks_no_further_than_its_scope(name):
    """Alone or in its group, a response gets the same value exactly where the scope is RESPONSE."""
    options = REQUIRED.get(name, {})
    terms = [Term(name, 1.0, options)]
    verdicts = [RIGHT if right else WRONG for right, _ in OUTLINES]
    rollouts = [rollout(length, text=r"\boxed{1}") for _, length in OUTLINES]
    together = shape_group(verdicts, rollouts, terms, limit=20)
    alone = [
        shape_group([verdict], [response], terms, limit=20)[0]
        for verdict, response in zip(verdicts, rollouts, strict=True)
    ]
    assert (list(together) == alone) is (TERMS[name].scope is Scope.RESPONSE)


def test_terms_are_split_by_their_scope():
    terms = (Term("soft_overlong"), Term("kimi_length", 0.5), Term("correct", 2.0))
    assert [t.name for t in terms_of(terms, Scope.RESPONSE)] == ["soft_overlong", "correct"]
    assert [t.name for t in terms_of(terms, Scope.GROUP)] == ["kimi_length"]
    with pytest.raises(UnknownNameError, match="did you mean kimi_length"):
        terms_of([Term("kimi_lenght")], Scope.GROUP)


def test_what_is_wrong_is_named():
    with pytest.raises(UnknownNameError, match="did you mean soft_overlong"):
        shape("soft_overlongs", [1], 1)
    with pytest.raises(ConfigError, match="did you mean cache"):
        shape("soft_overlong", [1], 1, cachee=3)
    with pytest.raises(ConfigError, match=re.escape("2 verdicts for 1 rollouts")):
        shape_group([RIGHT, RIGHT], [rollout()], limit=3)
    with pytest.raises(ConfigError, match="twice"):
        shape_group([RIGHT], [rollout()], [Term("format"), Term("format")], limit=3)
    with pytest.raises(ConfigError, match="limit"):
        shape_group([RIGHT], [rollout()], limit=0)
    with pytest.raises(ConfigError, match="ngram"):
        shape("repetition", [1], 1, ngram=0)


def test_an_all_wrong_group_differs_in_reward_and_not_in_outcome():
    """Why filters read outcomes: by reward this group looks mixed, and short wrong answers win."""
    rewards = shape_group(
        [WRONG] * 4,
        [rollout(n) for n in (16000, 17000, 19000, 20480)],
        [Term("soft_overlong")],
        limit=20480,
    )
    totals = [r.total for r in rewards]
    assert totals == pytest.approx([0, -616 / 4096, -2616 / 4096, -1])
    assert len({r.components["correct"] for r in rewards}) == 1
    assert math.isclose(max(totals), 0)
