"""What every test shares: few threads, and no word with a model hub."""

import contextlib
import importlib.util
import os
import signal
from pathlib import Path

import pytest

# A shell's background jobs begin without the one, jobs under nohup without the other; what the
# tests start would inherit that and, rightly, not listen.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
if os.environ.get("REWARDKIT_TEST_DEVICE") == "cpu":  # runs take a GPU where there is one
    os.environ["CUDA_VISIBLE_DEVICES"] = ""


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory):
    """The folder of the tiny model, made once for the whole session (about 15 s)."""
    torch = pytest.importorskip("torch")
    from rewardkit_native.tiny import make_tiny

    torch.set_num_threads(2)
    folder = tmp_path_factory.mktemp("tiny")
    make_tiny(folder)
    return folder


@pytest.fixture
def browser(tmp_path):
    """A headless Chromium; without one the test is skipped, or fails where one is required."""
    place = Path(__file__).with_name("chromium.py")
    spec = importlib.util.spec_from_file_location("rewardkit_test_chromium", place)
    chromium = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(chromium)
    if chromium.CHROMIUM is None:
        if os.environ.get("REWARDKIT_REQUIRE_BROWSER"):
            pytest.fail("no chromium on the path")
        pytest.skip("no chromium on the path")
    with contextlib.closing(chromium.Browser(tmp_path / "profile")) as opened:
        yield opened
