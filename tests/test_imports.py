"""`import rewardkit` is light: it loads neither torch nor sympy, nor anything near them."""

import importlib
import subprocess
import sys

import pytest

import rewardkit

HEAVY = ("torch", "sympy", "transformers", "math_verify", "numpy", "matplotlib", "mpmath", "rich")


@pytest.mark.parametrize(
    "module",
    [
        "rewardkit",
        "rewardkit.cli",
        "rewardkit.types",
        "rewardkit.verifiers",
        "rewardkit_verl.keys.reference",  # which `rewardkit config` asks
    ],
)
def test_light_modules_load_nothing_heavy(module):
    code = f"import {module}, sys; print([m for m in {HEAVY} if m in sys.modules])"
    path = [p for p in sys.path if p]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_public_names_can_be_imported():
    import rewardkit

    for name in rewardkit.__all__:
        assert getattr(rewardkit, name) is not None


@pytest.mark.parametrize("old", rewardkit._MOVED)
def test_a_module_is_imported_under_its_former_name_too(old):
    new = f"rewardkit.{rewardkit._MOVED[old]}"
    sys.modules.pop(f"rewardkit.{old}", None)
    with pytest.warns(FutureWarning, match=new):
        assert importlib.import_module(f"rewardkit.{old}") is importlib.import_module(new)
