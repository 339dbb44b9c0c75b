"""`rewardkit eval`: measure a checkpoint on held-out problems, and say how sure the number is."""

from __future__ import annotations

import json as json_module
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tyro

from rewardkit.errors import ConfigError, ModelError


def evaluate(
    *,
    model: str | None = None,
    task: str = "aime24,aime25,aime26",
    samples: int = 16,
    run_dir: Path | None = None,
    engine: str = "transformers",
    max_tokens: int | None = None,
    temperature: float | None = None,
    top_p: float | None = None,
    top_k: int | None = None,
    seed: int = 0,
    limit: int | None = None,
    task_args: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    base_url: str | None = None,
    api_key_env: str = "OPENAI_API_KEY",
    concurrency: int = 16,
    timeout: float = 600.0,
    retries: int = 8,
    batch_rows: int = 64,
    dtype: str = "auto",
    chat_template: Path | None = None,
    workers: int | None = None,
    regrade: bool = False,
    from_responses: Path | None = None,
    verifier: str = "math",
    sweep: Path | None = None,
    problems: bool = False,
    json: bool = False,
    report: bool = True,
) -> None:
    """Sample a model on one or several tasks, and print and write what it is worth.

    Killed at any moment, the same command draws only what is missing. Asking for more samples
    tops up.

    Args:
        model: a folder, checkpoint, run folder or Hugging Face id, or the name a server knows.
        task: comma-separated task names, file:PATH, or NAME=PATH for a local copy of a known set.
        samples: how many responses to draw for each problem.
        run_dir: where samples, results and report go; by default eval-runs/MODEL.
        engine: transformers, fast, vllm or openai.
        max_tokens: the longest response; by default what the model's generation_config says.
        temperature: by default what the model's generation_config says, else 1.
        top_p: by default what the model's generation_config says, else 1.
        top_k: by default what the model's generation_config says, else 0, which keeps all.
        seed: another seed draws other samples.
        limit: only the first problems of each set.
        task_args: KEY=VALUE settings of the task, such as difficulty=3 for `generated`.
        base_url: the server of the openai engine, such as http://localhost:8000/v1.
        api_key_env: the environment variable that holds the server's key.
        concurrency: how many requests the openai engine keeps open.
        timeout: seconds that the openai engine waits for one answer.
        retries: how often the openai engine tries again.
        batch_rows: how many responses the transformers and fast engines draw at once.
        dtype: float32 or bfloat16; auto is what a run trained in; for other models bfloat16 on
            a GPU and float32 elsewhere.
        chat_template: a Jinja file, for a model that has no chat template of its own.
        workers: how many verifier processes at most.
        regrade: verify the stored responses of the run folder anew; loads no model.
        from_responses: grade a JSONL file of rows problem_id, gold, response (and correct).
        verifier: what grades --from-responses; elsewhere the task's own does.
        sweep: a run folder whose checkpoints are evaluated one after the other.
        problems: print one line a problem for sets of more than 30 problems, too.
        json: print one JSON object instead of tables.
        report: write report.html (needs jinja2).
    """
    from rich.console import Console

    console = Console(stderr=json)
    if from_responses is not None:
        _from_responses(from_responses, verifier, workers, console, json)
        return
    from rewardkit.evaluation.engines import Decoding, EngineOptions
    from rewardkit.evaluation.session import EvalSettings

    if regrade:
        if run_dir is None and model is None:
            raise ConfigError("--regrade needs --run-dir, or the --model whose default it is")
        folder = run_dir or Path("eval-runs") / slug(str(model))
        results = _regrade(folder, workers, console, show_problems=problems, write_report=report)
        if json:
            _print_json(results)
        return
    if (model is None) == (sweep is None):
        raise ConfigError("give --model, or --sweep RUN, or --from-responses FILE")
    name = model or str(sweep)
    settings = EvalSettings(
        model=name,
        tasks=split_tasks(task),
        run_dir=run_dir or Path("eval-runs") / slug(name),
        samples=samples,
        seed=seed,
        limit=limit,
        engine=engine,
        decoding=Decoding(max_tokens, temperature, top_p, top_k),
        options=EngineOptions(
            base_url, api_key_env, concurrency, timeout, retries, batch_rows, dtype, chat_template
        ),
        task_arguments=parse_arguments(task_args),
        workers=workers,
    )
    if sweep is not None:
        from rewardkit.evaluation.sweep import print_sweep, sweep_run

        found = sweep_run(sweep, settings, console)
        _print_json(found) if json else print_sweep(found, console)
        return
    results = _measure(settings, console, show_problems=problems, write_report=report)
    if json:
        _print_json(results)


def _measure(
    settings: Any, console: Any, *, show_problems: bool, write_report: bool
) -> dict[str, Any]:
    from rich.console import Console

    from rewardkit.evaluation.display import LiveProgress
    from rewardkit.evaluation.session import evaluate_model

    try:
        with LiveProgress(Console(stderr=True), settings.model) as live:
            results, activity = evaluate_model(settings, progress=live)
    except KeyboardInterrupt:
        console.print("interrupted; what was drawn is kept, and the same command goes on")
        raise SystemExit(130) from None
    _show(settings.run_dir, results, activity, console, show_problems, write_report)
    if not any(row["samples"] for row in results["tasks"].values()):
        reason = next(iter(activity.failures), "no reason given")
        raise ModelError(f"not one response came: {reason}")
    return results


def _regrade(
    folder: Path, workers: int | None, console: Any, *, show_problems: bool, write_report: bool
) -> dict[str, Any]:
    from rewardkit.evaluation.session import regrade_run

    results, activity = regrade_run(folder, workers)
    _show(folder, results, activity, console, show_problems, write_report)
    console.print(f"regraded {activity.reused} responses; {activity.regraded} verdicts changed")
    return results


def _show(
    folder: Path,
    results: dict[str, Any],
    activity: Any,
    console: Any,
    show_problems: bool,
    write_report: bool,
) -> None:
    from rewardkit.evaluation.display import print_problems, print_results

    print_results(results, activity, console)
    print_problems(results, console, None if show_problems else 30)
    console.print(f"written to {folder}", soft_wrap=True, highlight=False, markup=False)
    if write_report:
        from rewardkit.evaluation.report import try_write_report

        try_write_report(folder, console)


def _from_responses(
    path: Path, verifier: str, workers: int | None, console: Any, as_json: bool
) -> None:
    from rewardkit.evaluation.display import percent, span
    from rewardkit.evaluation.responses import grade_file
    from rewardkit.verifiers import load_verifier

    found = grade_file(path, load_verifier(verifier), workers)
    if as_json:
        _print_json(found)
        return
    console.print(
        f"{found['n']} responses to {found['problems']} problems: {percent(found['accuracy'])} % "
        f"correct (these problems {span(found['interval_these_problems'])}, problems like these "
        f"{span(found['interval_new_problems'])})",
        highlight=False,
    )
    console.print({name: count for name, count in found["outcomes"].items() if count})
    if found["label_agreement"] is not None:
        console.print(
            f"agrees with {percent(found['label_agreement'])} % of {found['labelled']} labels",
            highlight=False,
        )
    for row in found["disagreements"][:10]:
        console.print(row)


def split_tasks(names: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list.

    >>> split_tasks("aime24, file:a.jsonl")
    ('aime24', 'file:a.jsonl')
    """
    return tuple(name.strip() for name in names.split(",") if name.strip())


def slug(name: str) -> str:
    """Return a model's name as one that a folder can have.

    >>> slug("models/smol 1")
    'models-smol-1'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "model"


def parse_arguments(pairs: Sequence[str]) -> dict[str, Any]:
    """Return KEY=VALUE settings; a value that reads as JSON (3, true) is taken as such.

    >>> parse_arguments(["difficulty=3", "templates=urn,ruin"])
    {'difficulty': 3, 'templates': 'urn,ruin'}
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise ConfigError(f"--task-args takes KEY=VALUE, found {pair!r}")
        try:
            found[key.replace("-", "_")] = json_module.loads(value)
        except ValueError:
            found[key.replace("-", "_")] = value
    return found


def _print_json(value: Any) -> None:
    sys.stdout.write(json_module.dumps(value, ensure_ascii=True) + "\n")
