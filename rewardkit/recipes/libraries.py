"""What verl and TRL do where nothing is said, as recipes to compare with; nobody's algorithm."""

from __future__ import annotations

from rewardkit.recipes.form import Recipe

VERL = Recipe(
    name="verl",
    paper="the defaults of verl 0.9.1",
    equation="PPO: min(ρA, clip(ρ, 1±ε)A), at most cA below 0, A = GAE(1, 1), whitened",
    advantage="gae",
    advantage_options={"gamma": 1.0, "lam": 1.0},
    surrogate_options={"dual_clip": 3.0},
    correction=None,
    value_clip=0.5,
    minibatches=4,
)
TRL = Recipe(
    name="trl",
    paper="the defaults of TRL 1.16.0's GRPOTrainer, without vLLM",
    equation="1/Σ|o_i| Σ_i Σ_t min(ρA, clip(ρ, 1±ε)A), A = (r − mean) / (std + 1e-4)",
    advantage_options={"compat": "trl"},
    correction=None,
)
LIBRARIES: dict[str, Recipe] = {"verl": VERL, "trl": TRL}
"""What each library does by default, as a recipe to compare with."""
TEACHING: dict[str, Recipe] = {
    "verl": Recipe(
        name="verl",
        paper="the defaults of verl 0.9.1's distillation, whose loss is cut at 10 nats",
        equation="PPO's clipped token mean of −k3(log π_old − log π_teacher), beside its own loss",
        advantage="distillation",
        advantage_options={"outcome_coef": 1.0},
        kl="k3",
        kl_coef=1.0,
        kl_in="reward",
        correction=None,
        minibatches=4,
    ),
    "trl": Recipe(
        name="trl",
        paper="the defaults of TRL 1.16.0's DistillationTrainer, without vLLM",
        equation="1/Σ|o_i| Σ_i Σ_t KL(π ‖ π_teacher), over the vocabulary",
        advantage="distillation",
        kl="reverse_kl",
        kl_coef=1.0,
        correction=None,
    ),
}
"""The same with a teacher: what a recipe that learns from one is compared with."""
