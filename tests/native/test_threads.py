"""How OpenMP's threads wait: briefly, before torch is loaded, and never against the user."""

import os
import subprocess
import sys

import pytest
import torch

from rewardkit_native.before_torch import WAITING, wait_briefly


def test_torch_reads_how_long_its_threads_spin():
    """OpenMP itself says at load what it read; nothing is executed again for that."""
    program = "from rewardkit_native.before_torch import wait_briefly; print([wait_briefly()])\nimport torch"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP", "GOMP"))}
    environment |= {"OMP_DISPLAY_ENV": "verbose", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['']"
    assert "GOMP_SPINCOUNT = '1000'" in done.stderr


@pytest.mark.parametrize("name", WAITING)
def test_what_the_user_has_set_stays(monkeypatch, name):
    for other in WAITING:
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, "active")
    assert wait_briefly() == ""
    assert [os.environ.get(one) for one in WAITING if one != name] == [None]


def test_it_is_said_when_it_is_too_late(monkeypatch):
    for name in WAITING:
        monkeypatch.delenv(name, raising=False)
    assert "GOMP_SPINCOUNT=1000 before Python starts" in wait_briefly()
    assert "GOMP_SPINCOUNT" not in os.environ


SHAPES = """
import os, sys
if sys.argv[1:]:
    os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"] = sys.argv[1]
import rewardkit_native, torch

def product(rows):
    return torch.ones(rows, 64).bfloat16() @ torch.ones(64, 64).bfloat16()

for rows in (1000, *range(1, 101), 1000):
    product(rows)
"""


@pytest.mark.skipif(
    not torch.backends.mkldnn.is_available() or not torch.ops.mkldnn._is_mkldnn_bf16_supported(),
    reason="bfloat16 products do not go through oneDNN here",
)
@pytest.mark.parametrize(
    ("asked", "compiled"), [([], 2), pytest.param(["1024"], 1, marks=pytest.mark.slow)]
)
def test_products_of_shapes_long_past_are_not_kept_unless_the_user_asks(asked, compiled):
    done = subprocess.run(
        [sys.executable, "-c", SHAPES, *asked],
        env={**os.environ, "ONEDNN_VERBOSE": "2"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    misses = [line for line in done.stdout.splitlines() if "create:cache_miss" in line]
    assert sum("1000x64" in line for line in misses) == compiled
