"""Advantages: rewards, group ids and masks -> advantages, one pure function an estimator.

`estimate` calls one by name; `ESTIMATORS` lists them.
"""

from rewardkit.advantages.distillation import distillation
from rewardkit.advantages.entropy import grpo_s, grpo_s_rewards, gtpo, gtpo_rewards
from rewardkit.advantages.estimate import ESTIMATORS, AdvantageInputs, estimate, required_inputs
from rewardkit.advantages.groups import COMPAT, Conventions, Segments, whiten
from rewardkit.advantages.outcome import (
    dr_grpo,
    gdpo,
    gpg,
    grpo,
    maxrl,
    opo,
    pass_at_k,
    pass_at_k_training,
    prpo,
    rloo,
)
from rewardkit.advantages.returns import (
    Gae,
    backward_sum,
    gae,
    grpo_process,
    mt_grpo,
    reinforce_pp,
    reinforce_pp_baseline,
    remax,
    token_level_rewards,
)
from rewardkit.advantages.target import tpo
from rewardkit.advantages.token_baseline import optimal_token_baseline

__all__ = [
    "COMPAT",
    "ESTIMATORS",
    "AdvantageInputs",
    "Conventions",
    "Gae",
    "Segments",
    "backward_sum",
    "distillation",
    "dr_grpo",
    "estimate",
    "gae",
    "gdpo",
    "gpg",
    "grpo",
    "grpo_process",
    "grpo_s",
    "grpo_s_rewards",
    "gtpo",
    "gtpo_rewards",
    "maxrl",
    "mt_grpo",
    "opo",
    "optimal_token_baseline",
    "pass_at_k",
    "pass_at_k_training",
    "prpo",
    "reinforce_pp",
    "reinforce_pp_baseline",
    "remax",
    "required_inputs",
    "rloo",
    "token_level_rewards",
    "tpo",
    "whiten",
]
