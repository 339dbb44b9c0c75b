"""Importing this module registers rewardkit's pieces with verl.

verl imports it in every process, through the entry-point group `verl.plugins` or through
`VERL_USE_EXTERNAL_MODULES=rewardkit_verl.plugin`, at the end of `import verl`. A plugin that fails
is logged by verl at DEBUG only, so the driver and the trainer look into the registries, see
`inside.registration`.

The CPU platform comes first, since most of verl's modules ask for the platform when they are
imported.
"""

from __future__ import annotations

import importlib
import os

import verl  # noqa: F401  # all of it, before its parts: this may be the first import of verl

from rewardkit_verl.names import CPU_ACTIVATION

if os.environ.get("VERL_PLATFORM", "").strip().lower() == "cpu":
    importlib.import_module(CPU_ACTIVATION).activate()

from rewardkit_verl.inside import (
    advantages,  # noqa: F401
    agent_loop,  # noqa: F401
    lora,  # noqa: F401
    losses,  # noqa: F401
    rate,  # noqa: F401
    reward_manager,  # noqa: F401
    teacher,  # noqa: F401
    trainer,  # noqa: F401
)
