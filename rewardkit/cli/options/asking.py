"""The options that say how a model is asked, and how they become `Asking`."""

from __future__ import annotations

from dataclasses import dataclass

from tyro.conf import UseAppendAction

from rewardkit.cli.options.pairs import pairs_of
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.verifiers.options import checked


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
        answer_in: where alone the answer is read, in the place of what the task declares: box,
            tag, tag:NAME, marker or last_line; several make a choice.
        lenient: read any response for its answer, whatever the task declares.
        grade_reasoning: grade what a server keeps apart as reasoning, together with the answer.
    """

    protocol: Unset[str] = None
    system_prompt: Unset[str] = None
    prompt: Unset[str] = None
    chat_template_kwargs: UseAppendAction[tuple[str, ...]] = ()
    extra_body: UseAppendAction[tuple[str, ...]] = ()
    verifier: Unset[str] = None
    answer_in: UseAppendAction[tuple[str, ...]] = ()
    lenient: bool = False
    grade_reasoning: bool = False

    def asking(self) -> Asking:
        """Return what an evaluation keeps of them.

        Raises:
            ConfigError: a pair that is none, no such place, or a place beside `--lenient`.
            UnknownNameError: no such protocol.
        """
        if self.lenient and self.answer_in:
            raise ConfigError(
                "--lenient reads an answer anywhere, and --answer-in in one place alone; give one"
            )
        return Asking(
            protocol=self.protocol or "",
            system_prompt=self.system_prompt or "",
            prompt=self.prompt or "",
            chat_template_kwargs=pairs_of("--chat-template-kwargs", self.chat_template_kwargs),
            verifier=self.verifier or "",
            answer_in=checked(self.answer_in),
            lenient=self.lenient,
            grade_reasoning=self.grade_reasoning,
        )
