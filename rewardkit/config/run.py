"""The whole configuration of a run, and what must hold between its settings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from rewardkit.client.settings import is_address
from rewardkit.config.sections import (
    CheckpointConfig,
    Dtype,
    EvalConfig,
    LoraConfig,
    ModelConfig,
    OptimConfig,
    RecordsConfig,
    SamplingConfig,
    SourceConfig,
    TaskConfig,
    TrackConfig,
    VerifyConfig,
    VerlConfig,
)
from rewardkit.errors import ConfigError
from rewardkit.guards import GuardsConfig
from rewardkit.judging.settings import JudgeConfig
from rewardkit.recipes import RECIPES, Recipe, validate
from rewardkit.verifiers.options import checked

LEAST = {
    "steps": 1,
    "sampling.problems": 1,
    "sampling.group_size": 1,
    "sampling.rounds": 1,
    "sampling.turns": 1,
    "sampling.sizes.rounds": 1,
    "sampling.sizes.enough": 0,
    "sampling.curriculum.return_after": 1,
    "sampling.refill.max_age": 1,
    "sampling.vllm.max_prompt_tokens": 1,
    "optim.tokens_per_micro_batch": 0,
    "optim.tokens_per_head_block": 1,
    "verify.workers": 0,
    "eval.samples": 0,
    "eval.problems": 1,
    "eval.every": 0,
    "checkpoint.every": 0,
    "checkpoint.keep": 0,
    "records.every": 1,
    "records.groups": 0,
    "optim.warmup_steps": 0,
    "optim.weight_decay": 0,
    "model.threads": 0,
    "verl.nodes": 1,
    "verl.gpus": 0,
    "verl.max_age": 1,
    "verl.rollout_gpus": 0,
    "verl.tensor_parallel": 1,
    "verl.max_prompt_tokens": 0,
    "lora.rank": 0,
    "lora.alpha": 1,
}
"""Numbers by setting, and the least that each may be."""
MOST = {
    "model.threads": 4096,
    "verify.workers": 4096,
    "verl.gpu_memory": 1,
}
"""And the most."""
OUR_TEMPLATE_ARGUMENTS = frozenset(
    {"conversation", "messages", "tokenize", "add_generation_prompt", "return_dict"}
)
"""What a chat template is called with anyway; given twice, it is a TypeError."""


@dataclass(frozen=True)
class RunConfig:
    """Everything that a run depends on."""

    folder: str
    """The run folder."""
    steps: int
    """Batches to train on."""
    seed: int = 0
    """What every draw follows from: problems, rollouts, adapters."""
    recipe: Recipe = RECIPES["grpo"]
    """The algorithm."""
    model: ModelConfig = field(default_factory=ModelConfig)
    """What is trained."""
    task: TaskConfig = field(default_factory=TaskConfig)
    """What is asked, and what grades."""
    tasks: tuple[SourceConfig, ...] = ()
    """The tasks of a mixture, in the place of `task`."""
    sampling: SamplingConfig = field(default_factory=SamplingConfig)
    """How responses are drawn."""
    optim: OptimConfig = field(default_factory=OptimConfig)
    """How an update is made."""
    lora: LoraConfig = field(default_factory=LoraConfig)
    """Adapters in the place of all weights."""
    verify: VerifyConfig = field(default_factory=VerifyConfig)
    """How responses are graded."""
    judge: JudgeConfig = field(default_factory=JudgeConfig)
    """Which model is asked where rules cannot tell."""
    eval: EvalConfig = field(default_factory=EvalConfig)
    """How the run is measured."""
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)
    """What is saved, and when."""
    records: RecordsConfig = field(default_factory=RecordsConfig)
    """Which responses are kept."""
    guards: GuardsConfig = field(default_factory=GuardsConfig)
    """What warns and stops."""
    track: TrackConfig = field(default_factory=TrackConfig)
    """TensorBoard and Weights & Biases."""
    verl: VerlConfig = field(default_factory=VerlConfig)
    """What the verl backend takes besides."""

    def __post_init__(self) -> None:
        for key, least in LEAST.items():
            if (value := self._setting(key)) < least:
                raise ConfigError(f"{key} must be at least {least}, found {value}")
        for key, most in MOST.items():
            if (value := self._setting(key)) > most:
                raise ConfigError(f"{key} must be at most {most}, found {value}")
        for key in (
            "optim.lr",
            "optim.critic_lr",
            "optim.grad_clip",
            "sampling.tool_deadline_s",
            "verify.deadline_s",
            "verify.memory_mb",
            "verl.gpu_memory",
            "verl.silence_s",
        ):
            if (value := self._setting(key)) <= 0:
                raise ConfigError(f"{key} must be above 0, found {value}")
        if not 0 <= (share := self.sampling.vllm.gpu_memory) <= 1:
            raise ConfigError(
                f"sampling.vllm.gpu_memory must be in [0, 1], 0 to be chosen, found {share}"
            )
        betas = self.optim.betas
        if len(betas) != 2 or not all(0 <= beta < 1 for beta in betas):
            raise ConfigError(f"optim.betas must be two numbers in [0, 1), found {list(betas)}")
        if self.recipe.minibatches > self.sampling.problems:
            raise ConfigError(
                f"recipe.minibatches is {self.recipe.minibatches}, but a batch holds only "
                f"sampling.problems = {self.sampling.problems} groups; lower the first or raise "
                "the second"
            )
        if self.tasks and self.task != TaskConfig():
            raise ConfigError(
                "[task] and [[tasks]] are both given; one task is a [task], several are [[tasks]]"
            )
        validate(self.recipe)
        self._check_device()
        self._check_adapters()
        self._check_teacher()
        self._check_tasks()
        self._check_filtering()
        _ = self.sampling.params  # checks the ranges of its own fields

    @property
    def teachers(self) -> tuple[str, ...]:
        """The names of all teachers that are learned from, each once."""
        named = {one.teacher or self.model.teacher for one in self.tasks if one.weight}
        return tuple(sorted((named or {self.model.teacher}) - {""}))

    def in_type(self, dtype: Dtype) -> RunConfig:
        """Return the configuration with the arithmetic named."""
        return replace(self, model=replace(self.model, dtype=dtype))

    def on_gpus(self) -> RunConfig:
        """Return the configuration as GPUs run it: bfloat16 where nothing else is named."""
        return self.in_type("bfloat16") if self.model.dtype == "auto" else self

    def _setting(self, key: str) -> Any:
        return reduce(getattr, key.split("."), self)

    def _check_device(self) -> None:
        device = self.model.device
        if not re.fullmatch(r"auto|cpu|cuda(:[0-9]+)?", device):
            raise ConfigError(
                f"model.device must be auto, cpu, cuda or one GPU such as cuda:1, found {device!r}"
            )

    def _check_adapters(self) -> None:
        for name in ("targets", "alpha"):
            value = getattr(self.lora, name)
            if not self.lora.rank and value != getattr(LoraConfig, name):
                raise ConfigError(
                    f"lora.{name} has no effect without adapters, and all weights would be "
                    f"trained; add --set lora.rank=16, or leave lora.{name} out"
                )

    def _check_teacher(self) -> None:
        recipe = self.recipe
        says = recipe.kl_in_reward or recipe.compares_distributions
        knows_more = recipe.teacher_sees != "question"
        for n, one in enumerate(self.tasks):
            if self.teachers and one.weight and not (one.teacher or self.model.teacher):
                raise ConfigError(
                    f"tasks.{n} has no teacher, while another task of the mixture has one; add "
                    f"--set tasks.{n}.teacher=FOLDER_OR_ID, or model.teacher for the rest"
                )
        if self.model.teacher and self.model.teacher not in self.teachers:
            raise ConfigError(
                "model.teacher has no effect: each task of the mixture has a teacher of its own; "
                "leave model.teacher out, or tasks.N.teacher of those that are to have it"
            )
        if recipe.distils and not (says and (self.teachers or knows_more)):
            raise ConfigError(
                f"recipe {recipe.name} learns from what a teacher says of each token; name one, "
                "--set model.teacher=FOLDER_OR_ID, and leave its kl as it is, with kl_coef above 0"
            )
        if self.teachers and not recipe.copies_reference:
            raise ConfigError(
                f"a teacher has no effect: recipe {recipe.name} has no KL towards another "
                "model; use recipe.name = opd, or set recipe.kl and recipe.kl_coef"
            )
        served = next(filter(is_address, self.teachers), "")
        if served and (recipe.compares_distributions or self.sampling.temperature != 1):
            raise ConfigError(
                f"the server of the teacher {served} tells log-probabilities of drawn tokens, at "
                f"temperature 1: not enough for recipe.kl = {recipe.kl!r} with "
                f"sampling.temperature = {self.sampling.temperature:g}; take recipe.name = opd and "
                "1, or a teacher in memory, --set model.teacher=FOLDER_OR_ID"
            )

    def _check_tasks(self) -> None:
        named: dict[str, TaskConfig] = {"task": self.task}
        named |= {f"tasks.{n}": one for n, one in enumerate(self.tasks)}
        for key, one in named.items():
            if one.verifier_options and not one.verifier:
                raise ConfigError(
                    f"{key}.verifier_options are those of a verifier that is named beside them, "
                    f"such as {key}.verifier=math; a task's own one is named there, too"
                )
            if one.answer_in and one.lenient:
                raise ConfigError(
                    f"{key}.lenient reads an answer anywhere, and {key}.answer_in = "
                    f"{one.answer_in!r} in that place alone; give one of them"
                )
            checked(one.answer_in)
            for name in sorted(OUR_TEMPLATE_ARGUMENTS & one.chat_template_kwargs.keys()):
                raise ConfigError(
                    f"{key}.chat_template_kwargs.{name} is not to be set: each prompt is made "
                    "with it; these are what the model's template asks for, as enable_thinking"
                )
        judged = any(one.verifier.endswith("judge") for one in named.values())
        if self.judge != JudgeConfig() and not judged:
            raise ConfigError(
                "[judge] has no effect without a verifier that asks it; add "
                "--set task.verifier=math+judge, or leave [judge] out"
            )

    def _check_filtering(self) -> None:
        keep, refill = self.sampling.keep, self.sampling.refill
        without_effect = {
            "sampling.keep.low": keep.low > 0,
            "sampling.keep.high": keep.high < 1,
            "sampling.refill.oversample": refill.oversample,
            "sampling.refill.leftovers": refill.leftovers == "keep",
        }
        asked = [name for name, is_asked in without_effect.items() if is_asked]
        if asked and not self.recipe.filter_groups:
            raise ConfigError(
                f"{asked[0]} has no effect without group filtering; add "
                "--set recipe.filter_groups=true, or take recipe dapo"
            )
