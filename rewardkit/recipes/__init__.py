"""Recipes: each published algorithm as frozen data that names its pieces and its constants.

A recipe holds no tensor and imports no torch. `advantage` names an estimator of
`rewardkit.advantages`, `surrogate`, `aggregation` and `kl` name pieces of `rewardkit.losses`, and
`shaping` names components of `rewardkit.shaping`. Any field can be overridden with
`dataclasses.replace`, or in a config file; `validate` refuses what cannot run and `inert_parts`
says what would run without doing anything.
"""

from rewardkit.recipes.checks import READS_POLICY, WEIGHTS, differences, validate
from rewardkit.recipes.form import AUTO, DISTRIBUTIONS, RATIO_FREE, Recipe, Term, Value
from rewardkit.recipes.inert import CLIPPED, SMOOTH, inert_parts, sampler_remark
from rewardkit.recipes.libraries import LIBRARIES
from rewardkit.recipes.published import (
    CISPO,
    DAPO,
    DPPO,
    DR_GRPO,
    GKD,
    GMPO,
    GRPO,
    GRPO_PROCESS,
    GRPO_S,
    GSPO,
    GTPO,
    LITE_PPO,
    LUSPO,
    MAXRL,
    MINI_RL,
    OPD,
    OPD_DAPO,
    POLARIS,
    PPO,
    RECIPES,
    REINFORCE_PP,
    REINFORCE_PP_BASELINE,
    RLOO,
    SAPO,
    SCALE_RL,
    SKYWORK_OR1,
    TOPR,
    VAPO,
    VESPO,
    recipe,
)

__all__ = [
    "AUTO",
    "CISPO",
    "CLIPPED",
    "DAPO",
    "DPPO",
    "DISTRIBUTIONS",
    "DR_GRPO",
    "GKD",
    "GMPO",
    "GRPO",
    "GRPO_PROCESS",
    "GRPO_S",
    "GSPO",
    "GTPO",
    "LIBRARIES",
    "LITE_PPO",
    "LUSPO",
    "MAXRL",
    "MINI_RL",
    "OPD",
    "OPD_DAPO",
    "POLARIS",
    "PPO",
    "RATIO_FREE",
    "READS_POLICY",
    "RECIPES",
    "REINFORCE_PP",
    "REINFORCE_PP_BASELINE",
    "RLOO",
    "SAPO",
    "SCALE_RL",
    "SKYWORK_OR1",
    "SMOOTH",
    "TOPR",
    "VAPO",
    "VESPO",
    "WEIGHTS",
    "Recipe",
    "Term",
    "Value",
    "differences",
    "inert_parts",
    "recipe",
    "sampler_remark",
    "validate",
]
