"""tinker-cookbook: a `ProblemEnv` whose answer is graded.

Env = verdict_env("math", answer_in="box")
builder = ProblemGroupBuilder(partial(Env, question, answer, renderer), num_envs=8)
"""

from __future__ import annotations

from typing import Any

from rewardkit.integrations.grading import Grader, Target, decided
from rewardkit.verifiers.format.found import NOT_DECLARED


def verdict_env(target: Target, **grading: Any) -> Any:
    """Return a subclass of `ProblemEnv`, made with a question, its gold answer and a renderer.

    The format holds where the answer stands where it is declared. An undecided response raises;
    `grading` is for the `Grader`.
    """
    from tinker_cookbook.renderers import get_text_content
    from tinker_cookbook.rl.problem_env import ProblemEnv

    grader = Grader(target, **grading)

    class VerdictEnv(ProblemEnv):  # type: ignore[misc]
        def __init__(self, question: str, answer: Any, renderer: Any, **settings: Any) -> None:
            super().__init__(renderer, **settings)
            self.question, self.answer = question, answer

        def get_question(self) -> str:
            return self.question

        def get_reference_answer(self) -> str:
            return str(self.answer)

        def check_answer(self, sample_str: str) -> float:
            return self.verdict.score

        def check_format(self, sample_str: str) -> bool:
            return self.verdict.method != NOT_DECLARED

        async def step(self, action: Any, **extra: Any) -> Any:
            text = get_text_content(self.renderer.parse_response(action)[0])
            row = {grader.gold: self.answer, "question": self.question}
            self.verdict = decided(await grader.atraining_verdict(text, row))
            return await super().step(action, **extra)

    return VerdictEnv
