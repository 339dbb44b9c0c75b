"""`rewardkit curate rate` and `merge`: how often models solve each problem of a task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from rewardkit.cli.options.asking import PARTIAL, Ask, settings_of, slug
from rewardkit.cli.printing import interruptible
from rewardkit.errors import ConfigError, ModelError
from rewardkit.pages.console import Console

if TYPE_CHECKING:
    from rewardkit.curation.rating import Shard
    from rewardkit.curation.ratings import Rating
    from rewardkit.evaluation.asking.settings import EvalSettings


def rate(
    models: tyro.conf.Positional[tuple[str, ...]],
    *,
    task: str,
    out: Path,
    split: str = "train",
    shard: str = "1/1",
    run_dir: Path = Path("rate-runs"),
    ask: Ask = Ask(),
) -> None:
    """Sample models on every problem of a split, and write how often each problem is solved.

    The table has the counts right, wrong, undecided and truncated, the posterior mean of the solve
    rate and its 95 % interval; as .jsonl it is a sampler's prior. Killed at any moment, the same
    command draws only what is missing; more samples top up. Where responses never came, the table
    holds what there is, and it exits with 3. `rewardkit curate merge` makes one table of several,
    `rewardkit curate` keeps a band of it.

    Args:
        models: folders, checkpoints, Hugging Face ids, or names that a server knows.
        task: the task, file:PATH or hf:OWNER/NAME whose problems are rated.
        out: the .jsonl or .parquet file to write.
        split: train, test, or one of the task's further sets.
        shard: N/M: only every M-th problem, from the N-th on.
        run_dir: where the samples are kept, in a folder a model and shard.
        ask: how the models are asked and sampled.
    """
    if not models:
        raise ConfigError("name a model: rewardkit curate rate MODEL --task TASK --out TABLE.jsonl")
    from rewardkit.curation.files import check_out, write_ratings
    from rewardkit.curation.rating import Shard

    check_out(out, Path(task.removeprefix("file:")))
    part = Shard.parse(shard)
    console = Console()
    tables, missing = [], 0
    for model in models:
        name = slug(model) + ("" if part.of == 1 else f"-{part.number}-of-{part.of}")
        folder = run_dir / name
        settings = settings_of(model, folder, task, ask)
        ratings, failed = _rated(settings, split, part, console)
        missing += failed
        tables.append(folder / "ratings.jsonl")
        write_ratings(tables[-1], ratings)
    write_merged(tables, out, console)
    if missing:
        console.print(f"PARTIAL: {missing} samples are missing; the same command draws them")
        raise SystemExit(PARTIAL)


def _rated(
    settings: EvalSettings, split: str, part: Shard, console: Console
) -> tuple[list[Rating], int]:
    """Return the ratings by one model, and how many samples of it never came."""
    from rewardkit.curation.rating import rate_model
    from rewardkit.evaluation.drawing.progress import LiveProgress

    with interruptible(console), LiveProgress(Console(stderr=True), settings.model) as live:
        ratings, activity = rate_model(settings, split, part, progress=live)
    if activity.failures and not activity.drawn + activity.reused:
        raise ModelError(f"not one response came: {next(iter(activity.failures))}")
    console.print(
        f"{settings.model}: {len(ratings)} problems, {activity.drawn} samples drawn, "
        f"{activity.reused} kept, {activity.failures.total()} failed",
        highlight=False,
        markup=False,
    )
    return ratings, activity.failures.total()


def merge(tables: tyro.conf.Positional[tuple[Path, ...]], *, out: Path) -> None:
    """Make one table of several: of shards, or of models on the same problems.

    Args:
        tables: what `rewardkit curate rate` wrote.
        out: the .jsonl or .parquet file to write.
    """
    if not tables:
        raise ConfigError("name tables: rewardkit curate merge A.jsonl B.jsonl --out ALL.jsonl")
    write_merged(tables, out, Console())


def write_merged(tables: list[Path] | tuple[Path, ...], out: Path, console: Console) -> None:
    """Write several tables as one, and print what is in it."""
    from rewardkit.curation.files import check_out, read_ratings, write_ratings

    check_out(out)
    ratings = read_ratings(tables)
    write_ratings(out, ratings)
    counts = [rating.counts() for rating in ratings]
    never = sum(not one.right and one.wrong > 0 for one in counts)
    always = sum(not one.wrong and one.right > 0 for one in counts)
    console.print(
        f"{len(ratings)} problems: {never} never solved, {always} always, "
        f"{len(ratings) - never - always} between; written to {out}",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
