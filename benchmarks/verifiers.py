"""Speed and accuracy of rewardkit's and math-verify's verdicts, side by side in one process.

    python benchmarks/verifiers.py --cases tests/cases/*.jsonl
    python benchmarks/verifiers.py --gsm8k model_solutions.jsonl
    python benchmarks/verifiers.py --math math500.jsonl
    python benchmarks/verifiers.py --poison

Speed is CPU time, so that it says little about what else the machine does; the ratio of the two
says less still. The rows of `--gsm8k` hold `gold`, `response` and `correct`, the response ending
in `A: <number>` (as openai/grade-school-math's example_model_solutions.jsonl). Those of
`--math` hold `answer` and `problem`, maybe `solution`: without one, a long text that quotes the
problem is made to end in the boxed answer, and in the answer of the next row as a wrong one.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path

from rewardkit.types import Verdict
from rewardkit.verifiers import MathVerifier, VerifierPool
from rewardkit.verifiers.cases import read_cases

POISONED = "0.1234567"
"""The gold of poisons."""
DEADLINE = 2.0
"""Seconds that one item of the poisoned pool may take."""
Pair = tuple[str, str, bool]
Grader = Callable[[str, str], bool]


def math_verify_grader() -> Grader:
    """Return math-verify's default parse and verify, its alarm set to five seconds as it ships."""
    from math_verify import parse, verify

    def grade(response: str, gold: str) -> bool:
        gold = gold if "$" in gold or "\\boxed" in gold else f"${gold}$"
        return bool(verify(parse(gold), parse(response)))

    return grade


def boxed(row: dict[str, str | bool]) -> Pair:
    """Return a GSM8K row with its answer in a box."""
    body, _, answer = str(row["response"]).rpartition("A:")
    return f"{body}\\boxed{{{answer.strip()}}}", str(row["gold"]), bool(row["correct"])


def math_pairs(rows: list[dict[str, str]]) -> list[Pair]:
    """Return each MATH row's gold with a response that ends in it, and one that does not."""
    pairs: list[Pair] = []
    for row, other in zip(rows, [*rows[1:], rows[0]], strict=True):
        gold = row["answer"]
        pairs.append((row.get("solution") or reasoning(row["problem"], gold), gold, True))
        pairs.append((reasoning(row["problem"], other["answer"]), gold, other["answer"] == gold))
    return pairs


def reasoning(problem: str, answer: str) -> str:
    """Return some 2,000 characters of text with formulas and numbers before a boxed answer."""
    steps = "\n".join(f"Step {k}: recall that {problem} We try $x = {k}$." for k in range(1, 9))
    return f"{steps[-2000:]}\nTherefore the answer is $\\boxed{{{answer}}}$."


GOOD = [
    (r"so \boxed{17}", "17"),
    (r"so \boxed{\frac{\sqrt2}{2}}", r"1/\sqrt2"),
    (r"so \boxed{\int_0^1 x^2 dx}", "1/3"),
]
"""Good answers of three kinds: integers, symbolic ones, and integrals, which need a worker."""
HANGING = [
    r"\boxed{\sum_{n=1}^\infty \frac{\sin n!}{n^{\sqrt n}}}",
    r"\boxed{\int_0^1 \frac{\sin(x^{x^x})}{\ln(1+x^{99})} dx}",
]
"""Poisons that keep a worker until it is killed."""
POISONS = [
    *HANGING[:1], r"\boxed{9^{9^{9^{9}}}}", r"\boxed{(10^9)!}",
    r"\boxed{\binom{10^9}{5\cdot10^8}}", r"\boxed{" + "(" * 100_000 + "1",
    r"\boxed{\int_0^9 \frac{\sin(x^x)}{x^{x^2}+1} dx}", "7" * 1_000_000,
    r"\boxed{" + r"\frac{1}{" * 2_000 + "}", "\x00" * 1_000,
    r"\boxed{\int e^{x^{x^x}} \sin(\cos x^{\pi}) dx}",
]  # fmt: skip


def timed(pool: VerifierPool, pairs: list[tuple[str, str]]) -> tuple[list[Verdict], float]:
    """Return all verdicts, and the seconds until the last good answer had its own."""
    ends: list[float] = []
    started = time.perf_counter()
    futures = []
    for response, gold in pairs:
        futures.append(pool.submit(response, gold))
        if gold != POISONED:
            futures[-1].add_done_callback(lambda _: ends.append(time.perf_counter()))
    verdicts = [future.result() for future in futures]
    return verdicts, max(ends) - started


def streamed(pool: VerifierPool, pairs: list[tuple[str, str]]) -> float:
    """Return the seconds until all verdicts have come out in order, the poisons' too."""
    started = time.perf_counter()
    for _ in pool.verify(pairs):
        pass
    return time.perf_counter() - started


def poison_ratio(good: int = 2_000, count: int = 10) -> None:
    """Print the pool's rate on good answers alone, and with poisons strewn among them."""
    alone = [GOOD[k % 3] for k in range(good)]
    for workers, (name, evil) in product((1, 2), (("mixed", POISONS), ("hanging", HANGING))):
        mixed = list(alone)
        for k in range(count):
            mixed.insert(k * (good // count + 1), (evil[k % len(evil)], POISONED))
        with VerifierPool(MathVerifier(), workers=workers, deadline_s=DEADLINE) as pool:
            list(pool.verify(alone[:12]))  # pay for the start
            _, before = timed(pool, alone)
            verdicts, after = timed(pool, mixed)
            in_order = streamed(pool, alone), streamed(pool, mixed)
        killed = [v for v, (_, gold) in zip(verdicts, mixed, strict=True) if gold == POISONED]
        longest = max(v.seconds for v in killed)
        right = sum(v.correct for v in verdicts)
        print(
            f"{workers} workers, {count} {name} poisons of {sum(v.seconds for v in killed):.1f} s "
            f"in all, the longest {longest:.2f} s of {DEADLINE} allowed: "
            f"{good / before:,.0f} good/s alone, {good / after:,.0f} among poisons, "
            f"{after / before:.2f} x slower; in order, to the last poison, {in_order[0]:.2f} s "
            f"alone, {in_order[1]:.2f} s; {right} of {good} right"
        )


def measure(grade: Grader, pairs: list[Pair]) -> tuple[float, float, int, int]:
    """Return pairs a CPU second, accuracy, false accepts and false rejects."""
    grade("\\boxed{1.5}", "\\frac{3}{2}")  # pay for the imports
    started = time.process_time()
    verdicts = [grade(response, gold) for response, gold, _ in pairs]
    spent = time.process_time() - started
    accepts = sum(v and not e for v, (_, _, e) in zip(verdicts, pairs, strict=True))
    rejects = sum(e and not v for v, (_, _, e) in zip(verdicts, pairs, strict=True))
    return len(pairs) / spent, 1 - (accepts + rejects) / len(pairs), accepts, rejects


def compare(name: str, pairs: list[Pair], slow_sample: int) -> None:
    """Print both graders' figures on the same pairs, and the ratio of their speeds."""
    verifier = MathVerifier()
    ours = measure(lambda r, g: verifier(r, g).correct, pairs)
    theirs = measure(math_verify_grader(), pairs[:: max(1, len(pairs) // slow_sample)])
    for who, (rate, accuracy, accepts, rejects) in (("rewardkit", ours), ("math-verify", theirs)):
        print(
            f"{name:<22} {who:<12} {rate:>9,.0f} pairs/s  {accuracy:7.2%}  "
            f"{accepts} false accepts, {rejects} false rejects"
        )
    print(f"{name:<22} ratio        {ours[0] / theirs[0]:>9,.1f} x")


def main() -> None:
    """Read the command line and compare on each file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", nargs="*", type=Path, default=[])
    parser.add_argument("--gsm8k", nargs="*", type=Path, default=[])
    parser.add_argument("--slow-sample", type=int, default=500, help="pairs given to math-verify")
    parser.add_argument("--math", nargs="*", type=Path, default=[])
    parser.add_argument("--poison", action="store_true", help="the pool's rate around poisons")
    options = parser.parse_args()
    if not (options.poison or options.math or options.gsm8k or options.cases):
        parser.print_help()
        parser.exit(2, "\nwhat is to be measured? Give one of --cases, --gsm8k, --math, --poison\n")
    warnings.filterwarnings("ignore")
    if options.poison:
        poison_ratio()
    for path in options.math:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        compare(path.stem[:22], math_pairs(rows), options.slow_sample)
    for path in options.gsm8k:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        compare(path.stem[:22], [boxed(row) for row in rows], options.slow_sample)
    for path in options.cases:
        cases = [case for case in read_cases(path) if not case.debatable]
        pairs = [(case.response, case.gold, case.expected) for case in cases]
        compare(path.stem, pairs, options.slow_sample)


if __name__ == "__main__":
    main()
