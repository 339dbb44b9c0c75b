"""A task with a verifier of one's own, and training on it.

python examples/custom_task.py [--model MODEL] [--steps N]
"""

import argparse

import rewardkit as rk


def parity(response: str, answer: str) -> rk.Verdict:
    """Grade by the last word; that both words occur somewhere must not count."""
    words = [word.strip(".,!*").lower() for word in response.split()]
    said = [word for word in words if word in ("even", "odd")]
    if not said:
        return rk.Verdict(rk.Outcome.NO_ANSWER, gold=answer, reason="neither even nor odd")
    outcome = rk.Outcome.CORRECT if said[-1] == answer else rk.Outcome.INCORRECT
    return rk.Verdict(outcome, extracted=said[-1], gold=answer, method="last word")


@rk.register_task("parity")
def parity_task() -> rk.Task:
    """Is a number even or odd?"""
    problems = [
        rk.Problem(str(n), f"Is {n} even or odd? Answer with one word.", ("even", "odd")[n % 2])
        for n in range(10, 100)
    ]
    return rk.Task(
        name="parity",
        train=[p for p in problems if int(p.id) % 3],
        test=[p for p in problems if int(p.id) % 3 == 0],
        messages=lambda problem: [{"role": "user", "content": problem.question}],
        verifier=parity,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--folder", default="runs/custom-task")
    arguments = parser.parse_args()
    rk.train(
        folder=arguments.folder,
        steps=arguments.steps,
        task="parity",
        recipe="grpo",
        model=arguments.model,
        sampling={"max_tokens": 16},
        optim={"lr": 1e-5},
    )
