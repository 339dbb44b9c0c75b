"""`rewardkit train --backend verl`: the same file as the native backend, on verl's workers."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rewardkit.config import RunConfig
from rewardkit.environments.table import chats_of, played_tasks
from rewardkit.errors import ConfigError, MissingExtraError, ModelError, TrainingError
from rewardkit.evaluation.models import resolve_model
from rewardkit.planning.dtype import settle_dtype
from rewardkit.recipes import inert_parts, sampler_remark
from rewardkit.report.trackers import refuse_missing
from rewardkit.runs import RunFolder
from rewardkit.runs.lock import hold
from rewardkit.runs.rollouts import outgrowing, refuse_missing_zstd
from rewardkit.runs.signals import STOPPED
from rewardkit.tasks.settings import run_task
from rewardkit.training_step.rehearsal import rehearse
from rewardkit.types import Task
from rewardkit.validation.refusals import (
    refuse_broken_verifier,
    refuse_empty_sets,
    refuse_other_tokens,
    refuse_silent_servers,
)
from rewardkit.validation.validate import remarks_at_start
from rewardkit_verl import versions
from rewardkit_verl.keys.overrides import Launch, rollout_engine
from rewardkit_verl.keys.refusals import refuse, refuse_unplayable
from rewardkit_verl.launcher import checkpoint
from rewardkit_verl.launcher.data import DataFiles, longest_prompt, write_data
from rewardkit_verl.launcher.prepare import Command, command, environment

if TYPE_CHECKING:
    from rewardkit_verl.launcher.recorder import Recorder


@dataclass(frozen=True)
class Ready:
    """What was found and checked before anything on the disk is touched."""

    task: Task
    model: str
    prompt_tokens: int
    gpus: int
    remarks: tuple[str, ...] = ()
    """What the user should know before it surprises."""


def train(config: RunConfig, *, resume: bool = False, overwrite: bool = False) -> Path:
    """Train as `config` says on verl and return the run folder."""
    versions.check_version()
    config, said = settled(config, resume=resume)
    if resume:
        RunFolder.open(config.folder).refuse_changed_run(config)
    versions.check_device(config.verl.address)
    versions.check_trl()
    refuse_too_large(config)
    refuse_missing(config.track)
    refuse_missing_zstd(config.records)
    ready = get_ready(config)
    ready = replace(ready, remarks=(*said, *ready.remarks))
    with hold(Path(config.folder)):
        from_step = 0
        if resume:
            from rewardkit_verl.launcher.checkpoint import resumable_step

            folder = RunFolder.open(config.folder)
            from_step = resumable_step(folder)
            checkpoint.go_back(folder, from_step, config.checkpoint.keep)
            folder.resumed(config, from_step, folder.lengths_until(from_step))
        else:
            folder = RunFolder.create(config, overwrite=overwrite)
            folder.note("backend", "verl")
            if said:
                folder.note("arithmetic", said)
            folder.note("data", ready.task.source)
        _run(config, folder, ready, from_step)
    return folder.path


def refuse_too_large(config: RunConfig) -> None:
    """Raise a ConfigError where no step fits this machine's GPUs; a cluster's are not known."""
    if versions.on_cpu() or config.verl.address:
        return
    import torch

    if torch.cuda.is_available():
        from rewardkit_verl.planning.bound import check_this_machine

        check_this_machine(config, gpus_of(config))


def _run(config: RunConfig, folder: RunFolder, ready: Ready, from_step: int) -> None:
    from rewardkit.report.curves import draw_if_possible
    from rewardkit.report.display import Display, going_on
    from rewardkit.runs.retention import retain
    from rewardkit_verl.launcher.recorder import Recorder

    files = write_data(config, ready.task, folder.path.resolve() / "verl" / "data")
    start = command_for(config, ready, files, from_step)
    with folder.writing():
        (folder.path / "verl" / "command.sh").write_text(start.script, encoding="utf-8")
    with Display(config) as display:
        for remark in (
            *([going_on(from_step, config.steps)] if from_step else []),
            *remarks(config, start),
            *ready.remarks,
            *unrecorded(config, folder, from_step),
            *outgrowing(config, from_step),
        ):
            display.remark(remark)
        recorder = Recorder(config, folder, display, from_step, files.test_rows)
        if from_step < config.steps:
            _launch(config, folder, start, recorder)
        last = checkpoint.merge(folder, checkpoint.latest_step(folder))
        retain(folder, config.checkpoint.keep)
        draw_if_possible(folder, display.remark)
        display.finished(folder, last, recorder.results.values)


def _launch(config: RunConfig, folder: RunFolder, start: Command, recorder: Recorder) -> None:
    from rewardkit_verl.launcher import launch

    remark = recorder.display.remark
    try:
        try:
            launch.run(
                start,
                folder.path / "verl" / "log.txt",
                poll=recorder.poll,
                silence_s=config.verl.silence_s,
                remark=remark,
            )
        finally:
            recorder.poll(ended=True)
    except KeyboardInterrupt as error:
        remark(stopped(folder))
        raise KeyboardInterrupt(STOPPED) from error
    except TrainingError:
        remark(stopped(folder))
        raise


def get_ready(config: RunConfig) -> Ready:
    """Check everything that a run needs but verl itself."""
    from rewardkit.verifiers import VerifierPool

    gpus = gpus_of(config)
    refuse(config, cpu=versions.on_cpu(), gpus=gpus)
    if config.lora.rank and find_spec("peft") is None:
        raise MissingExtraError("peft", "lora")
    rehearse(config.recipe, limit=config.sampling.max_tokens, group_size=config.sampling.group_size)
    task = run_task(config)
    refuse_unplayable(config, task)
    refuse_empty_sets(task, config)
    with VerifierPool(task.verifier, workers=1, deadline_s=config.verify.deadline_s) as pool:
        refuse_broken_verifier(pool, task)
        said = refuse_silent_servers(task, asked_from_here=config.verl.nodes == 1)
        said += remarks_at_start(task, pool, evaluated=config.eval.samples > 0)
    model = resolve_model(config.model.name)
    tokenizer = load_tokenizer(model, trusted=trusts(config))
    chats_of(played_tasks(task), tokenizer, config.model.name)
    if config.model.teacher:
        teacher = load_tokenizer(resolve_model(config.model.teacher), trusted=trusts(config))
        refuse_other_tokens(config.model.name, config.model.teacher, tokenizer, teacher)
    return Ready(
        task,
        model,
        longest_prompt(config, task, tokenizer),
        gpus,
        tuple(said),
    )


def gpus_of(config: RunConfig) -> int:
    """Return the GPUs of each node: those asked for, or all of this machine; 1 process on a CPU."""
    if config.verl.gpus or versions.on_cpu():
        return config.verl.gpus or 1
    try:
        import torch
    except ModuleNotFoundError as error:
        raise MissingExtraError("torch", "verl") from error

    if config.verl.address and not torch.cuda.is_available():
        raise ConfigError(
            "verl.gpus: this machine has none to count, so say how many each node of the cluster "
            "has, for example --set verl.gpus=8"
        )
    return max(torch.cuda.device_count() - config.verl.rollout_gpus, 1)


def reachable(model: str) -> str:
    """Return a folder by its whole path: a worker of a Ray cluster has another working directory.

    >>> reachable("owner/name")
    'owner/name'
    """
    return os.path.abspath(model) if Path(model).is_dir() else model


def command_for(config: RunConfig, ready: Ready, files: DataFiles, from_step: int = 0) -> Command:
    """Return the command that runs `config` with these files."""
    folder = Path(config.folder).resolve()
    if config.model.teacher:
        teacher = reachable(resolve_model(config.model.teacher))
        config = replace(config, model=replace(config.model, teacher=teacher))
    return command(
        config,
        Launch(
            model=reachable(ready.model),
            train_file=files.train,
            test_file=files.test,
            folder=folder,
            prompt_tokens=ready.prompt_tokens,
            cpu=versions.on_cpu(),
            gpus=ready.gpus,
            environment=environment(config, folder, from_step),
            from_step=from_step,
            plays=bool(played_tasks(ready.task)),
            flash=versions.has_flash(),
        ),
    )


def trusts(config: RunConfig) -> bool:
    """Return whether verl is told to run the model's own code, and so may its tokenizer here."""
    said = dict(word.lstrip("+").partition("=")[::2] for word in config.verl.overrides)
    keys = ("actor_rollout_ref.model.trust_remote_code", "data.trust_remote_code")
    return any(said.get(key, "").lower() == "true" for key in keys)


def load_tokenizer(model: str, *, trusted: bool = False) -> Any:
    """Return a model's tokenizer; the code of one that brings its own runs if it is `trusted`.

    Raises:
        ModelError: it cannot be read, or has no chat template.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=trusted)
    except (OSError, ValueError) as error:
        raise ModelError(f"could not load the tokenizer of {model!r}: {error}") from error
    if tokenizer.chat_template is None:
        raise ModelError(
            f"{model} has no chat template; set one on its tokenizer "
            "(tokenizer.chat_template = ...), save it to a folder with the model and give that"
        )
    return tokenizer


def settled(config: RunConfig, *, resume: bool = False) -> tuple[RunConfig, list[str]]:
    """Return the configuration with correction and type decided by what samples, and where.

    With a line that says why it is this type, where that was tried on a CPU.
    """
    recipe = config.recipe.settled(sampled_elsewhere=samples_elsewhere(config))
    config = replace(config, recipe=recipe)
    if not versions.on_cpu() or config.model.dtype != "auto":
        return config.on_gpus(), []
    from rewardkit.planning.cpu_rates import gain_of_bfloat16

    return settle_dtype(config, "cpu", gain_of_bfloat16, resume=resume)


def samples_elsewhere(config: RunConfig) -> bool:
    """Whether another engine samples than the one that trains, or older weights."""
    return (
        config.verl.mode != "sync"
        or rollout_engine(config, cpu=versions.on_cpu()) != "transformers"
    )


def remarks(config: RunConfig, start: Command) -> list[str]:
    """Return what the user should know before it surprises."""
    found = list(inert_parts(config.recipe, config.sampling.group_size))
    if samples_elsewhere(config):
        found.append(sampler_remark(config.recipe))
    if config.verl.mode != "sync":
        found.append(
            f"verl.mode = {config.verl.mode!r}: responses train up to {config.verl.max_age}"
            " updates late: `age` in rollouts.jsonl, age_mean and age_max in metrics.jsonl"
        )
    return found


def unrecorded(config: RunConfig, folder: RunFolder, step: int) -> list[str]:
    """Return what the user should know of the records of the step that a run goes on from."""
    from rewardkit_verl.launcher.checkpoint import missing_records

    missing = missing_records(config, folder, step) if step else []
    return [f"of step {step}, from which the run goes on, this is missing: {m}" for m in missing]


def stopped(folder: RunFolder) -> str:
    """Say how to go on after Ctrl-C, or after an error that can be mended."""
    from rewardkit_verl.launcher.checkpoint import resumable_step

    step = resumable_step(folder)
    where = f"from its checkpoint of step {step}" if step else "from the start: no checkpoint yet"
    return (
        f"stopped; continue {where}, with: rewardkit train --resume {folder.typed} --backend verl"
    )
