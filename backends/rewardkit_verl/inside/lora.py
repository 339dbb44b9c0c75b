"""What the sampler gets of a policy with adapters, inside verl's workers.

verl adds the adapters to the weights in place, rounds the sums to bfloat16 whatever samples, and
puts the weights back afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import Tensor
from torch.distributed.tensor import DTensor
from verl.utils.device import get_device_id
from verl.utils.fsdp_utils import offload_fsdp_model_to_cpu
from verl.utils.model import convert_weight_keys
from verl.workers.engine.fsdp.transformer_impl import FSDPEngine

from rewardkit.errors import ConfigError
from rewardkit_verl.adapters import merged, plain_names


def sampled_weights(engine: Any) -> Iterator[tuple[str, Tensor]]:
    """Yield names and whole weights of the plain model; a collective of all ranks.

    Raises:
        ConfigError: layers of the model keep their weights transposed.
    """
    if engine.module.peft_config["default"].fan_in_fan_out:
        raise ConfigError(
            "lora.rank: layers of this model keep their weights transposed, which adapters on "
            "verl cannot follow; use --backend native, or lora.rank = 0"
        )
    state = engine.module.state_dict()
    scale = engine.model_config.lora_alpha / engine.model_config.lora_rank
    names = convert_weight_keys(plain_names(state), engine.module)
    for name, stored in names.items():
        yield name, merged(state, stored, scale, whole).detach()
    if engine._is_offload_param:
        offload_fsdp_model_to_cpu(engine.module)


def whole(value: Tensor) -> Tensor:
    """Return all of a tensor that may be sharded."""
    value = value.to(get_device_id())
    return value.full_tensor() if isinstance(value, DTensor) else value


FSDPEngine._merged_lora_per_tensor_param = sampled_weights
