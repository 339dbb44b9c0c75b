"""Which arithmetic a run takes where nothing is named: the faster one, and the same ever after."""

import pytest

from rewardkit.planning.cpu_rates import gain_of_bfloat16
from rewardkit.planning.dtype import settle_dtype
from rewardkit.runs import RunFolder


@pytest.mark.parametrize(
    ("gain", "found"), [(0.02, "float32"), (1.1, "float32"), (1.7, "bfloat16")]
)
def test_the_faster_type_is_taken_and_told(configure, gain, found):
    config, [said] = settle_dtype(configure("model.dtype=auto"), "cpu", lambda: gain, resume=False)
    assert config.model.dtype == found
    assert said == f"model.dtype: {found}, since bfloat16 runs at {gain} times float32's speed here"


def test_a_type_that_is_named_is_not_tried(configure):
    config = configure("model.dtype=bfloat16")
    assert settle_dtype(config, "cpu", lambda: 1 / 0, resume=False) == (config, [])


def test_a_run_that_goes_on_keeps_its_type(configure):
    RunFolder.create(configure("model.dtype=bfloat16"))
    config, said = settle_dtype(configure("model.dtype=auto"), "cpu", lambda: 1 / 0, resume=True)
    assert (config.model.dtype, said) == ("bfloat16", [])


def test_both_types_are_tried():
    assert gain_of_bfloat16() > 0
