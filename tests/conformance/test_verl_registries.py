"""verl's own CPU tests of what we register into pass with our plugin loaded."""

import inspect
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(500)]

ROOT = Path(__file__).parents[2]
FILES = [
    "trainer/ppo/test_core_algos_on_cpu.py",
    "trainer/ppo/test_dynamic_policy_losses_on_cpu.py",
    "trainer/ppo/test_loss_aggregation_on_cpu.py",
    "trainer/test_multi_trajectories_advantage_on_cpu.py",
    "plugin/test_platform_abstraction.py",
]


def test_verls_tests_pass_beside_the_plugin(tmp_path):
    verl = find_spec("verl")
    if verl is None:
        pytest.skip("verl is not installed")
    theirs = Path(verl.origin).parents[1] / "tests"  # verl's wheel puts them there
    (tmp_path / "loaded.py").write_text(
        "from rewardkit_verl.inside.registration import check_registered\n"
        "def pytest_sessionstart():\n"
        "    check_registered()\n"
        "    print('registered')\n"
    )
    # An environment inside this folder would lend verl's tests our settings.
    settings = tmp_path / "pytest.ini"
    settings.write_text("[pytest]\n")
    path = [str(tmp_path), *(str(ROOT / part) for part in ("", "backends", "tasks"))]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(path),
        "VERL_USE_EXTERNAL_MODULES": "rewardkit_verl.plugin",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "loaded", "-p", "no:cacheprovider", "-s",
         "-c", str(settings), "--rootdir", str(tmp_path), *(str(theirs / name) for name in FILES)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=450, check=False,
    )  # fmt: skip
    assert "registered" in done.stdout
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[-1]) >= 40


def test_every_estimator_loss_kl_and_aggregation_of_verl_is_compared_with(verl):
    """Those of verl's own, by the names that they are registered by."""
    core = verl.core
    named = {
        *core.ADV_ESTIMATOR_REGISTRY,
        *core.POLICY_LOSS_REGISTRY,
        *re.findall(r'"([\w-]+)"', " ".join(_lines(core.agg_loss, "loss_agg_mode =="))),
        *re.findall(r'"(\w+)"', " ".join(_lines(core.kl_penalty_forward, "kl_penalty"))),
    }
    named = {name for name in named if not name.startswith("rewardkit_")}
    # the same by another name, and what verl has not written
    named -= {"kl", "mse", "low_var_kl", "full"}
    assert len(named) >= 30
    others = set(Path(__file__).parent.glob("test_verl_*.py")) - {Path(__file__)}
    tested = "".join(path.read_text("utf-8") for path in others)
    assert {name for name in named if f'"{name}"' not in tested} == {"gae"}
    assert "compute_gae_advantage_return" in tested


def _lines(function, part):
    return [line for line in inspect.getsource(function).splitlines() if part in line]
