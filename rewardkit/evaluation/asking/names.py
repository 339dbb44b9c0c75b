"""What can be said of settings at once: before a task is read, a server asked or torch loaded."""

from __future__ import annotations

from importlib.util import find_spec

from rewardkit.errors import MissingExtraError, UnknownNameError
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.engines.base import read_template
from rewardkit.evaluation.models import resolve_model
from rewardkit.registry import MODELS, VERIFIERS
from rewardkit.tasks import check_name

PACKAGES = {
    "transformers": ("native", ("torch", "transformers")),
    "fast": ("native", ("torch", "transformers")),
    "vllm": ("vllm", ("vllm",)),
}
"""Engine -> the extra that it needs, and the packages of it that must be there."""


def check_names(settings: EvalSettings) -> None:
    """Refuse what is wrong by its name alone: a task, a file, a verifier, a model.

    Raises:
        UnknownNameError: no such task or verifier.
        ConfigError: a task's name that is of no form, or a template that cannot be read.
        DataError: a file of problems that is not there.
        ModelError: no such model.
        MissingExtraError: the engine's packages are not installed.
    """
    for name in settings.tasks:
        check_name(name)
    verifier = settings.asking.verifier
    if verifier and ":" not in verifier and verifier not in VERIFIERS.names():
        raise UnknownNameError("verifier", verifier, VERIFIERS.names())
    if settings.engine not in PACKAGES:
        return
    extra, packages = PACKAGES[settings.engine]
    for package in packages:  # before the model: that may need a hub that is out of reach
        if find_spec(package) is None:
            raise MissingExtraError(package, extra)
    if settings.model not in MODELS.names():  # those may have to be fetched first
        resolve_model(settings.model)
    read_template(settings.options.chat_template)
