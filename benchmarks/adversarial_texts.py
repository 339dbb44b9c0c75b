"""How the time of a verdict grows on texts made to be slow: patterns repeated from 1 kB to 4 MB.

    python -m benchmarks.adversarial_texts [--texts 500] [--largest 4000000]

For each verifier and way of reading: the steepest growth (the exponent of a power law fitted to the
times from 64 kB on, of texts that take over 5 ms), the slowest verdict, and the text that made it.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Iterator

from rewardkit.types import Verdict
from rewardkit.verifiers import (
    ChoiceVerifier,
    IntegerVerifier,
    MathVerifier,
    NumericVerifier,
    TextVerifier,
)

PIECES = (
    "\\boxed{", "}", "{", "\\fbox", "\\boxed", "$", "$$", "\\[", "\\]", "\\(", "\\\\", "\\",
    "####", "#", "answer", "Answer:", "<", ">", "<answer>", "</answer>", "</think>", "<think>",
    ".", "?", "!", ",", ":", "=", "-", "*", "**", "_", "^", "(", ")", "[", "]", "/", "|", "```",
    "\"", "'", "%", "1", "12", "3.5", "1,000", "1/2", "x", "A", "(B)", "a", "0", "答案", "：", "。",
    "é", "<|im_end|>", "~~", "∞", "\\frac{", "\\text{", "\\sqrt", "the answer is ", "\nQ:\n",
    "\nQuestion 5:", "\n", "\n\n", " ", "\t", ". ", " = ", "a ", "So ", "is ", "not ", "and ",
    "or ", "if ", "in ", "yes ", "I hope", "123 ", "a, ",
)  # fmt: skip
VERIFIERS: dict[str, tuple[Callable[..., Verdict], str]] = {
    "math, lenient": (MathVerifier(), "12"),
    "math, lenient, expression": (MathVerifier(), "x^2+1"),
    "math, lenient, words": (MathVerifier(), "an ellipse"),
    "math, lenient, option": (MathVerifier(), "B"),
    "math, lenient, pair": (MathVerifier(), "3, 5"),
    "math, declared": (MathVerifier(answer_in=("box", "tag", "marker", "last_line")), "12"),
    "integer": (IntegerVerifier(), "12"),
    "numeric": (NumericVerifier(), "12 m"),
    "choice": (ChoiceVerifier(), "B"),
    "text": (TextVerifier(), "an ellipse"),
}
SIZES = (1_000, 16_000, 64_000, 256_000, 1_000_000, 4_000_000)


def texts(count: int, seed: int = 0) -> Iterator[tuple[str, str, str]]:
    """Yield a beginning, what is repeated, and an end: each piece alone first, then mixtures."""
    chance = random.Random(seed)
    for k in range(count):
        repeated = (
            PIECES[k]
            if k < len(PIECES)
            else "".join(chance.choices(PIECES, k=chance.randint(2, 4)))
        )
        yield (
            chance.choice(("", "So 12", *PIECES[:12])),
            repeated,
            chance.choice(("", " 12", *PIECES)),
        )


def seconds(verifier: Callable[..., Verdict], response: str, gold: str) -> float:
    """Return the CPU time of the faster of two verdicts."""
    found = []
    for _ in range(2):
        start = time.process_time()
        verifier(response, gold)
        found.append(time.process_time() - start)
        if found[0] > 1:
            break
    return min(found)


def exponent(sizes: list[int], times: list[float]) -> float:
    """Return the slope of the times over the sizes, both as logarithms, by least squares."""
    xs, ys = [math.log(size) for size in sizes], [math.log(max(t, 1e-6)) for t in times]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )


def main() -> None:
    """Print a line for each verifier."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=500)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    sizes = [size for size in SIZES if size <= args.largest]
    for name, (verifier, gold) in VERIFIERS.items():
        if args.only not in name:
            continue
        steepest, slowest = (0.0, ""), (0.0, "")
        for before, repeated, behind in texts(args.texts):
            times = []
            for size in sizes:
                # Of at most this size: of what is longer than the longest, the end alone is read.
                times_repeated = (size - len(before) - len(behind)) // len(repeated)
                response = before + repeated * times_repeated + behind
                times.append(seconds(verifier, response, gold))
                if times[-1] > 2:
                    break
            measured = [(s, t) for s, t in zip(sizes, times, strict=False) if s >= 64_000]
            shown = f"{(before, repeated, behind)} {' '.join(f'{t:.4f}' for t in times)}"
            slowest = max(slowest, (max(times), shown))
            if len(measured) > 1 and measured[-1][1] > 0.005:
                steepest = max(steepest, (exponent(*map(list, zip(*measured, strict=True))), shown))
        print(f"{name}: exponent at most {steepest[0]:.2f} {steepest[1]}")
        print(f"    slowest {slowest[0]:.3f} s {slowest[1]}")


if __name__ == "__main__":
    main()
