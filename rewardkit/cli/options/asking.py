"""The options that say how a model is asked, and how they become `Asking`."""

from __future__ import annotations

from dataclasses import dataclass

from tyro.conf import UseAppendAction

from rewardkit.cli.options.pairs import pairs_of
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.flags import Unset


@dataclass(frozen=True)
class AskingFlags:
    """How the model is asked, and what grades, in the place of what the task says.

    Attributes:
        protocol: a published way of asking: matharena, deepseek-r1, qwen3 or qwen3-no-think; it
            says prompt, decoding and samples, and other flags have the last word.
        system_prompt: the first turn of every chat.
        prompt: a template for the last turn, with {question} or any column; \\boxed{{}} for a box.
        chat_template_kwargs: KEY=VALUE for the model's chat template: enable_thinking=false.
        extra_body: openai: KEY=VALUE that every request holds besides, such as min_p=0.05.
        verifier: a registered name, or package.module:attribute.
        grade_reasoning: grade what a server keeps apart as reasoning, together with the answer.
    """

    protocol: Unset[str] = None
    system_prompt: Unset[str] = None
    prompt: Unset[str] = None
    chat_template_kwargs: UseAppendAction[tuple[str, ...]] = ()
    extra_body: UseAppendAction[tuple[str, ...]] = ()
    verifier: Unset[str] = None
    grade_reasoning: bool = False

    def asking(self) -> Asking:
        """Return what an evaluation keeps of them.

        Raises:
            ConfigError: a pair that is none.
            UnknownNameError: no such protocol.
        """
        return Asking(
            protocol=self.protocol or "",
            system_prompt=self.system_prompt or "",
            prompt=self.prompt or "",
            chat_template_kwargs=pairs_of("--chat-template-kwargs", self.chat_template_kwargs),
            verifier=self.verifier or "",
            grade_reasoning=self.grade_reasoning,
        )
