"""The sign of benchmarks/ names each of its scripts."""

import re
from pathlib import Path

import benchmarks


def test_the_sign_names_each_script():
    scripts = {file.stem for file in Path(benchmarks.__file__).parent.glob("*.py")} - {"__init__"}
    assert scripts <= set(re.findall(r"\w+", benchmarks.__doc__))
