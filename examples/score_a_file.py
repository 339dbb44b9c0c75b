"""Grade a file of responses in killable workers, and say why each got its verdict.

python examples/score_a_file.py responses.jsonl     (rows: {"response": ..., "gold": ...})
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from rewardkit.verifiers import MathVerifier, VerifierPool


def main(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    counts: Counter[str] = Counter()
    with VerifierPool(MathVerifier(), workers=2, deadline_s=5) as pool:
        verdicts = pool.verify((row["response"], row["gold"]) for row in rows)
        for row, verdict in zip(rows, verdicts, strict=True):
            counts[verdict.outcome] += 1
            print(f"{verdict.outcome:<10} gold {row['gold']:<12} {verdict.reason}")
    print({outcome.value: count for outcome, count in counts.items()})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("responses", type=Path)
    file = parser.parse_args().responses
    if not file.is_file():
        parser.error(f"no file {file}")
    main(file)
