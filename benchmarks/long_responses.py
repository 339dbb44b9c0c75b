"""Time of one verdict on long reasoning, by how it ends and what it is written in.

    python benchmarks/long_responses.py --chars 400000

Every text is another one, so that nothing kept of one helps with the next. Printed are the median
and the slowest of fifteen, in milliseconds; the first three of each, which pay for patterns
compiled at their first use, are not timed.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

from rewardkit.verifiers import MathVerifier

WORDS = (
    "so we have that the sum of these two numbers is then equal to what was asked before, wait let"
    " me check $x+1=3$ again. Hmm, this gives 12 apples and 3 baskets."
)
SIGNS = (
    r"Step 1: we have $x_{1} < 3$ and \(\frac{a}{b}\) so [let me check] the Sum of a[i] is"
    r" \sqrt[3]{8} = 2 (wait) | so f: A -> B, and 3 > 2 hence \{1,2\}."
)
ENDS = (
    r"So the answer is \boxed{42}.",
    "<answer>42</answer>",
    "The final answer is 42.",
    "So she has 42 apples left.",
    "</think>\nSo she has 42 apples left.",
)
LINE, ROUNDS, UNTIMED = 40, 15, 3


def reasoning(words: str, chars: int, rng: random.Random) -> str:
    """Return so many characters of lines that are made of some words."""
    lines: list[str] = []
    several, size = words.split(), 0
    while size < chars:
        lines.append("And " + " ".join(rng.choices(several, k=LINE)) + ".\n")
        size += len(lines[-1])
    return "".join(lines)


def main() -> None:
    """Read the command line and time each ending behind both kinds of reasoning."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chars", type=int, default=400_000)
    chars = parser.parse_args().chars
    verifier, rng = MathVerifier(), random.Random(0)
    for name, words in (("words", WORDS), ("signs", SIGNS)):
        for end in ENDS:
            spent = []
            for _ in range(UNTIMED + ROUNDS):
                opened = "<think>" if "</think>" in end else ""
                response = opened + reasoning(words, chars, rng) + end
                started = time.process_time()
                verdict = verifier.quick(response, "42")
                spent.append(1e3 * (time.process_time() - started))
                if verdict is None or not verdict.correct:
                    raise SystemExit(f"the verdict on {end!r} is {verdict}")
            print(f"{name}  {end!r:40} {median(spent[UNTIMED:]):6.2f} {max(spent[UNTIMED:]):6.2f}")


if __name__ == "__main__":
    main()
