"""What cannot be installed beside us, as far as an adapter sees of it, or loaded from a part of it."""

import importlib
import importlib.util
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple


@contextmanager
def standing_in(**modules):
    """Let dotted names, with `__` for a dot, be modules that hold the names given."""
    made = {}
    for dotted, names in modules.items():
        parts = dotted.split("__")
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            made.setdefault(name, ModuleType(name)).__path__ = []
        vars(made[name]).update(names)
    before = {name: sys.modules.get(name) for name in made}
    sys.modules.update(made)
    try:
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module


def folder_of(package):
    """Return the folder of an installed package, without importing it, or None."""
    found = importlib.util.find_spec(package)
    return Path(found.submodule_search_locations[0]) if found else None


@contextmanager
def without_its_init(package, *inner):
    """Let packages be imported from without what they import themselves, which is much."""
    root, made = folder_of(package), {}
    for name in inner:
        made[name] = ModuleType(name)
        made[name].__path__ = [str(root.joinpath(*name.split(".")[1:]))]
    sys.modules.update(made)
    try:
        yield
    finally:
        for name in [n for n in sys.modules if n.partition(".")[0] == package]:
            del sys.modules[name]


# allenai/open-instruct at e6c3044a, open_instruct/ground_truth_utils.py


@dataclass
class VerificationResult:
    score: float
    cost: float = 0.0
    reasoning: str | None = None


class VerifierFunction:
    def __init__(self, name, weight=1.0, verifier_config=None):
        self.name, self.weight, self.verifier_config = name, weight, verifier_config

    async def async_call(self, tokens, prediction, label, query=None, rollout_state=None):
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(
            None, lambda: self(tokens, prediction, label, query, rollout_state)
        )


# NVIDIA-NeMo/RL at 7ea279ab, nemo_rl/environments/interfaces.py


class EnvironmentReturn(NamedTuple):
    observations: Any
    metadata: Any
    next_stop_strings: Any
    rewards: Any
    terminateds: Any
    answers: Any


def remote(**_):
    """Stand for `ray.remote`, without a process."""
    return lambda cls: SimpleNamespace(remote=cls)


# alibaba/ROLL at 8eb27cc2, roll/pipeline/rlvr/rewards/math_rule_reward_worker.py


class DataProto(SimpleNamespace):
    @classmethod
    def from_dict(cls, tensors):
        return cls(batch=tensors)


def register(**_):
    return lambda method: method
