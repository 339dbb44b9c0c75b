"""How a model is asked and sampled: one group of options, for every command that draws."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from tyro.conf import UseAppendAction

from rewardkit.cli.options.grading import Reading
from rewardkit.cli.options.pairs import pairs_of, split_names
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.evaluation.asking.limits import parse_lengths
from rewardkit.evaluation.asking.problems import refuse_code
from rewardkit.evaluation.asking.protocols import protocol_of
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.asking.trained import computed_as, drawn_as, is_run, task_of_run
from rewardkit.evaluation.engines.base import DecodingSettings, EngineOptions

OF_ARGS = "task.args."
"""What a `--set` begins with that is an argument of the task's factory."""
SAMPLES = 16
"""A problem, unless something says another number."""
PARTIAL = 3
"""The exit code where samples are missing: the same command draws them."""


@dataclass(frozen=True)
class Ask(Reading):
    """How a model is asked and sampled.

    Attributes:
        ask: a TOML file of these options, `samples = 8` for --samples 8; those of the command line
            have the last word.
        samples: the most samples a problem; by default the protocol's for each set, or 16.
        seed: another seed draws other samples.
        max_tokens: the longest response, such as 32768 or 32k; of a list, 2k,4k,8k, the longest is
            drawn, and the score told at each.
        limit: only the first problems of each set.
        set: task.KEY=VALUE of the section [task], such as task.args.difficulty=3.
        protocol: a published way of asking: matharena, deepseek-r1, qwen3 or qwen3-no-think; it
            says prompt, decoding and samples, and other flags have the last word.
        system_prompt: the first turn of every chat.
        prompt: a template for the last turn, with {question} or any column; \\boxed{{}} for a box.
        chat_template_kwargs: KEY=VALUE for the model's chat template: enable_thinking=false.
        grade_reasoning: grade what a server keeps apart as reasoning, together with the answer.
        price: of a million tokens of prompts and of responses, such as 0.15,0.6: what each right
            response cost is told in it.
        workers: how many verifier processes at most; by default one a core.
        trust: import the package.module:attribute that a run in the place of a task names.
        decoding: how responses are drawn; else the model's generation_config or the server says.
        engine: transformers, fast, vllm, openai, or package.module:attribute.
        extra_body: openai: KEY=VALUE that every request holds besides, such as min_p=0.05.
        engine_options: what single engines take; others refuse it.
    """

    ask: Unset[Path] = None
    samples: Unset[int] = None
    seed: int = 0
    max_tokens: Unset[str] = None
    limit: Unset[int] = None
    set: UseAppendAction[tuple[str, ...]] = ()
    protocol: Unset[str] = None
    system_prompt: Unset[str] = None
    prompt: Unset[str] = None
    chat_template_kwargs: UseAppendAction[tuple[str, ...]] = ()
    grade_reasoning: bool = False
    price: Unset[str] = None
    workers: Unset[int] = None
    trust: bool = False
    engine: str = "transformers"
    extra_body: UseAppendAction[tuple[str, ...]] = ()
    decoding: DecodingSettings = field(default_factory=DecodingSettings)
    engine_options: EngineOptions = field(default_factory=EngineOptions)

    def given(self, usual: Ask) -> list[str]:
        """Return the names of what was given besides `--ask`.

        >>> Ask(samples=3, decoding=DecodingSettings(top_k=4)).given(Ask())
        ['samples', 'top_k']
        """
        parts = [(self, usual)]
        parts += [(getattr(self, name), getattr(usual, name)) for name in NESTED]
        return [
            one.name
            for mine, theirs in parts
            for one in fields(mine)
            if one.name not in NESTED and getattr(mine, one.name) != getattr(theirs, one.name)
        ]

    def asking(self) -> Asking:
        """Return what an evaluation keeps of the way of asking.

        Raises:
            ConfigError: a pair that is none, no such place, or a place beside `--lenient`.
            UnknownNameError: no such protocol.
        """
        return Asking(
            protocol=self.protocol or "",
            system_prompt=self.system_prompt or "",
            prompt=self.prompt or "",
            chat_template_kwargs=pairs_of("--chat-template-kwargs", self.chat_template_kwargs),
            verifier=self.verifier or "",
            answer_in=self.places(),
            lenient=self.lenient,
            grade_reasoning=self.grade_reasoning,
        )


NESTED = {"decoding": DecodingSettings, "engine_options": EngineOptions}
"""Fields of the group that hold options themselves."""


def settings_of(
    model: str, run_dir: Path | None, task: str, ask: Ask, split: str = "test"
) -> EvalSettings:
    """Return the settings of an evaluation, by default into eval-runs/MODEL.

    A run of ours in the place of a task stands for what that run learned.

    Raises:
        ConfigError: an option that is impossible, or that the engine does not read.
    """
    asking = ask.asking()
    extra = pairs_of("--extra-body", ask.extra_body)
    lengths = parse_lengths(ask.max_tokens) if ask.max_tokens else ()
    longest = lengths[-1] if lengths else None
    decoding = replace(ask.decoding, extra_body=extra, max_tokens=longest, marks=lengths[:-1])
    samples = ask.samples
    if asking.protocol:
        protocol = protocol_of(asking.protocol)
        decoding = protocol.decoding(decoding)
        samples = protocol.samples if samples is None else samples
    tasks, (arguments, settings) = split_names(task), told_apart(ask.set)
    samples_of: dict[str, int] = {}
    if asking.protocol and ask.samples is None:
        names = {one.partition("=")[0] for one in tasks}
        samples_of = {k: n for k, n in protocol.samples_of.items() if k in names}
        if names == samples_of.keys():
            samples, samples_of = max(samples_of.values()), {}
    lines, options = list[str](), ask.engine_options
    if any(map(is_run, tasks)):
        if len(tasks) > 1:
            raise ConfigError(f"--task {task}: a run stands alone; evaluate each by itself")
        run = tasks[0]
        name, own, lines = task_of_run(run, asking, split)
        if not ask.trust:
            refuse_code((name,), own, lines, f"{run}/config.toml", Asking())
        tasks, arguments, decoding = (name,), own | arguments, drawn_as(run, decoding)
        options = computed_as(run, model, ask.engine, options)
    return EvalSettings(
        model=model,
        tasks=tasks,
        run_dir=run_dir or default_folder(model),
        samples=SAMPLES if samples is None else samples,
        samples_of=samples_of,
        seed=ask.seed,
        limit=ask.limit,
        engine=ask.engine,
        decoding=decoding,
        options=options,
        task_arguments=arguments,
        workers=ask.workers,
        task_settings=(*lines, *settings),
        asking=asking,
        split=split,
        price=price_of(ask.price) if ask.price else None,
        lengths=lengths if len(lengths) > 1 else (),
    )


def price_of(text: str) -> tuple[float, float]:
    """Return the price of a million tokens of prompts, and of responses.

    Raises:
        ConfigError: no two numbers of 0 or more.

    >>> price_of("0.15,0.6")
    (0.15, 0.6)
    """
    try:
        of_prompts, of_responses = map(float, text.split(","))
    except ValueError:
        of_prompts = of_responses = -1.0
    if not 0 <= min(of_prompts, of_responses) <= max(of_prompts, of_responses) < float("inf"):
        raise ConfigError(
            f"--price {text}: expected the price of a million tokens of prompts and of responses, "
            "such as --price 0.15,0.6"
        )
    return of_prompts, of_responses


def told_apart(settings: Sequence[str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the arguments of a task's factory, and the other settings of the task.

    >>> told_apart(["task.args.difficulty=3", "task.args.kinds=urn,ruin", "task.limit=5"])
    ({'difficulty': 3, 'kinds': 'urn,ruin'}, ('task.limit=5',))
    """
    arguments = [one.removeprefix(OF_ARGS) for one in settings if one.startswith(OF_ARGS)]
    found = {key.replace("-", "_"): value for key, value in pairs_of("--set", arguments).items()}
    return found, tuple(one for one in settings if not one.startswith(OF_ARGS))


def default_folder(model: str) -> Path:
    """Return where an evaluation of `model` goes unless another folder is named."""
    return Path("eval-runs") / slug(model)


def slug(name: str) -> str:
    """Return a model's name as one that a folder can have.

    >>> slug("models/smol 1")
    'models-smol-1'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "model"
