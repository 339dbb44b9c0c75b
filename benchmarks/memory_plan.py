"""What the plan says beside what the process holds: an update of SmolLM2-135M's shape on a CPU.

Weights are random, made from the configuration. Each setting is measured in a process of its own:
the most resident memory of one update, less what it held before there was such a model. A tiny one
has made an update then, so that libraries are there, which are no part of a plan; and what takes
64 KB gets pages of its own, so that what is freed is given back and no gaps are counted.

    python benchmarks/memory_plan.py                     # all settings
    python benchmarks/memory_plan.py --only default      # one of them
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import gc
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "checkpointing": {"activation_checkpointing": True, "tokens_per_micro_batch": 1280},
    "padded": {"layout": "padded", "tokens_per_head_block": 256},
}
DTYPES = ("bfloat16", "float32")
PROMPT, RESPONSE = 64, 72


def case_of(setting: str, dtype: str) -> Any:
    """Return the step of one setting: two groups of eight responses."""
    from transformers import LlamaConfig

    from rewardkit.config import config_from
    from rewardkit_native.planning.simulation import Case

    config = config_from(
        {
            "folder": "x",
            "steps": 1,
            "recipe": {"name": "grpo", "kl_coef": 0.0, "minibatches": 1},
            "model": {"dtype": dtype, "device": "cpu"},
            "sampling": {"problems": 2, "group_size": 8, "max_tokens": RESPONSE},
            "optim": SETTINGS[setting],
        }
    )
    model = LlamaConfig(
        vocab_size=49152,
        hidden_size=576,
        intermediate_size=1536,
        num_hidden_layers=30,
        num_attention_heads=9,
        num_key_value_heads=3,
        tie_word_embeddings=True,
    )
    return Case(config, model, "cpu", 1, PROMPT)


def planned(setting: str, dtype: str) -> int:
    """Return the bytes that the simulation says."""
    from rewardkit_native.planning.simulation import simulate

    return simulate(case_of(setting, dtype))["update"].total


def measured(setting: str, dtype: str) -> int:
    """Return the bytes that this process holds more at the worst moment of a real update."""
    from rewardkit_native.planning import simulation

    case = case_of(setting, dtype)
    tiny = copy.deepcopy(case.model)
    tiny.hidden_size = tiny.intermediate_size = tiny.vocab_size = 9 * 8
    tiny.num_hidden_layers, tiny.head_dim = 1, 8
    simulation.once(dataclasses.replace(case, model=tiny))
    gc.collect()
    before = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    simulation.once(case)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before


def main() -> None:
    """Print a row for each setting and type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=SETTINGS)
    parser.add_argument("--dtype", choices=DTYPES)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps({"measured": measured(*asked.one)}))
        return
    for setting in [asked.only] if asked.only else SETTINGS:
        for dtype in [asked.dtype] if asked.dtype else DTYPES:
            command = [sys.executable, str(Path(__file__)), "--one", setting, dtype]
            alone = os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536"}
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=alone)
            held = json.loads(done.stdout.splitlines()[-1])["measured"]
            said = planned(setting, dtype)
            ratio = said / held
            print(f"{setting:14} {dtype:9} planned {said / 1e9:5.2f} GB, measured {held / 1e9:5.2f}"
                  f" GB, ratio {ratio:.3f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
