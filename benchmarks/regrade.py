"""The same responses graded by us, by lm-eval and by lighteval: how often, and where they part.

    rewardkit eval --model MODEL --task gsm8k --limit 100 --samples 4 --run-dir RUN
    python benchmarks/regrade.py RUN --peers PYTHON

RUN may also be what `rewardkit eval responses FILE --run-dir RUN` wrote. PYTHON has lm-eval and
lighteval beside it. lm-eval's two filters of gsm8k are those of its own task file; lighteval's is
the metric of its gsm8k task. Each pair of graders that part is listed with how many responses, and
with the ends of some.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from itertools import combinations
from pathlib import Path

from rewardkit.evaluation.pages.export import sample_rows
from rewardkit.types import Outcome

PEERS = r"""
import json, sys
from pathlib import Path
import lm_eval, yaml
from lm_eval.api.metrics import exact_match_hf_evaluate
from lm_eval.filters.extraction import RegexFilter
from lighteval.metrics.metrics import Metrics
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc

rows = json.load(sys.stdin)
task = yaml.safe_load((Path(lm_eval.__file__).parent / "tasks/gsm8k/gsm8k.yaml").read_text())
[metric] = task["metric_list"]
options = ("ignore_case", "ignore_punctuation", "regexes_to_ignore")
options = {name: metric[name] for name in options}
found = {}
for each in task["filter_list"]:
    options_of = {k: v for k, v in each["filter"][0].items() if k != "function"}
    texts = RegexFilter(**options_of).apply([[row["response"]] for row in rows], rows)
    found["lm-eval " + each["name"]] = [
        bool(exact_match_hf_evaluate([text[0]], [f"#### {row['gold']}"], **options)["exact_match"])
        for text, row in zip(texts, rows)
    ]
grade = Metrics.expr_gold_metric.value.sample_level_fn
found["lighteval expr_gold_metric"] = [
    bool(grade.compute(doc=Doc(query="", choices=[row["gold"]], gold_index=0),
                       model_response=ModelResponse(text=[row["response"]])))
    for row in rows
]
json.dump(found, sys.stdout)
"""


def main() -> None:
    """Print the share that each grader counts as right, and where two of them part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, help="what `rewardkit eval` wrote")
    parser.add_argument("--peers", required=True, help="a Python with lm-eval and lighteval")
    parser.add_argument("--shown", type=int, default=3, help="responses of each kind")
    options = parser.parse_args()
    graded = options.run / "graded.jsonl"
    if graded.exists():
        rows = [json.loads(line) for line in graded.read_text(encoding="utf-8").splitlines()]
    else:
        rows = [dict(row) for row in sample_rows(options.run)]
    told = subprocess.run(
        [options.peers, "-W", "ignore", "-c", PEERS],
        input=json.dumps([{name: row[name] for name in ("response", "gold")} for row in rows]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    found: dict[str, list[bool]] = {"rewardkit": [r["outcome"] == Outcome.CORRECT for r in rows]}
    found |= json.loads(told.splitlines()[-1])
    for name, verdicts in found.items():
        print(f"{name:<28} {100 * sum(verdicts) / len(rows):5.1f} % of {len(rows)}")
    for one, other in combinations(found, 2):
        for right, wrong in ((one, other), (other, one)):
            parted = [
                row
                for row, yes, no in zip(rows, found[right], found[wrong], strict=True)
                if yes and not no
            ]
            if not parted:
                continue
            print(f"\nright for {right}, wrong for {wrong}: {len(parted)}")
            for row in parted[: options.shown]:
                end = " ".join(row["response"].split())[-100:]
                print(f"  gold {row['gold']}; ours: {row['outcome']}, {row['method']}; ...{end}")


if __name__ == "__main__":
    main()
