"""The published algorithms, each as the recipe of its paper."""

from __future__ import annotations

from dataclasses import replace

from rewardkit.errors import UnknownNameError
from rewardkit.recipes.form import Recipe, Term

UNBOUNDED = 1e9
"""Above every ratio, whose logarithm is cut to 20."""

PPO = Recipe(
    name="ppo",
    paper="1707.06347 eq. 7; constants of 2203.02155 (InstructGPT) app. C",
    equation="min(ρA, clip(ρ, 1±ε)A), A = GAE(γ, λ) of r − β(log π_old − log π_ref), whitened",
    advantage="gae",
    advantage_options={"gamma": 1.0, "lam": 0.95},
    kl="k1",
    kl_coef=0.02,
    kl_in="reward",
    minibatches=8,
)
GRPO = Recipe(
    name="grpo",
    paper="2402.03300 (DeepSeekMath) eq. 3-4; ε is not stated there, 0.2 is usual",
    equation="1/G Σ_i 1/|o_i| Σ_t [min(ρA, clip(ρ, 1±ε)A) − β k3], A = (r − mean) / std",
    aggregation="seq-mean-token-mean",
    kl="k3",
    kl_coef=0.04,
)
GRPO_PROCESS = replace(
    GRPO, name="grpo_process", advantage="grpo_process",
    paper="2402.03300 (DeepSeekMath) §4.1.3; the objective and its constants are grpo's",
    equation="GRPO's, A_t = Σ over steps j that end at or after t of (r_j − mean R) / std R",
)  # fmt: skip
MT_GRPO = replace(
    GRPO, name="mt_grpo", advantage="mt_grpo",
    paper="2505.11821 (MT-GRPO) of two turns, λ = 1; the objective and its constants are grpo's",
    equation="GRPO's, A_t = A_outcome + λ Σ A_turn over turns ending at or after t, each z-scored",
)  # fmt: skip
DAPO = Recipe(
    name="dapo",
    paper="2503.14476 eq. 8-13",
    equation="1/Σ|o_i| Σ_i Σ_t min(ρA, clip(ρ, 1−ε_low, 1+ε_high)A), 0 < #correct < G",
    clip_high=0.28,
    shaping=(Term("soft_overlong", 1.0, {"cache_share": 0.2}),),
    filter_groups=True,
    minibatches=16,
)
DR_GRPO = Recipe(
    name="dr_grpo",
    paper="2503.20783 (Dr. GRPO) sec. 3.2",
    equation="1/(G·C) Σ_i Σ_t min(ρA, clip(ρ, 1±ε)A), A = r − mean",
    advantage="dr_grpo",
    aggregation="constant",
)
GTPO = Recipe(
    name="gtpo",
    paper="2508.04349 eq. 2-5; normalised jointly, see docs/algorithms.md",
    equation="token-mean PPO clip, A_it from r̃ = ±α₁ ± α₂·(share of the pool's entropy at t)",
    advantage="gtpo",
    advantage_options={"alpha_reward": 1.0, "alpha_entropy": 0.1, "normalize": "joint"},
    clip_high=0.28,
    filter_groups=True,
)
GRPO_S = Recipe(
    name="grpo_s",
    paper="2508.04349 eq. 6-8",
    equation="1/G Σ_i min(ŵÂ, clip(ŵ)Â), ŵ = mean_t ρ, Â from r̂ = ±β₁ ± β₂·(share of mean entropy)",
    advantage="grpo_s",
    advantage_options={"beta_reward": 1.0, "beta_entropy": 0.1},
    surrogate="mean_ratio",
    clip_high=0.28,
    aggregation="seq-mean-token-mean",
    filter_groups=True,
)
RLOO = Recipe(
    name="rloo",
    paper="2402.14740; β is tuned there, 0.05 is TRL's default",
    equation="1/B Σ_i A_i Σ_t log π, A = r − mean of the others, r includes −β Σ_t KL",
    advantage="rloo",
    surrogate="policy_gradient",
    aggregation="seq-mean-token-sum",
    kl="k1",
    kl_coef=0.05,
    kl_in="reward",
)
RLOO_N = replace(
    RLOO,
    name="rloo_n",
    paper="marin's default; rloo's, without cut-off responses in loss and baseline",
    mask_truncated=True,
    truncated_in_statistics=False,
)
TPO = Recipe(
    name="tpo",
    paper="2604.06159; log-probabilities by the mean over a response, as in TRL's pull request",
    equation="1/P Σ_g −Σ_i q_i log p_i, q ∝ p exp((r − mean)/std), p = softmax of mean log π",
    advantage="tpo",
    surrogate="policy_gradient",
    aggregation="seq-mean-token-mean",
)
PRPO = Recipe(
    name="prpo",
    paper="rLLM's estimator; the clipped token mean around it is usual",
    equation="token-mean PPO clip, A = (r − mean) / std over the whole batch",
    advantage="prpo",
)
REINFORCE_PP = Recipe(
    name="reinforce_pp",
    paper="2501.03262; β is OpenRLHF's default",
    equation="min(ρA, clip(ρ, 1±ε)A), A = reward to go less β KL to go, whitened over the batch",
    advantage="reinforce_pp",
    advantage_options={"gamma": 1.0},
    kl="k1",
    kl_coef=0.01,
    kl_in="reward",
)
GSPO = Recipe(
    name="gspo",
    paper="2507.18071 eq. 5-7 and sec. 5.1",
    equation="1/G Σ_i min(sA, clip(s)A), s = (π/π_old of the sequence)^(1/|o|)",
    surrogate="gspo",
    clip_low=3e-4,
    clip_high=4e-4,
    aggregation="seq-mean-token-mean",
    minibatches=4,
)
CISPO = Recipe(
    name="cispo",
    paper="2506.13585 (MiniMax-M1) eq. 4-5; the cap is ScaleRL's 5 (2510.13786), unstated there",
    equation="1/Σ|o_i| Σ_i Σ_t sg[min(ρ, 1+ε_high)] A log π",
    surrogate="cispo",
    clip_low=1.0,
    clip_high=4.0,
    filter_groups=True,
    minibatches=16,
)
MAXRL = Recipe(
    name="maxrl",
    paper="2602.02710 for the advantage; the clipped token mean around it is usual",
    equation="token-mean PPO clip, A = (r − mean) / mean, 0 if nothing is right",
    advantage="maxrl",
)

LITE_PPO = Recipe(
    name="lite_ppo",
    paper="2508.08221 (Tricks or Traps) sec. 5; ε is ROLL's default",
    equation="1/Σ|o_i| Σ_i Σ_t min(ρA, clip(ρ, 1±ε)A), A = (r − mean of group) / std of batch",
    advantage_options={"scale": "batch"},
)
SCALE_RL = Recipe(
    name="scale_rl",
    paper="2510.13786 (ScaleRL) sec. 3; without its asynchrony and its forced ends",
    equation="1/P Σ_g 1/N_g Σ_i Σ_t sg[min(ρ, 1+ε_high)] A log π, A = (r − mean) / std of batch",
    advantage_options={"scale": "batch"},
    surrogate="cispo",
    clip_low=1.0,
    clip_high=4.0,
    aggregation="prompt-mean",
    filter_groups=True,
)
REINFORCE_PP_BASELINE = Recipe(
    name="reinforce_pp_baseline",
    paper="2501.03262 sec. 3; β is OpenRLHF's default",
    equation="min(ρA, clip(ρ, 1±ε)A) − β k2, A = r − mean of the group, whitened over the batch",
    advantage="reinforce_pp_baseline",
    kl="k2",
    kl_coef=0.01,
)
SAPO = Recipe(
    name="sapo",
    paper="2511.20347 eq. 5-6; updates a batch as in GSPO",
    equation="1/G Σ_i 1/|o_i| Σ_t (4/τ) σ(τ(ρ−1)) A, τ = 1 where A > 0, else 1.05",
    surrogate="sapo",
    aggregation="seq-mean-token-mean",
    minibatches=4,
)
DPPO = Recipe(
    name="dppo",
    paper="2602.04879; δ of its authors' bfloat16 runs, updates a batch as in DAPO",
    equation="1/Σ|o_i| Σ_i Σ_t [|π − π_old| ≤ δ, or on the way back] ρ A, δ = 0.15",
    surrogate="dppo_tv",
    clip_low=0.15,
    clip_high=0.15,
    minibatches=16,
)
PRIME_RL = Recipe(
    name="prime_rl",
    paper="prime-rl's default loss and advantage (trainer/rl/loss.py, its constants)",
    equation="1/Σ|o_i| Σ_i Σ_t −[|π − π_s| ≤ .2, or on the way back] ρA + 1e-3 (log ρ)², ρ = π/π_s",
    advantage="dr_grpo",
    surrogate="dppo_tv",
    surrogate_options={"cap": UNBOUNDED, "kl_tau": 1e-3},
    bypass=True,
)
GMPO = Recipe(
    name="gmpo",
    paper="2507.20673 eq. 4; updates a batch as in GSPO",
    equation="1/G Σ_i A (Π_t clip(ρ, e^−0.4, e^0.4))^(1/|o_i|)",
    surrogate="gmpo",
    clip_low=0.4,
    clip_high=0.4,
    aggregation="seq-mean-token-mean",
    minibatches=4,
)
LUSPO = Recipe(
    name="luspo",
    paper="2602.05261; widths and updates a batch of GSPO",
    equation="1/G Σ_i |o_i| min(sA, clip(s)A), s = (π/π_old of the sequence)^(1/|o|)",
    surrogate="mean_ratio",
    surrogate_options={"mean": "geo"},
    clip_low=3e-4,
    clip_high=4e-4,
    aggregation="seq-mean-token-sum",
    minibatches=4,
)
VESPO = Recipe(
    name="vespo",
    paper="2602.10693; k and λ of its authors' code and TRL, updates a batch as in GSPO",
    equation="1/Σ|o_i| Σ_i Σ_t sg[w^k e^(λ(1−w))] A log π, w = π/π_old of the sequence",
    surrogate="vespo",
    minibatches=4,
)
TOPR = Recipe(
    name="topr",
    paper="2503.14286 eq. 8; updates a batch as in GSPO",
    equation="1/B Σ_i Σ_t A log π where A ≥ 0, sg[min(w, 1)] A log π elsewhere",
    surrogate="topr",
    aggregation="seq-mean-token-sum",
    minibatches=4,
)
MINI_RL = Recipe(
    name="mini_rl",
    paper="2512.01374 (Qwen) eq. 7 and sec. 4.2, without its routing replay; its gbs = 2 mbs",
    equation="1/B Σ_i Σ_t min(ρA, clip(ρ, .8, 1.27)A) min(π_old/π_sampler, 5), A = r − mean",
    advantage="dr_grpo",
    clip_high=0.27,
    aggregation="seq-mean-token-sum",
    correction="tis",
    correction_options={"cap": 5.0},
    minibatches=2,
)
DECOUPLED_PPO = Recipe(
    name="decoupled_ppo",
    paper="2505.24298 (AReaL) eq. 5; the cap of its configurations, its 4 updates a batch",
    equation="1/Σ|o_i| Σ_i Σ_t w min(ρA, clip(ρ, 1±ε)A), w = π_old/π_sampler where ≤ 5, else 0",
    correction="mis",
    correction_options={"cap": 5.0},
    minibatches=4,
)
M2PO = Recipe(
    name="m2po",
    paper="2510.01161; τ = .04 there, the ratio by AReaL's two parts",
    equation="1/Σ|o_i| Σ_i Σ_t [t stays] A π/π_sampler, mean (log π_old/π_sampler)² of those ≤ τ",
    clip_low=1.0,
    clip_high=UNBOUNDED,
    correction="tis",
    correction_options={"cap": UNBOUNDED},
    second_moment=0.04,
    minibatches=4,
)
VAPO = Recipe(
    name="vapo",
    paper="2504.05118; updates a batch as in DAPO",
    equation="PPO's clipped token mean + μ/Σ|o⁺| Σ −log π(o⁺), A = GAE(1, 1 − 1/(αl)), V to λ = 1",
    advantage="gae",
    advantage_options={"gamma": 1.0, "alpha": 0.05, "lam_returns": 1.0},
    clip_high=0.28,
    nll_coef=0.1,
    critic_warmup=50,
    minibatches=16,
)
SKYWORK_OR1 = Recipe(
    name="skywork_or1",
    paper="2505.22312 (MAGIC); the entropy's steps and bound are its authors' scripts'",
    equation="1/Σ|o_i| Σ_i Σ_t min(ρA, clip(ρ, 1±ε)A) + α_k H, α_k = c_k [H ≤ 0.2]",
    entropy_target=0.2,
    entropy_step=1e-4,
    entropy_most=5e-3,
    filter_groups=True,
)
POLARIS = Recipe(
    name="polaris",
    paper="its authors' scripts for Qwen3-4B; refilled here where they substitute within a batch",
    equation="1/Σ|o_i| Σ_i Σ_t min(ρA, clip(ρ, 1−ε_low, 1+ε_high)A), A = (r − mean) / std",
    clip_high=0.28,
    filter_groups=True,
)
OPD = Recipe(
    name="opd",
    paper="On-Policy Distillation (Lu and Thinking Machines, 2025); 2306.13649 (GKD) with λ = 1",
    equation="token-mean PPO clip, A_t = −(log π_old − log π_teacher), no discount, no baseline",
    advantage="distillation",
    kl="k1",
    kl_coef=1.0,
    kl_in="reward",
)
OPD_DAPO = replace(
    OPD,
    name="opd_dapo",
    paper="opd's, with DAPO's advantages and bounds (2503.14476) beside",
    equation="token-mean PPO clip, A_t = −(log π_old − log π_teacher) + (r − mean) / std",
    advantage_options={"outcome_coef": 1.0},
    clip_high=0.28,
)
GKD = Recipe(
    name="gkd",
    paper="2306.13649 eq. 2 with λ = 1 and JSD(0.5), no verdicts",
    equation="1/Σ|o_i| Σ_i Σ_t JSD_β(π_teacher ‖ π), over the vocabulary",
    advantage="distillation",
    kl="jsd",
    kl_coef=1.0,
    kl_options={"beta": 0.5},
)
OPSD = replace(
    GKD,
    name="opsd",
    paper="2601.18734, its fixed teacher; the divergence is its authors' scripts'",
    equation="1/Σ|o_i| Σ_i Σ_t JSD_β(π_start(· | q, solution) ‖ π(· | q)), over the vocabulary",
    teacher_sees="solution",
)
SDPO = replace(
    GKD,
    name="sdpo",
    paper="2601.20802, with its authors' JSD over 100 tokens; the policy teaches, no average of it",
    equation="1/Σ|o_i| Σ_i Σ_t JSD_β(π(· | q, feedback) ‖ π(· | q)), over the likeliest tokens",
    kl_options={"beta": 0.5, "top": 100},
    teacher_is="policy",
    teacher_sees="feedback",
)

RECIPES: dict[str, Recipe] = {
    found.name: found for found in list(globals().values()) if isinstance(found, Recipe)
}
"""Every recipe above by its name."""


def recipe(name: str) -> Recipe:
    """Return the recipe of that name.

    Raises:
        UnknownNameError: no such recipe; lists the known ones, nearest first.
    """
    try:
        return RECIPES[name]
    except KeyError:
        raise UnknownNameError("recipe", name, RECIPES) from None
