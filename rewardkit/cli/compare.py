"""`rewardkit compare`: is B better than A, on these problems and on problems like them?"""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import Annotated, Any

import tyro

QUESTIONS = (("these problems", "these_problems"), ("problems like these", "new_problems"))


def compare(
    a: Annotated[str, tyro.conf.Positional],
    b: Annotated[str, tyro.conf.Positional],
    *,
    task: str | None = None,
    sequential: bool = False,
    samples: int = 64,
    run_dir: Path = Path("eval-runs"),
    engine: str = "transformers",
    max_tokens: int | None = None,
    temperature: float | None = None,
    top_p: float | None = None,
    seed: int = 0,
    limit: int | None = None,
    base_url: str | None = None,
    concurrency: int = 16,
    json: bool = False,
    report: bool = True,
) -> None:
    """Compare two evaluations, problem by problem; with --sequential, evaluate as far as needed.

    Args:
        a: run folder of the first evaluation; with --sequential, the first model.
        b: run folder of the second evaluation; with --sequential, the second model.
        task: comma-separated sets to compare; by default all that both hold.
        sequential: draw from both models together, and stop as soon as the difference on these
            problems is shown (O'Brien-Fleming boundaries, 5 %) or `samples` are drawn.
        samples: with --sequential, the most samples a problem.
        run_dir: with --sequential, where the two evaluations go.
        engine: with --sequential, transformers, fast, vllm or openai.
        max_tokens: with --sequential, the longest response.
        temperature: with --sequential, as in rewardkit eval.
        top_p: with --sequential, as in rewardkit eval.
        seed: with --sequential, another seed draws other samples.
        limit: with --sequential, only the first problems of each set.
        base_url: with --sequential, the server of the openai engine.
        concurrency: with --sequential, how many requests the openai engine keeps open.
        json: print one JSON object instead of sentences.
        report: write comparison.html into B's run folder (needs jinja2).
    """
    from rich.console import Console

    from rewardkit.cli.eval import slug, split_tasks
    from rewardkit.errors import ConfigError
    from rewardkit.evaluation.comparison import compare_results
    from rewardkit.evaluation.session import load_results

    console = Console(stderr=json)
    named = split_tasks(task) if task else None
    # Results are filed under the task's own name: PATH's stem for file:PATH, NAME for NAME=PATH.
    tasks = tuple(_set_name(name) for name in named) if named else None
    stop: dict[str, Any] | None = None
    folders = [Path(a), Path(b)]
    if sequential:
        from rewardkit.evaluation.engines import Decoding, EngineOptions
        from rewardkit.evaluation.sequential_run import draw_until_shown
        from rewardkit.evaluation.session import EvalSettings

        if not named:
            raise ConfigError("--sequential needs --task")
        folders = [run_dir / f"{slug(a)}-a", run_dir / f"{slug(b)}-b"]
        settings = [
            EvalSettings(
                model=name,
                tasks=named,
                run_dir=folder,
                samples=samples,
                seed=seed,
                limit=limit,
                engine=engine,
                decoding=Decoding(max_tokens, temperature, top_p),
                options=EngineOptions(base_url=base_url, concurrency=concurrency),
            )
            for name, folder in zip((a, b), folders, strict=True)
        ]
        stop = draw_until_shown(settings[0], settings[1], console)
        tasks = None
    found = compare_results(load_results(folders[0]), load_results(folders[1]), tasks)
    if stop is not None:
        found["sequential"] = stop
    if report:
        from rewardkit.evaluation.report import try_write_comparison

        # A results.json may be named itself; the page goes beside it.
        beside = folders[1] if folders[1].is_dir() else folders[1].parent
        try_write_comparison(found, beside, Console(stderr=True))
    if json:
        sys.stdout.write(json_module.dumps(found, ensure_ascii=True) + "\n")
    else:
        _print(found, console)


def _set_name(task: str) -> str:
    return Path(task.removeprefix("file:")).stem if task.startswith("file:") else task.split("=")[0]


def _print(found: dict[str, Any], console: Any) -> None:
    from rich.markup import escape
    from rich.table import Table

    from rewardkit.evaluation.display import percent

    console.print(f"A: {escape(found['a'])}\nB: {escape(found['b'])}", soft_wrap=True)
    for line in found["differences"]:
        console.print(f"NOTE not only the model differs: {escape(line)}", soft_wrap=True)
    for name, row in found["sets"].items():
        table = Table(title=escape(name), title_justify="left")
        for heading in ("question", "gain", "95 %", "p", "p (Holm)", "detectable", "test"):
            table.add_column(heading)
        for label, key in QUESTIONS:
            finding = row[key]
            table.add_row(
                label,
                f"{100 * finding['gain']:+.1f}",
                f"{100 * finding['low']:.1f} to {100 * finding['high']:.1f}",
                f"{finding['p']:.3g}",
                f"{finding['p_holm']:.3g}",
                percent(finding["detectable"]),
                finding["test"],
            )
        console.print(table)
        console.print(
            f"A {100 * row['accuracy_a']:.1f} %, B {100 * row['accuracy_b']:.1f} %. "
            f"{row['verdict']}",
            soft_wrap=True,
            highlight=False,
        )
    if "sequential" in found:
        console.print(found["sequential"]["sentence"], soft_wrap=True, highlight=False)
