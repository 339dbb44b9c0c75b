"""Muon for the matrices inside a model, AdamW for the rest, as one optimiser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from rewardkit.config import OptimConfig


def inner_matrices(model: Any) -> list[Tensor]:
    """Return the trained weights that Muon is for: matrices, but for embeddings and heads."""
    ends = (model.get_input_embeddings(), model.get_output_embeddings())
    kept = {id(end.weight) for end in ends if end is not None}
    return [
        p
        for p in model.parameters()
        if p.requires_grad and p.dim() == 2 and min(p.shape) > 1 and id(p) not in kept
    ]


class MuonAndAdamW(torch.optim.AdamW):
    """`torch.optim.Muon` for matrices and AdamW for the others, at one learning rate.

    An update of Muon is scaled to the size of AdamW's, 2502.16982 (`match_rms_adamw`), so that
    `optim.lr` means the same for both.
    """

    def __init__(self, matrices: Sequence[Tensor], others: Sequence[Tensor], **adamw: Any) -> None:
        self._muon = torch.optim.Muon(
            matrices,
            lr=adamw["lr"],
            weight_decay=adamw["weight_decay"],
            adjust_lr_fn="match_rms_adamw",
        )
        super().__init__([{**self._muon.param_groups[0]}, {"params": others}], **adamw)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take a loaded state as it is: Adam's own looks for a count of steps in each weight's."""
        torch.optim.Optimizer.__setstate__(self, state)

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:
        """Follow the gradients: the first group of weights by Muon, the second by AdamW."""
        groups = self.param_groups
        # One state for both, which is saved and loaded as any optimiser's.
        self._muon.state, self._muon.param_groups = self.state, groups[:1]
        self._muon.step()
        try:
            self.param_groups = groups[1:]
            super().step()
        finally:
            self.param_groups = groups


def muon(model: Any, optim: OptimConfig, lr: float) -> MuonAndAdamW:
    """Return Muon over the matrices that a model trains, and AdamW over the rest."""
    matrices = inner_matrices(model)
    inside = {id(p) for p in matrices}
    others = [p for p in model.parameters() if p.requires_grad and id(p) not in inside]
    return MuonAndAdamW(
        matrices,
        others,
        lr=lr,
        betas=(optim.betas[0], optim.betas[1]),
        eps=optim.eps,
        weight_decay=optim.weight_decay,
    )
