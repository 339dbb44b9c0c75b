"""The toolkit between the model and the trainer: verifiers, shaping, estimators, losses, tasks.

    import rewardkit as rk

    @rk.register_verifier("parity")
    def parity(response: str, answer: str) -> rk.Verdict: ...

    @rk.register_task("parity")
    def task() -> rk.Task: ...

    rk.train(folder="runs/parity", steps=10, task="parity", recipe="dapo")

Names are imported on first use, so that `import rewardkit` loads neither torch nor sympy.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rewardkit.api import register_task as register_task
    from rewardkit.api import train as train
    from rewardkit.errors import RewardkitError as RewardkitError
    from rewardkit.recipes import RECIPES as RECIPES
    from rewardkit.recipes import Recipe as Recipe
    from rewardkit.tasks import load_task as load_task
    from rewardkit.types import Outcome as Outcome
    from rewardkit.types import Problem as Problem
    from rewardkit.types import Task as Task
    from rewardkit.types import Verdict as Verdict
    from rewardkit.verifiers import MathVerifier as MathVerifier
    from rewardkit.verifiers import VerifierPool as VerifierPool
    from rewardkit.verifiers import register_verifier as register_verifier

_HOMES = {
    "MathVerifier": "rewardkit.verifiers",
    "Outcome": "rewardkit.types",
    "Problem": "rewardkit.types",
    "RECIPES": "rewardkit.recipes",
    "Recipe": "rewardkit.recipes",
    "RewardkitError": "rewardkit.errors",
    "Task": "rewardkit.types",
    "Verdict": "rewardkit.types",
    "VerifierPool": "rewardkit.verifiers",
    "load_task": "rewardkit.tasks",
    "register_task": "rewardkit.api",
    "register_verifier": "rewardkit.verifiers",
    "train": "rewardkit.api",
}

_MOVED = {
    "consoles": "pages.console", "curves": "report.curves", "flags": "config.flags",
    "graded": "runs.graded_rows", "lazy": "data.lazy", "messages": "data.messages",
    "mixture": "tasks.mixture", "permutation": "data.permutation", "reasons": "errors",
    "rehearsal": "training_step.rehearsal", "runs.files": "files", "signals": "runs.signals",
    "steps": "shaping.response_steps", "task_settings": "tasks.settings",
    "trackers": "report.trackers", "trends": "guards.trends",
    "vllm_engine": "evaluation.engines.vllm_engine",
}  # fmt: skip
"""What a module was called -> what it is called."""

__all__ = sorted(_HOMES)


class _Moved(MetaPathFinder, Loader):
    """Imports a module under the name that it had, with a note."""

    def find_spec(self, fullname: str, *_: Any) -> ModuleSpec | None:
        name = fullname.removeprefix(f"{__name__}.")
        return ModuleSpec(fullname, self) if name != fullname and name in _MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        new = f"{__name__}.{_MOVED[module.__name__.partition('.')[2]]}"
        warnings.warn(f"{module.__name__} is called {new} now", FutureWarning, stacklevel=2)
        sys.modules[module.__name__] = importlib.import_module(new)


sys.meta_path.append(_Moved())


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rewardkit' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
