"""What docs/verl.md tells users of GPUs to type can be installed, wheel by wheel."""

import runpy
import socket
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "resolve_gpu.py"


def reachable() -> bool:
    try:
        socket.create_connection(("pypi.org", 443), timeout=5).close()
    except OSError:
        return False
    return True


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints-gpu.txt").read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if "==" in line)


@pytest.mark.tutorials
def test_every_wheel_is_on_the_index():
    if not reachable():
        pytest.skip("no index to ask")
    found = runpy.run_path(str(SCRIPT))["resolve"]("3.12")
    for name, version in pins().items():
        assert found[name].startswith(f"{name}-{version}-")
    assert all(file.endswith(".whl") for file in found.values())
    assert "flash-attn" not in found


def test_where_pip_fails_its_own_words_are_shown(monkeypatch):
    full = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    failed = subprocess.CompletedProcess([], 1, "", full)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(RuntimeError, match=r"3\.12: pip fails:\nERROR: .*No space left on device"):
        runpy.run_path(str(SCRIPT))["resolve"]("3.12")


def test_the_pins_are_those_that_verl_and_the_backend_ask_for():
    from rewardkit_verl.versions import SUPPORTED

    asked = pins()
    assert asked["verl"] in SUPPORTED
    assert asked["tensordict"].startswith("0.10.")
    for text in (ROOT / "README.md", ROOT / "docs" / "verl.md"):
        assert "pip install -c constraints-gpu.txt" in text.read_text("utf-8")
