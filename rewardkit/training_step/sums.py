"""What passes measure, added up to the metrics of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jaxtyping import Bool, Float
from torch import Tensor


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


def sampler_mismatch(
    old_logp: Float[Tensor, "B T"], sampler_logp: Float[Tensor, "B T"], mask: Bool[Tensor, "B T"]
) -> dict[str, Tensor]:
    """Return the sum and the largest |log π_old − log π_sampler| over the tokens that count.

    Of the policy that sampled, whatever updates of the batch came since.

    >>> import torch
    >>> old, sampler = torch.tensor([[-1.0, -2.0]]), torch.tensor([[-1.5, -9.0]])
    >>> found = sampler_mismatch(old, sampler, torch.tensor([[True, False]]))
    >>> {name: float(value) for name, value in found.items()}
    {'sampler_mismatch': 0.5, 'max_sampler_mismatch': 0.5}
    """
    apart = (old_logp - sampler_logp).abs()[mask]
    total = apart.sum()
    return {
        "sampler_mismatch": total,
        "max_sampler_mismatch": apart.max() if apart.numel() else total,
    }
