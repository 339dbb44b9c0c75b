"""What the tests of the verl backend share: verl, or a reason why they did not run."""

import os
from importlib.util import find_spec

import pytest


@pytest.fixture(autouse=True)
def verl_is_installed():
    """Skip without verl; where the tests must run, its absence is a failure."""
    if find_spec("verl") is None:
        why = "verl is not installed: pip install 'rewardkit[verl]'"
        if os.environ.get("REWARDKIT_REQUIRE_VERL"):
            pytest.fail(why)
        pytest.skip(why)
