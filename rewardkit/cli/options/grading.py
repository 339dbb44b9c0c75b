"""What grades, where it reads the answer, and which columns of a file are read."""

from __future__ import annotations

from dataclasses import dataclass

from tyro.conf import UseAppendAction

from rewardkit.cli.options.pairs import pairs_of
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.types import Verifier
from rewardkit.verifiers.options import checked


@dataclass(frozen=True)
class Reading:
    """What grades an evaluation, and where it reads the answer.

    Attributes:
        verifier: a registered name, or package.module:attribute.
        answer_in: where alone the answer is read, in the place of what the task declares: box,
            tag, tag:NAME, marker or last_line; several make a choice.
        lenient: read any response for its answer, whatever the task declares.
    """

    verifier: Unset[str] = None
    answer_in: UseAppendAction[tuple[str, ...]] = ()
    lenient: bool = False

    def places(self) -> tuple[str, ...]:
        """Return where alone the answer is read.

        Raises:
            ConfigError: no such place, or a place beside `--lenient`.
        """
        if self.lenient and self.answer_in:
            raise ConfigError(
                "--lenient reads an answer anywhere, and --answer-in in one place alone; give one"
            )
        return checked(self.answer_in)


@dataclass(frozen=True)
class Grader:
    """What grades.

    Attributes:
        verifier: a registered name, a task's, or `package.module:attribute`.
        verifier_options: KEY=VALUE that it is made with, such as correct_from=0.9, or of a list
            'when=["no_answer:open"]'.
        deadline: wall-clock seconds that one verdict may take.
    """

    verifier: str = "math"
    verifier_options: UseAppendAction[tuple[str, ...]] = ()
    deadline: float = 10.0

    def options(self) -> dict[str, object]:
        """Return what the verifier is made with."""
        return pairs_of("--verifier-options", self.verifier_options)

    def made(self) -> Verifier:
        """Return the verifier.

        Raises:
            UnknownNameError: no verifier or task of that name.
            ConfigError: it can be no verifier, or takes no such options.
        """
        if self.verifier.endswith(".toml"):
            raise ConfigError(
                f"{self.verifier} is the file of a run, and a verifier is asked for: type what its "
                "[task] names, such as --verifier math --verifier-options answer_in=tag"
            )
        from rewardkit.integrations.grading import verifier_of
        from rewardkit.verifiers import load_verifier

        options = self.options()
        return load_verifier(self.verifier, **options) if options else verifier_of(self.verifier)


@dataclass(frozen=True)
class Columns:
    """The columns of a file of responses.

    Attributes:
        gold: the column of gold answers.
        response: the column of responses: texts, or chats.
    """

    gold: str = "gold"
    response: str = "response"


@dataclass(frozen=True)
class FileGrader(Grader, Columns):
    """What grades, and the columns of the file.

    Attributes:
        workers: how many verifier processes at most; by default one a core.
    """

    workers: Unset[int] = None
