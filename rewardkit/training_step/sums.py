"""What passes measure, added up to the metrics of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import Tensor

from rewardkit.losses import LossInputs
from rewardkit.recipes import Recipe


def is_maximum(name: str) -> bool:
    """Return whether a metric of that name is the largest over tokens, and not a sum."""
    return name.startswith("max_")


@dataclass
class MetricSums:
    """Sums over tokens and maxima of the metrics of passes, such as `policy_loss` returns.

    >>> import torch
    >>> sums = MetricSums()
    >>> sums.add({"tokens": torch.tensor(3), "ratio": torch.tensor(3.3), "max_x": torch.tensor(2)})
    >>> sums.add({"tokens": torch.tensor(1), "ratio": torch.tensor(0.7), "max_x": torch.tensor(1)})
    >>> {name: round(value, 6) for name, value in sums.means().items()}
    {'ratio': 1.0, 'max_x': 2.0}
    """

    totals: dict[str, float] = field(default_factory=dict)
    """Sums so far, by name."""
    maxima: dict[str, float] = field(default_factory=dict)
    """Greatest values so far, by name."""

    def add(self, metrics: Mapping[str, Tensor]) -> None:
        """Add the metrics of one pass."""
        for name, tensor in metrics.items():
            value = float(tensor)
            if is_maximum(name):
                self.maxima[name] = max(self.maxima.get(name, value), value)
            else:
                self.totals[name] = self.totals.get(name, 0.0) + value

    def means(self) -> dict[str, float]:
        """Return the sums over the number of tokens, and the maxima as they are."""
        tokens = max(self.totals.get("tokens", 0.0), 1.0)
        means = {name: total / tokens for name, total in self.totals.items() if name != "tokens"}
        return {**means, **self.maxima}


def sampler_mismatch(recipe: Recipe, inputs: LossInputs) -> dict[str, Tensor]:
    """Return the sum and the largest |log π_old − log π_sampler| over the tokens that count.

    Of the policy that sampled, whatever updates of the batch came since; where the recipe takes
    the sampler's word for it (`bypass`), of the policy as it is. Nothing where no sampler said
    anything.

    >>> import torch
    >>> from rewardkit.recipes import DAPO
    >>> old, sampler = torch.tensor([[-1.0, -2.0]]), torch.tensor([[-1.5, -9.0]])
    >>> mask, one = torch.tensor([[True, False]]), torch.ones(1)
    >>> inputs = LossInputs(old, old, one, mask, one, sampler_logp=sampler)
    >>> {name: float(value) for name, value in sampler_mismatch(DAPO, inputs).items()}
    {'sampler_mismatch': 0.5, 'max_sampler_mismatch': 0.5}
    """
    if inputs.sampler_logp is None:
        return {}
    ours = inputs.logp.detach() if recipe.bypass else inputs.old_logp
    apart = (ours - inputs.sampler_logp).abs()[inputs.mask]
    total = apart.sum()
    return {
        "sampler_mismatch": total,
        "max_sampler_mismatch": apart.max() if apart.numel() else total,
    }
