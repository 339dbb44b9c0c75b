"""`rewardkit train --plan`: a step on verl, the trainer's phases simulated, vLLM's computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.errors import ConfigError
from rewardkit.planning.cards import Card, card_of
from rewardkit.planning.ledger import CACHE, COPIES, OPTIMISER, PARAMETERS, Peak
from rewardkit.planning.memory import CONTEXT, GB, with_allowance
from rewardkit.planning.model import (
    model_config,
    parameters,
    refuse_unknown_depth,
    teacher_config,
    token_cache,
    whole_depth,
)
from rewardkit.planning.page import Forecast, written
from rewardkit.planning.seconds import seconds
from rewardkit_verl.planning.settings import Settings, settings_of
from rewardkit_verl.planning.simulation import Worker, simulate

ENGINE = 2_000_000_000
"""Bytes of vLLM's share for its passes and graphs: an assumption."""
BUCKET = 2 << 30
"""verl sends weights to vLLM in parts of so many bytes (`update_weights_bucket_megabytes`)."""
VLLM = "vLLM's weights"


@dataclass(frozen=True)
class Run:
    """What is planned: a configuration, its model's, and how long prompts are."""

    config: RunConfig
    model: Any
    gpus: int
    prompt_tokens: int

    @property
    def settings(self) -> Settings:
        """What decides the memory."""
        return settings_of(self.config, self.gpus, self.prompt_tokens)


class OfWorkers(Forecast):
    """A forecast whose `together` are the whole responses that vLLM's cache has room for."""

    @property
    def needed(self) -> int:
        """Bytes of a card at the worst moment; vLLM is a process, and a context, of its own."""
        return max(self._needed(peak) for peak in self.peaks.values())

    def _needed(self, peak: Peak) -> int:
        engine = sum(peak.kinds.get(kind, 0) for kind in (VLLM, CACHE))
        return with_allowance(peak.total - engine) + engine + CONTEXT

    @property
    def fits(self) -> bool:
        """Whether that is less than it has, and vLLM can draw one response."""
        return self.needed <= self.card.memory and self.together > 0


def page(config: RunConfig, *, gpus: int, memory: str, prompt_tokens: int) -> str:
    """Return what a step on verl holds and takes on each of `gpus` cards of so much memory."""
    if config.lora.rank:
        raise ConfigError(
            "a plan for verl knows no adapters; what all weights would take is an upper bound: "
            "--set lora.rank=0"
        )
    card, model = card_of(memory), model_config(config.model.name)
    refuse_unknown_depth(model)
    run = Run(config, model, gpus, prompt_tokens)
    found, settings = forecast(run, card), run.settings
    return written(
        f"verl, {gpus} x {card.memory / GB:.0f} GB, responses of {config.sampling.max_tokens} "
        f"tokens behind prompts of {settings.room - config.sampling.max_tokens}, {settings.tokens} "
        "tokens a micro-batch",
        found,
        remedies(run),
        partial(forecast, card=card),
        seconds(
            *(config, model, card),
            gpus=gpus,
            prompt_tokens=prompt_tokens,
            slots=max(found.together, 1),
            always_scores=True,
        ),
        otherwise="shorter responses",
        processes=2,
    )


def forecast(run: Run, card: Card) -> OfWorkers:
    """Return what a step of verl's holds on one of its GPUs."""
    settings, size = run.settings, parameters(run.model)
    slices = 4 * size // run.gpus
    waiting = {PARAMETERS: 0 if settings.weights_wait else slices}
    waiting[OPTIMISER] = 0 if settings.moments_wait else 2 * slices
    two = run.config.recipe.needs_critic
    beside = waiting if two else {}
    actor = peaks_of(_worker(run, critic=False))
    engine, sequences, note = _engine(run, card, size)
    moments = {OPTIMISER: waiting[OPTIMISER]}
    sent = 8 * run.model.vocab_size * run.model.hidden_size + BUCKET
    found = {
        "start": plus(actor["start"], beside),
        "rollout": plus(Peak(), engine, waiting, beside),
        "score": plus(actor["score"], moments, beside),
    }
    notes = {"rollout": note}
    if run.config.recipe.needs_reference:
        teacher = teacher_config(run.config)
        taught = replace(run, model=teacher or run.model)
        score = peaks_of(_worker(taught, critic=False))["score"] if teacher else actor["score"]
        passing = {k: n for k, n in score.kinds.items() if k != PARAMETERS}
        found["reference"] = plus(Peak(), passing, waiting, beside)
        notes["reference"] = "its own weights are in main memory"
    if two:
        found["critic"] = plus(peaks_of(_worker(run, critic=True))["update"], waiting)
    found["update"] = plus(actor["update"], beside)
    on_the_way = {COPIES: sent, VLLM: engine[VLLM], PARAMETERS: slices}
    found["send"] = plus(Peak(), on_the_way, moments, beside)
    notes["send"] = "computed: weights on their way to vLLM"
    return OfWorkers(found, card, notes, sequences)


def plus(peak: Peak, *more: dict[str, int]) -> Peak:
    """Return a peak with other bytes beside it."""
    kinds = dict(peak.kinds)
    for some in more:
        for kind, size in some.items():
            kinds[kind] = kinds.get(kind, 0) + size
    kinds = {kind: size for kind, size in kinds.items() if size}
    return Peak(sum(kinds.values()), kinds)


def peaks_of(worker: Worker) -> dict[str, Peak]:
    """Return a worker's peaks."""
    return whole_depth(lambda model: simulate(worker._replace(model=model)), worker.model)


def _worker(run: Run, *, critic: bool) -> Worker:
    config, settings = run.config, run.settings
    return Worker(
        run.model,
        run.gpus,
        config.on_gpus().model.dtype,
        min(settings.tokens, settings.rows * settings.room),
        settings.recomputes,
        divides=config.sampling.temperature != 1,
        entropies=config.recipe.high_entropy is not None or config.recipe.entropy_bonus,
        critic=critic,
    )


def _engine(run: Run, card: Card, size: int) -> tuple[dict[str, int], int, str]:
    """Return what vLLM holds, how many whole responses fit its cache, and what to say of it."""
    settings = run.settings
    each = 4 if run.config.model.dtype == "float32" else 2
    weights = each * size // settings.tensor_parallel
    share = int(settings.share * card.memory)
    pool = max(share - weights - ENGINE, 0)
    a_token = token_cache(run.model) * each // 2 // settings.tensor_parallel
    sequences = pool // max(a_token * settings.room, 1)
    note = f"computed: {settings.share:.2f} of the card is vLLM's, whose cache holds "
    note += f"{sequences} whole responses" if sequences else "not one whole response"
    kinds = {VLLM: min(weights + ENGINE, share), CACHE: pool}
    return kinds, int(sequences), note


def remedies(run: Run) -> Iterator[tuple[str, Run]]:
    """Yield changes that make a step smaller, each with those before it: the lines, and the run."""
    lines: list[str] = []

    def with_line(line: str, config: RunConfig) -> tuple[str, Run]:
        lines.append(f"--set {line}")
        return " ".join(lines), replace(run, config=config)

    config, settings = run.config, run.settings
    if not settings.recomputes:
        config = replace(config, optim=replace(config.optim, activation_checkpointing=True))
        yield with_line("optim.activation_checkpointing=true", config)
    if not settings.weights_wait:
        config = replace(config, verl=replace(config.verl, offload=True))
        yield with_line("verl.offload=true", config)
    if settings.tokens > settings.room:
        tokens = settings.room
        config = replace(config, optim=replace(config.optim, tokens_per_micro_batch=tokens))
        yield with_line(f"optim.tokens_per_micro_batch={tokens}", config)
    for share in (0.4, 0.3, 0.7):
        changed = replace(config, verl=replace(config.verl, gpu_memory=share))
        said = " ".join([*lines, f"--set verl.gpu_memory={share}"])
        yield said, replace(run, config=changed)
    for gpus in (2, 4, 8, 16):
        if gpus > run.gpus:
            said = " ".join([*lines, f"--set verl.gpus={gpus} (--gpus {gpus})"])
            yield said, replace(run, config=config, gpus=gpus)
