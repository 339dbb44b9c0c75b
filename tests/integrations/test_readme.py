"""The lines of README.md and docs/integrations.md for other trainers, copied and run."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BOXED = [r"It is \boxed{12}.", r"It is \boxed{13}."]


def blocks(file, heading, language=""):
    """The code blocks of a section."""
    text = (ROOT / file).read_text(encoding="utf-8")
    section = re.split(r"\n## ", text.split(f"\n## {heading}\n", 1)[1])[0]
    found = re.findall(r"^```(\w*)\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    return [block for name, block in found if name == language]


@pytest.mark.parametrize(
    ("file", "heading"), [("README.md", "In another trainer"), ("docs/integrations.md", "TRL")]
)
def test_trls_line(file, heading):
    scope = {}
    exec(blocks(file, heading, "python")[0], scope)
    found = scope["reward"](prompts=["7+5?"] * 2, completions=BOXED, answer=["12"] * 2)
    assert found == [1, 0]


@pytest.mark.parametrize(
    ("file", "heading"), [("README.md", "In another trainer"), ("docs/integrations.md", "verl")]
)
@pytest.mark.skipif(find_spec("verl") is None, reason="verl is not installed")
def test_verls_line(file, heading):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from hydra import compose, initialize_config_module
        from verl.trainer.ppo.reward import get_custom_reward_fn

        overrides = blocks(file, heading, "text")[0].split()
        with initialize_config_module("verl.trainer.config", version_base=None):
            config = compose("ppo_trainer", overrides=overrides)
    score = get_custom_reward_fn(config)
    found = score(data_source="x", solution_str=BOXED[0], ground_truth="12", extra_info={})
    assert found["score"] == 1


@pytest.mark.skipif(find_spec("fastapi") is None, reason="fastapi is not installed")
def test_the_lines_for_http():
    """As they stand, but for the port: another one is free for sure."""
    serve, ask = blocks("README.md", "In another trainer")[0].strip().splitlines()
    command = serve.replace("8000", "0").split()[1:]
    path = os.pathsep.join(p for p in sys.path if p)
    with subprocess.Popen(
        [sys.executable, "-m", "rewardkit", *command],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as server:
        url = server.stderr.readline().split()[-1]
        try:
            asked = shlex.split(ask.replace("http://127.0.0.1:8000", url))
            if shutil.which("curl"):
                said = subprocess.run(asked, capture_output=True, check=True, text=True).stdout
            else:
                with urllib.request.urlopen(asked[2], asked[4].encode()) as reply:
                    said = reply.read()
        finally:
            server.terminate()
    assert json.loads(said)["outcome"] == "correct"
    assert server.returncode == 0


def test_openrlhfs_lines():
    scope = {}
    exec(blocks("docs/integrations.md", "OpenRLHF", "python")[0], scope)
    assert scope["reward_func"](["Q" + BOXED[0]], ["Q"], ["12"])["rewards"] == [1]


def test_the_lines_for_tables():
    scope = {}
    exec(blocks("docs/integrations.md", "Tables", "python")[0], scope)
    assert scope["found"]["outcome"] == ["correct"]
