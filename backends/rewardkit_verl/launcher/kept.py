"""Settings that become no key of verl's, each with why; light, as `rewardkit config` asks it."""

KEPT_SETTINGS = {
    "sampling.engine": "verl.rollout says what samples",
    "folder": "the run folder, on this side",
    "records.compress": "the run folder is written on this side",
    "recipe.paper": "for the reader",
    "recipe.equation": "for the reader",
    "recipe.critic_warmup": "for a recipe with a critic",
    "optim.critic_lr": "for a recipe with a critic",
    "model.threads": "OMP_NUM_THREADS of every process",
    "sampling.stop": "refused unless it is empty",
    "eval.problems": "rows of the validation file",
    "verl.gpu_memory": "for GPUs",
    "verl.offload": "for GPUs",
    "verl.silence_s": "the launcher watches the log",
    "verl.overrides": "passed on as they are",
}
"""Settings that become no key of verl's."""
KEPT_SECTIONS = {
    "task.": "what problems there are and how they are asked: rows of the data files",
    "guards.": "judged on this side, step by step",
    "track.": "fed from this side",
    "lora.": "refused unless lora.rank is 0",
    "sampling.curriculum.": "our trainer orders and counts the prompts",
    "sampling.sizes.": "refused unless the rule is fixed",
    "sampling.keep.": "refused unless it is left alone",
    "sampling.refill.": "refused unless it is left alone",
    "sampling.vllm.": "for the native backend; verl.gpu_memory and verl.overrides are for this one",
}
"""Sections that become no key of verl's."""
