"""The sections of a configuration, each with its settings and what they are by default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rewardkit.sampling import SamplingParams
from rewardkit.sampling.settings import (
    CurriculumConfig,
    GroupSizeConfig,
    KeepConfig,
    RefillConfig,
)

Dtype = Literal["auto", "float32", "bfloat16"]
"""Types that passes are computed in; which one `auto` is, the backend finds out."""


@dataclass(frozen=True)
class ModelConfig:
    """Which model to train, where, and in which arithmetic."""

    name: str = "smollm2-135m"
    """A fetched model's name, a local folder, or a Hugging Face id."""
    device: str = "auto"
    """`cpu`, `cuda`, `cuda:1`; `auto` takes a GPU if there is one."""
    dtype: Dtype = "auto"
    """Arithmetic of forward and backward passes; the trained weights are float32 either way. `auto`
    is bfloat16 on a GPU, and on a CPU the one that is measured to be faster there."""
    teacher: str = ""
    """A model of the same tokenizer to learn from, in the place of the KL's reference; one behind a
    vLLM server is named as http://localhost:8000/v1#MODEL."""
    threads: int = 0
    """CPU threads; with 0 a run measures how many serve best, and takes fewer beside other work."""


@dataclass(frozen=True)
class TaskConfig:
    """Which task to learn, which of its problems, how they are asked, and what grades."""

    name: str = "arithmetic"
    """A task's name, `file:PATH`, `hf:OWNER/NAME[:CONFIG][@REVISION]`, or `module:attribute`."""
    args: Mapping[str, Any] = field(default_factory=dict)
    """What the task's factory is called with."""
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Of a data set: which column is the question, the answer, the id, the source; any other name
    is a column that verifiers and templates may ask for."""
    split: str = ""
    """Of a data set: the split to train on."""
    test: str = ""
    """Of a data set: another one to test on, `file:` or `hf:`, with the same columns."""
    test_split: str = ""
    """Of a data set: the split to test on."""
    gold: Literal["", "boxed", "hash", "last_line", "as_is"] = ""
    """Of a data set: which part of a gold is the answer; by default that is found out from the
    first rows, and said."""
    where: str = ""
    """Train on problems that fulfil this alone, as in `level >= 3 and source == 'amc'`."""
    limit: int = 0
    """Train on so many of them at most, the first; 0 takes all."""
    shuffle: int | None = None
    """A seed: which ones a limit takes is then left to chance."""
    system: str = ""
    """A system prompt, in the place of the task's own."""
    prompt: str = ""
    """A template for the last turn, in the place of the task's own: {question}, or any column."""
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    """What the model's chat template is called with besides, as `enable_thinking = false`."""
    verifier: str = ""
    """A verifier's name, or `module:attribute`, in the place of the task's own."""
    verifier_options: Mapping[str, Any] = field(default_factory=dict)
    """Its options."""
    answer_in: str | tuple[str, ...] = ()
    """Where the answer stands, in the place of what the task declares: "box", "tag", "tag:NAME",
    "marker", "last_line", or several. What stands elsewhere is then no answer."""
    lenient: bool = False
    """Read any response for its answer, whatever the task declares."""
    tools: Mapping[str, Any] = field(default_factory=dict)
    """Of a name with tools behind it, such as gsm8k+python: `format`, how a call is written
    (`hermes`, JSON in tags; `tags`, the tool's own), and what single tools take."""
    reference: str = ""
    """The column with a right response, where the answer is none: it is tried at the start, by
    `rewardkit tasks check` and by `rewardkit audit`."""


@dataclass(frozen=True)
class SourceConfig(TaskConfig):
    """One task of a mixture."""

    weight: float = 1.0
    """Its share of the training problems is this by the sum of all weights; 0: only evaluated."""
    label: str = ""
    """What records call it; by default the task's name."""
    teacher: str = ""
    """Its own, in the place of `model.teacher`; one of several is in memory at a time."""


@dataclass(frozen=True)
class VllmConfig:
    """What sampling through vLLM beside the trainer takes."""

    gpu_memory: float = 0.0
    """Share of the GPU's memory for weights and cache of vLLM while it samples; 0 takes what the
    trainer's own state leaves, at most a half."""
    max_prompt_tokens: int = 2048
    """The longest prompt; problems with longer ones are passed over and counted. vLLM is made for
    this and the response limit together, since a model's whole context may take all memory."""
    args: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments of `vllm.LLM`."""


@dataclass(frozen=True)
class SamplingConfig:
    """How a batch of rollouts is drawn."""

    engine: Literal["fast", "transformers", "vllm"] | str = "fast"
    """`fast` knows the Llama, Qwen2 and Qwen3 families and gives way to `transformers` for any
    other model; `vllm` needs that package; `module:name` is a sampler of your own."""
    problems: int = 8
    """Groups in one batch."""
    group_size: int = 8
    """Rollouts of each problem."""
    max_tokens: int = 256
    """Response limit, in tokens; also the length that overlong terms refer to."""
    temperature: float = 1.0
    """Logits are divided by it before sampling, and in every log-probability; 0 takes the most
    likely token."""
    top_p: float = 1.0
    """Draw from the fewest tokens whose probabilities sum to it; 1 draws from all."""
    top_k: int = 0
    """Draw from so many most likely tokens; 0 draws from all."""
    stop: tuple[str, ...] = ()
    """Texts that end a response, besides the model's own end."""
    turns: int = 8
    """Of a task with tools or another environment: the most turns of the model in a rollout, which
    `max_tokens` limits as a whole, with what the environment writes. A rollout that it ends is
    graded and trained on; it is `out_of_turns`, not `truncated`."""
    tool_deadline_s: float = 10.0
    """Seconds that an environment may take for one answer; then the rollout is undecided."""
    rounds: int = 4
    """With group filtering: how often a batch is topped up before the run stops for want of
    signal or trains on what it has."""
    curriculum: CurriculumConfig = field(default_factory=CurriculumConfig)
    """Which problem is next."""
    sizes: GroupSizeConfig = field(default_factory=GroupSizeConfig)
    """How many rollouts a problem gets."""
    keep: KeepConfig = field(default_factory=KeepConfig)
    """Which groups, and which of their rollouts, are trained on."""
    refill: RefillConfig = field(default_factory=RefillConfig)
    """How missing groups are replaced, and what becomes of spare ones."""
    vllm: VllmConfig = field(default_factory=VllmConfig)
    """What `engine = "vllm"` takes."""

    @property
    def longest_prompt(self) -> int | None:
        """The longest prompt that the engine takes; None where only the model's context limits."""
        return self.vllm.max_prompt_tokens if self.engine == "vllm" else None

    @property
    def params(self) -> SamplingParams:
        """The part that the sampler needs."""
        return SamplingParams(self.max_tokens, self.temperature, self.top_p, self.top_k, self.stop)


@dataclass(frozen=True)
class OptimConfig:
    """The optimiser, and how a batch is cut into micro-batches."""

    optimizer: Literal["adamw", "muon"] = "adamw"
    """`muon` (torch's) moves the matrices inside the model, and AdamW embeddings, head and the
    rest; a critic's too. The native backend has it, in one process."""
    lr: float = 1e-6
    """The learning rate after the warm-up."""
    critic_lr: float = 1e-5
    """Of the critic, where the recipe has one; its other settings are the policy's."""
    betas: tuple[float, ...] = (0.9, 0.95)
    """How fast AdamW forgets the mean of the gradients, and of their squares."""
    eps: float = 1e-8
    """Added to the root of AdamW's squares before it divides."""
    weight_decay: float = 0.0
    """Share of the weights, times the learning rate, that each update takes off."""
    grad_clip: float = 1.0
    """A gradient of a larger norm is scaled down to it."""
    schedule: Literal["constant", "linear", "cosine", "wsd"] = "constant"
    """The learning rate behind the warm-up; `wsd` is constant and falls in a line at the end."""
    warmup_steps: float = 0
    """Linear warm-up of the learning rate, in steps of the run; below 1, a share of them."""
    lr_end: float = 0.0
    """Share of the learning rate to which a schedule falls."""
    decay: float = 0.2
    """Share of the steps in which `wsd` falls."""
    tokens_per_micro_batch: int = 0
    """Most tokens in one forward pass (or a single response); the loss does not depend on it, and
    memory grows with it. 0 is the backend's choice: native 640 on a CPU and 8192 on a GPU, verl
    4096 and 16384."""
    layout: Literal["packed", "padded"] = "packed"
    """`packed` reads a prompt once for its whole group; `padded` works with any attention."""
    activation_checkpointing: bool = False
    """Keep only each layer's input for the backward pass and compute the rest again: about a third
    more work for a fraction of the memory that grows with `tokens_per_micro_batch`."""
    tokens_per_head_block: int = 1024
    """Response tokens whose logits over the vocabulary are in memory at one time; a micro-batch of
    more computes them again in its backward pass."""


@dataclass(frozen=True)
class LoraConfig:
    """Low-rank adapters: train small matrices beside frozen weights."""

    rank: int = 0
    """Rank of the adapters; 0 trains all weights."""
    alpha: int = 32
    """The adapters' output is scaled by alpha / rank."""
    targets: tuple[str, ...] = ()
    """Names of the linear layers that get one, such as q_proj; by default all but the head."""


@dataclass(frozen=True)
class VerifyConfig:
    """The pool of verifier processes."""

    workers: int = 0
    """Processes that grade side by side; 0 is half as many as cores, from 2 to 16."""
    deadline_s: float = 10.0
    """Seconds for one response, after which its verdict is TIMEOUT."""
    memory_mb: int = 2048
    """Memory of one process, beyond which its verdict is ERROR."""

    @property
    def processes(self) -> int:
        """How many processes there are on this machine."""
        return self.workers or min(max((os.cpu_count() or 1) // 2, 2), 16)


@dataclass(frozen=True)
class EvalConfig:
    """Evaluation before, after and during training, on the task's held-out problems."""

    samples: int = 4
    """Responses per problem, drawn as in training: temperature, cuts, stop texts and length are
    those of `sampling`; 0 turns evaluation off."""
    problems: int = 64
    """At most so many problems of each held-out set."""
    every: int = 0
    """Also evaluate after every so many steps; 0 evaluates before and after only."""


@dataclass(frozen=True)
class CheckpointConfig:
    """When to save, and how many checkpoints to keep."""

    every: int = 10
    """Save after every so many steps; 0 saves at the end only, and what a kill costs is all."""
    keep: int = 2
    """Keep the last so many, and the best one besides; 0 keeps all, as a sweep over them needs."""


@dataclass(frozen=True)
class RecordsConfig:
    """Which responses the run folder keeps, and how: by default all, as plain lines."""

    every: int = 1
    """Keep the responses of every so many steps."""
    groups: int = 0
    """Of such a step, keep so many groups, which seed and step choose; 0 keeps all."""
    compress: bool = False
    """Write rollouts.jsonl.zst, a zstd frame a step, instead of rollouts.jsonl."""


@dataclass(frozen=True)
class TrackConfig:
    """Where a run's numbers go besides metrics.jsonl."""

    tensorboard: bool = False
    """Write event files into the run folder's tensorboard/."""
    wandb: Literal["", "offline", "online"] = ""
    """Weights & Biases: `online`, or `offline` for a later `wandb sync`."""
    trackio: bool = False
    """trackio, on this machine or, with its own TRACKIO_SPACE_ID, in a Space of the hub."""
    project: str = "rewardkit"
    """The project at the last two."""
    responses: int = 0
    """Every so many steps each gets a table of recorded responses; 0 is never."""


@dataclass(frozen=True)
class VerlConfig:
    """What only the verl backend reads: machines, engines, and keys of verl's own."""

    nodes: int = 1
    """Machines of the Ray cluster."""
    gpus: int = 0
    """GPUs of each node; 0 takes all that this machine has."""
    mode: Literal["sync", "colocate_async", "separate_async"] = "sync"
    """Which trainer of verl's: it waits for all responses of a batch; it stops what is unfinished
    and goes on with it after the update; or samplers have GPUs of their own and never wait."""
    max_age: int = 2
    """Of the asynchronous modes: a group that began before so many updates of the sampler's weights
    trains still, an older one is dropped and another problem drawn."""
    rollout_gpus: int = 0
    """Of `separate_async`: further GPUs of each node, which sample alone."""
    address: str = ""
    """A running Ray cluster (`auto` or host:port); empty starts Ray on this machine."""
    rollout: Literal["auto", "vllm", "sglang", "transformers"] = "auto"
    """What samples; `auto` is vllm on GPUs and transformers on a CPU."""
    tensor_parallel: int = 1
    """GPUs that share one copy of the sampling model."""
    gpu_memory: float = 0.5
    """Share of a GPU's memory for the sampling engine."""
    offload: bool = False
    """Move weights and optimiser state to host memory while they are not needed."""
    max_prompt_tokens: int = 0
    """Prompt limit; 0 measures the longest prompt of the data."""
    silence_s: float = 1800.0
    """Without any output for so long, the run is reported as possibly hanging."""
    overrides: tuple[str, ...] = ()
    """Further overrides in Hydra's words, of keys that no setting decides."""
