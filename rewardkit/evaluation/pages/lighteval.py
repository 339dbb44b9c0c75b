"""The samples of an evaluation as lighteval's details: a parquet file a set, a row a problem.

Columns and places are those of lighteval 0.13.0 (`logging/evaluation_tracker.py`): `doc`,
`metric` and `model_response`, in details/MODEL/DATE/details_TASK|0_DATE.parquet. What reads
lighteval's details reads these, `lighteval --load-responses-from-details-date-id` among them.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.engines.recorded import PROMPTS_FILE
from rewardkit.evaluation.samples import Sample
from rewardkit.evaluation.stored import load_results
from rewardkit.files import read_json
from rewardkit.types import UNDECIDED


def to_lighteval(folder: Path) -> str:
    """Write lighteval/details/... into the run folder, and return where.

    Raises:
        DataError: the folder holds no results, or no samples.
    """
    import pyarrow
    import pyarrow.parquet

    results, samples = load_results(folder), read_samples(folder)
    prompts = read_json(folder / PROMPTS_FILE)["prompts"]
    date = datetime.datetime.now().isoformat().replace(":", "-")
    place = folder / "lighteval" / "details" / results["model"].strip("/") / date
    place.mkdir(parents=True)
    for name, row in results["sets"].items():
        task = name.replace("/", "_")
        rows = [
            detail_of(task, problem, prompts.get(problem["chat_hash"], ""), samples)
            for problem in row["per_problem"]
        ]
        table = pyarrow.Table.from_pylist(rows)
        pyarrow.parquet.write_table(table, place / f"details_{task}|0_{date}.parquet")
    return str(place)


def detail_of(
    task: str, problem: Mapping[str, Any], prompt: str, samples: Mapping[str, Sample]
) -> dict[str, Any]:
    """Return the row of one problem; without a sample its lists are empty."""
    drawn = [samples[one["key"]] for one in problem["samples"] if one["key"] in samples]
    graded = [sample.score for sample in drawn if sample.outcome not in UNDECIDED]
    return {
        "doc": {
            "choices": [problem["gold"]],
            "gold_index": 0,
            "id": problem["id"],
            "num_samples": len(drawn),
            "query": prompt,
            "sampling_methods": ["GENERATIVE"],
            "task_name": f"{task}|0",
        },
        "metric": {
            f"avg@n:n={len(problem['samples']) + problem['missing']}": problem["rate"],
            "rewardkit_score": sum(graded) / len(graded) if graded else None,
        },
        "model_response": {
            "input": prompt,
            "reasonings": [sample.reasoning or None for sample in drawn],
            "text": [sample.response.encode("utf-8", "replace").decode() for sample in drawn],
            "truncated_tokens_count": 0,
        },
    }
