"""Losses: (log-probabilities, advantages, mask, weights) -> loss and metrics.

A loss is a surrogate (`SURROGATES`), an aggregation (`AGGREGATIONS`) computed over the whole
optimiser batch, and a KL estimator (`KL_ESTIMATORS`) or a divergence over the whole vocabulary
(`DIVERGENCES`), chosen independently. `policy_loss` puts together what a recipe names; each piece
is a pure function of its own.
"""

from rewardkit.losses.corrections import (
    CORRECTIONS,
    geometric_mask,
    icepop,
    k3_mask,
    k3_mask_tis,
    mis,
    off_policy_mask,
    second_moment_mask,
    seq_mask_tis,
    sequence_mask,
    sequence_tis,
    tis,
)
from rewardkit.losses.divergence import DIVERGENCES, Divergence, divergence
from rewardkit.losses.entropy import entropy_threshold, high_entropy
from rewardkit.losses.further.covariance import clip_cov, covariance, kl_cov
from rewardkit.losses.further.dppo import dppo_kl, dppo_tv
from rewardkit.losses.further.dro import dro
from rewardkit.losses.further.gmpo import gmpo
from rewardkit.losses.further.gvpo import gvpo
from rewardkit.losses.further.mean_ratio import mean_ratio
from rewardkit.losses.further.sapo import sapo
from rewardkit.losses.further.topr import topr
from rewardkit.losses.further.vespo import vespo
from rewardkit.losses.kl import KL_ESTIMATORS, kl, kl_reward
from rewardkit.losses.policy import LossInputs, LossOutput, policy_loss
from rewardkit.losses.surrogates import (
    SURROGATES,
    Surrogate,
    cispo,
    gspo,
    policy_gradient,
    ppo_clip,
)
from rewardkit.losses.value import value_loss
from rewardkit.losses.weights import AGGREGATIONS, BatchTotals, sequence_weights

__all__ = [
    "AGGREGATIONS",
    "CORRECTIONS",
    "DIVERGENCES",
    "KL_ESTIMATORS",
    "SURROGATES",
    "BatchTotals",
    "Divergence",
    "LossInputs",
    "LossOutput",
    "Surrogate",
    "cispo",
    "clip_cov",
    "covariance",
    "divergence",
    "dppo_kl",
    "dppo_tv",
    "dro",
    "entropy_threshold",
    "geometric_mask",
    "gmpo",
    "gspo",
    "gvpo",
    "high_entropy",
    "icepop",
    "k3_mask",
    "k3_mask_tis",
    "kl",
    "kl_cov",
    "kl_reward",
    "mean_ratio",
    "mis",
    "off_policy_mask",
    "policy_gradient",
    "policy_loss",
    "ppo_clip",
    "sapo",
    "second_moment_mask",
    "seq_mask_tis",
    "sequence_mask",
    "sequence_tis",
    "sequence_weights",
    "tis",
    "topr",
    "value_loss",
    "vespo",
]
