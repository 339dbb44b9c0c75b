"""Options are told from positional parameters, and what is wrong with them is said in one way."""

import pytest

from rewardkit.errors import ConfigError
from rewardkit.options import check_options, option_names


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
