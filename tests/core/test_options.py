"""Options are told from positional parameters, and what is wrong with them is said in one way."""

import pytest

from rewardkit.errors import ConfigError
from rewardkit.options import check_kinds, check_options, option_names


def piece(sample, limit=3, *, cache, share=0.2):
    """Two options, one of them without a default."""


def plain(sample):
    """No option."""


def test_options_are_the_keyword_only_parameters():
    assert option_names(piece) == ["cache", "share"]
    assert option_names(plain) == []


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        (piece, {"cache": 1, "shore": 2}, "'shore'; did you mean share? Known: cache, share"),
        (piece, {"cache": 1, "limit": 2}, "no option 'limit'; Known: cache, share"),
        (piece, {"share": 1}, "needs its option `cache`; all: cache, share"),
        (plain, {"cache": 1}, "no option 'cache'; Known: (none)"),
    ],
)
def test_what_is_wrong_is_named(function, given, message):
    with pytest.raises(ConfigError) as refused:
        check_options("term piece", function, given)
    assert str(refused.value).startswith("term piece ")
    assert str(refused.value).endswith(message)


def test_what_fits_is_accepted(refusal):
    assert refusal(check_options, "term piece", piece, {"cache": None}) is None
    assert refusal(check_options, "term plain", plain, {}) is None


def typed(*, n: int = 1, share: "float | None" = 0.2, exact: bool = False, other: "list[int]" = ()):
    """Annotated as types, and as texts, which `from __future__ import annotations` makes of them."""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": "x"}, "piece: n must be a whole number, found 'x'"),
        ({"n": True}, "piece: n must be a whole number, found True"),
        ({"n": 1.5}, "piece: n must be a whole number, found 1.5"),
        ({"share": "x"}, "piece: share must be a number, found 'x'"),
        ({"exact": 1}, "piece: exact must be true or false, found 1"),
        ({"n": None}, "piece: n must be a whole number, found None"),
    ],
)
def test_a_value_of_another_type_than_the_parameters_is_refused(given, message):
    with pytest.raises(ConfigError) as caught:
        check_options("piece", typed, given)
    assert str(caught.value) == message


def test_values_that_fit_and_types_that_are_not_plain_are_let_through():
    for given in ({"n": 2, "share": 1, "exact": True}, {"share": None}, {"other": "anything"}):
        assert check_options("piece", typed, given) is None
    assert check_kinds("piece", typed, {"n": 3, "unknown": "x"}) is None
