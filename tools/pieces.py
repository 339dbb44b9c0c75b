"""The table of every algorithmic piece: a page of the reference, and `python tools/pieces.py`.

What can be computed is: which pieces there are, the paper that a function's docstring names, and
which backend runs it. What verl and TRL call it, and what test compares both, stands below; a test
looks each name up in verl and in TRL, and each test in its file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "backends")]

HAND = "by hand"
"""Tested against numbers worked out by hand, and properties, alone."""


class Piece(NamedTuple):
    """What is known of a piece elsewhere: verl's name, TRL's, and the tests that compare."""

    verl: str = ""
    trl: str = ""
    tests: str = HAND
    paper: str = ""


V, T, M = "test_verl_losses.py", "test_trl.py", "test_trl_inline.py"
A = "test_verl_advantages.py"

ESTIMATORS: Mapping[str, Piece] = {
    "grpo": Piece("grpo", "scale_rewards", f"{A}::test_grpo {M}::test_advantages"),
    "grpo_process": Piece(),
    "mt_grpo": Piece(),
    "dr_grpo": Piece("grpo", "scale_rewards", f"{A}::test_dr_grpo {M}::test_advantages"),
    "rloo": Piece("rloo", "RLOOTrainer", f"{A}::test_rloo {M}::test_rloo"),
    "prpo": Piece(paper="rLLM"),
    "tpo": Piece(),
    "reinforce_pp": Piece("reinforce_plus_plus", "", f"{A}::test_reinforce_pp"),
    "reinforce_pp_baseline": Piece(
        "reinforce_plus_plus_baseline", "", f"{A}::test_reinforce_pp_baseline"
    ),
    "remax": Piece("remax", "", f"{A}::test_remax"),
    "opo": Piece("opo", "", f"{A}::test_opo"),
    "gpg": Piece("gpg", "", f"{A}::test_gpg_in_compat_mode"),
    "maxrl": Piece(),
    "pass_at_k": Piece("grpo_passk", "", f"{A}::test_pass_at_k"),
    "pass_at_k_training": Piece(),
    "gdpo": Piece(
        "gdpo",
        "multi_objective_aggregation",
        f"{A}::test_gdpo_differs_in_what_the_last_whitening_runs_over "
        f"{M}::test_several_rewards_normalised_then_summed",
    ),
    "gtpo": Piece(),
    "grpo_s": Piece(),
    "distillation": Piece(),
    "optimal_token_baseline": Piece(
        "optimal_token_baseline", "", f"{A}::test_optimal_token_baseline"
    ),
    "gae": Piece("gae", "", f"{A}::test_gae"),
}
SURROGATES: Mapping[str, Piece] = {
    "ppo_clip": Piece(
        "vanilla",
        "epsilon",
        f"{V}::test_surrogates_in_every_aggregation {T}::test_losses_in_any_split",
    ),
    "policy_gradient": Piece(
        "gpg",
        "RLOOTrainer",
        f"{V}::test_surrogates_in_every_aggregation "
        f"{M}::test_rloos_gradient_while_the_policy_is_the_one_that_sampled",
    ),
    "gspo": Piece(
        "gspo",
        "importance_sampling_level",
        f"{V}::test_surrogates_in_every_aggregation {T}::test_gspo_is_trls_sequence_level",
    ),
    "mean_ratio": Piece(
        "", "luspo", f"{T}::test_luspo_is_grpo_ss_ratio_with_sums_over_sequences", "2508.04349"
    ),
    "gmpo": Piece(
        "geo_mean",
        "GMPOTrainer",
        f"{V}::test_gmpo_is_a_mean_of_sequences_here_and_of_micro_batches_in_verl {M}::test_gmpo",
    ),
    "cispo": Piece(
        "cispo",
        "cispo",
        f"{V}::test_surrogates_in_every_aggregation "
        f"{T}::test_cispo_after_its_epsilon_is_translated",
    ),
    "sapo": Piece("sapo", "sapo", f"{V}::test_sapo {T}::test_losses_in_any_split"),
    "dppo_tv": Piece("dppo_tv", "", f"{V}::test_surrogates_in_every_aggregation"),
    "dppo_kl": Piece("dppo_kl", "", f"{V}::test_surrogates_in_every_aggregation"),
    "clip_cov": Piece(
        "clip_cov", "", f"{V}::test_clip_cov_draws_the_same_tokens_from_the_same_seed"
    ),
    "kl_cov": Piece("kl_cov", "", f"{V}::test_kl_cov", "2505.22617"),
    "vespo": Piece("", "vespo", f"{T}::test_vespo"),
    "topr": Piece(),
    "dro": Piece("dro", "", f"{V}::test_dro"),
}
_ANY = f"{V}::test_surrogates_in_every_aggregation {T}::test_losses_in_any_split"
AGGREGATIONS: Mapping[str, Piece] = {
    "seq-mean-token-mean": Piece("seq-mean-token-mean", "grpo", _ANY, "2402.03300"),
    "token-mean": Piece("token-mean", "dapo", _ANY, "2503.14476"),
    "prompt-mean": Piece(paper="2503.14476 eq. 8"),
    "constant": Piece(
        "seq-mean-token-sum-norm",
        "dr_grpo",
        f"{V}::test_dr_grpo_with_its_constant_set {T}::test_losses_in_any_split",
        "2503.20783",
    ),
    "seq-mean-token-sum": Piece("seq-mean-token-sum", "luspo", _ANY),
    "token-sum": Piece("token-sum", "", f"{V}::test_surrogates_in_every_aggregation"),
    "bnpo": Piece("", "bnpo", f"{T}::test_losses_in_any_split"),
}
KLS: Mapping[str, Piece] = {
    name: Piece(verl, trl, f"{V}::test_kl")
    for name, verl, trl in (
        ("k1", "k1", ""), ("abs", "abs", ""), ("k2", "k2", ""), ("k3", "k3", "beta"),
        ("k1+", "k1+", ""), ("abs+", "abs+", ""), ("k3+", "k3+", ""),
    )
}  # fmt: skip
_GKD = "test_trl_divergences.py::test_trls_generalized_jsd"
DIVERGENCES: Mapping[str, Piece] = {
    "reverse_kl": Piece("", "beta", _GKD, "2306.08543"),
    "forward_kl": Piece("forward_kl_topk", "beta", _GKD, "2306.13649"),
    "jsd": Piece("", "beta", _GKD, "2306.13649"),
}
_MODE = "vllm_importance_sampling_mode"
_OF_TRL = f"{M}::test_weights_between_sampler_and_trainer"
_WEIGHTS = f"{V}::test_weights_between_sampler_and_trainer {_OF_TRL}"
_REJECT = f"{V}::test_sequences_rejected_between_sampler_and_trainer"
CORRECTIONS: Mapping[str, Piece] = {
    "tis": Piece("rollout_is=token", _MODE, _WEIGHTS),
    "mis": Piece("", _MODE, _OF_TRL),
    "icepop": Piece("rollout_is=token", _MODE, _WEIGHTS),
    "sequence_tis": Piece("rollout_is=sequence", _MODE, _WEIGHTS),
    "sequence_mask": Piece("", _MODE, _OF_TRL),
    "geometric_mask": Piece("rollout_rs=seq_mean_k1", "", _REJECT),
    "k3_mask": Piece("rollout_rs=seq_mean_k3", "", _REJECT),
    "seq_mask_tis": Piece("rollout_rs=seq_mean_k1", "", f"{V}::test_pairs_of_corrections"),
    "k3_mask_tis": Piece("rollout_rs=seq_mean_k3", "", f"{V}::test_pairs_of_corrections"),
}
TERMS: Mapping[str, Piece] = {
    "entropy_coef": Piece(
        "entropy_coeff",
        "entropy_coef",
        f"test_verl_ppo_loss.py::test_entropy_bonus_in_any_split {T}::test_entropy_bonus",
    ),
    "entropy_target": Piece(
        "", "use_adaptive_entropy", f"{T}::test_entropy_weight_moves_as_trls_does", "2505.22312"
    ),
    "nll_coef": Piece(paper="2504.05118 eq. 10"),
    "second_moment": Piece(paper="2510.01161"),
    "high_entropy": Piece(
        "", "top_entropy_quantile", f"{T}::test_high_entropy_tokens", "2506.01939"
    ),
    "bypass": Piece("bypass_mode", "", "test_verl_bypass.py::test_bypass"),
    "kl_weighted": Piece(
        "", "use_bias_correction_kl", f"{T}::test_clip_higher_with_kl", "DeepSeek-V3.2"
    ),
    "value_clip": Piece("cliprange_value", "", f"{V}::test_value_loss", "baselines' ppo2"),
}
"""Fields of a recipe that add a term or change one."""


def rows() -> Iterator[tuple[str, ...]]:
    """Yield (kind, piece, paper, native, verl, verl's name, TRL's, tested against)."""
    from rewardkit import advantages, losses
    from rewardkit.advantages import required_inputs
    from rewardkit.recipes import Recipe
    from rewardkit_native.setup import PROVIDED
    from rewardkit_verl.names import ESTIMATOR_INPUTS

    def row(kind: str, name: str, piece: Piece, native: bool, verl: bool, code: object) -> None:
        papers = re.findall(r"\d{4}\.\d{5}", getattr(code, "__doc__", "") or "")
        paper = piece.paper or (papers[0] if papers else "–")
        told.append(
            (kind, f"`{name}`", paper, yes(native), yes(verl), code_of(piece.verl),
             code_of(piece.trl), tests_of(piece))
        )  # fmt: skip

    told: list[tuple[str, ...]] = []
    for name, function in advantages.ESTIMATORS.items():
        if name == "gae":
            function = advantages.gae
        needs = required_inputs(name)
        row(
            "advantage", name, ESTIMATORS[name],
            needs <= PROVIDED, needs <= ESTIMATOR_INPUTS, function,
        )  # fmt: skip
    for kind, known, here in (
        ("surrogate", SURROGATES, losses.SURROGATES),
        ("aggregation", AGGREGATIONS, losses.AGGREGATIONS),
        ("KL", KLS, losses.KL_ESTIMATORS),
        ("divergence", DIVERGENCES, losses.DIVERGENCES),
        ("correction", CORRECTIONS, losses.CORRECTIONS),
    ):
        for name, function in here.items():
            row(kind, name, known[name], True, name not in ("bnpo", *DIVERGENCES), function)
    for name, piece in TERMS.items():
        assert name in Recipe.__dataclass_fields__
        row("term", name, piece, True, True, None)
    yield from told


def yes(there: bool) -> str:
    """Return a sign for yes and one for no."""
    return "●" if there else "–"


def code_of(name: str) -> str:
    """Return a name as code, or a sign that there is none."""
    return f"`{name}`" if name else "–"


def tests_of(piece: Piece) -> str:
    """Return which libraries the tests compare with."""
    found = [
        who
        for who, there in (("verl", "verl" in piece.tests), ("TRL", "test_trl" in piece.tests))
        if there
    ]
    return ", ".join(found) or HAND


def table() -> str:
    """Return the table, as Markdown."""
    head = ("kind", "piece", "paper", "native", "verl", "verl's name", "TRL's", "tested against")
    lines = [head, ("---",) * len(head), *rows()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    """Print the table."""
    sys.stdout.write(table() + "\n")


if __name__ == "__main__":
    main()
