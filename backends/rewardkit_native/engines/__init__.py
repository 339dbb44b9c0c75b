"""The evaluation engines of this backend, whose threads learn to wait before torch is loaded."""

from __future__ import annotations

from rewardkit.evaluation.engines.base import DecodingSettings, Engine, EngineOptions
from rewardkit_native.before_torch import wait_briefly


def transformers(model: str, decoding: DecodingSettings, options: EngineOptions) -> Engine:
    """Return `TransformersEngine`, its threads waiting as in training."""
    wait_briefly()
    from rewardkit_native.engines.local import TransformersEngine

    return TransformersEngine(model, decoding, options)


def fast(model: str, decoding: DecodingSettings, options: EngineOptions) -> Engine:
    """Return `FastEngine`, its threads waiting as in training."""
    wait_briefly()
    from rewardkit_native.engines.local import FastEngine

    return FastEngine(model, decoding, options)
