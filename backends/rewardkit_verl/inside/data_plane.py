"""verl's data plane, TransferQueue: what is read of a batch or written to it goes through here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import transfer_queue as tq
from tensordict import TensorDict
from torch import Tensor


def plain(value: Any) -> Any:
    """Unwrap what tensordict wraps around values that are no tensors."""
    return getattr(value, "data", value)


def read(partition: str, keys: Sequence[str], *fields: str) -> Any:
    """Return some fields of some rows, in the order of their keys."""
    return tq.kv_batch_get(keys=keys, partition_id=partition, select_fields=list(fields))


def write(batch: Any, fields: dict[str, Tensor]) -> Any:
    """Add fields to the rows of a batch, and return it."""
    return tq.kv_batch_put(
        keys=batch.keys,
        partition_id=batch.partition_id,
        fields=TensorDict(fields, batch_size=len(batch)),
    )
