"""Grade the last program of a response by its row's unit tests."""

from __future__ import annotations

import json
import re
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.types import Gold, Outcome, Verdict
from rewardkit.verifiers.format.thoughts import without_thoughts
from rewardkit_tasks.code.programs import CLOSED, OPEN, Limits, Ran, protection, run_program
from rewardkit_tasks.code.unit_tests import Asserts, Dialogue, read_tests

_FENCED = re.compile(r"^[ \t]*```(?:python|py|python3)?[ \t]*\n(.*?)^[ \t]*```", re.S | re.M | re.I)
_HARNESS = """\
import json, sys
solution, test, done = json.load(sys.stdin)
names = {"__name__": "solution"}
exec(compile(solution, "solution.py", "exec"), names)
exec(compile(test, "tests.py", "exec"), names)
print("\\n" + done)
"""
"""It says a word at the end that changes each time: to leave early is not to pass."""


@dataclass(frozen=True, slots=True)
class CodeVerifier:
    """Run the last fenced Python program of a response against the column `tests`.

    CORRECT when all tests pass; the score is the share that does. A program that takes too much
    CPU time or memory is wrong; only the clock, which may be the machine's fault, is a TIMEOUT.

    Args:
        run_programs: must be True: this runs, on this machine, what a model wrote.
        limits: what each run of a program may use.
        jail: `limits` runs programs where the system gives neither namespaces nor seccomp with
            Landlock, too: with what your user may, your other processes' memory included.

    Raises:
        ConfigError: `run_programs` is not said, or no program can be run here.
    """

    run_programs: bool = False
    limits: Limits = field(default_factory=Limits)
    jail: str = ""

    def __post_init__(self) -> None:
        if self.run_programs is not True:
            raise ConfigError(
                "grading code runs what a model wrote on this machine; read in docs/tasks.md what "
                "the jail does not protect from, then say run_programs=true: --set "
                "task.args.run_programs=true, of a verifier that is named --set "
                "task.verifier_options.run_programs=true"
            )
        if self.jail not in ("", OPEN):
            raise ConfigError(f'jail is "{OPEN}" or not said, found {self.jail!r}')
        if protection() not in CLOSED and self.jail != OPEN:
            raise ConfigError(
                "here a program would have your files and the memory of your other processes, "
                "since the system gives neither namespaces nor seccomp with Landlock. Run "
                f'rewardkit where it does, or say jail="{OPEN}" beside run_programs, in the same '
                "way"
            )

    def __call__(self, response: str, answer: Gold, tests: Any) -> Verdict:
        """Return the verdict on one response."""
        started = time.perf_counter()
        source = program_in(response)
        outcome, score, reason = self._grade(source, tests)
        seconds = time.perf_counter() - started
        shown = source[:2000] if source else None
        return Verdict(outcome, shown, "", "code", reason[:300], seconds, score)

    def warm(self) -> None:
        """Find out once for all workers how programs are run here."""
        protection()

    def _grade(self, source: str | None, column: Any) -> tuple[Outcome, float, str]:
        try:
            tests = read_tests(column)
        except ValueError as error:
            return Outcome.BAD_GOLD, 0.0, str(error)
        if source is None:
            return Outcome.NO_ANSWER, 0.0, "no ```python program``` in the response"
        passed, first = 0, ""
        for number, test in enumerate(tests, start=1):
            ran, trouble = self._run(source, test)
            if ran.undecided:
                return ran.undecided, 0.0, f"test {number} of {len(tests)}: {ran.trouble}"
            passed += not trouble
            first = first or (trouble and f"test {number} of {len(tests)}: {trouble}")
            if ran.trouble and ran.exhausted:
                break  # the others would take as long, one after the other
        if passed == len(tests):
            return Outcome.CORRECT, 1.0, f"passes all of {len(tests)} tests"
        return Outcome.INCORRECT, passed / len(tests), first

    def _run(self, source: str, test: Dialogue | Asserts) -> tuple[Ran, str]:
        """Return how a test went, and what is wrong, if anything."""
        if isinstance(test, Dialogue):
            ran = run_program(source, test.given, self.limits)
            if ran.trouble or _lines(ran.output) == _lines(test.wanted):
                return ran, ran.trouble
            return ran, f"it prints {_short(ran.output)}, expected {_short(test.wanted)}"
        done = secrets.token_hex(16)
        ran = run_program(_HARNESS, json.dumps([source, test.code, done]), self.limits)
        if ran.trouble or _lines(ran.output)[-1:] == [done]:
            return ran, ran.trouble
        return ran, "it leaves before the tests end"


def program_in(response: str) -> str | None:
    """Return the last fenced Python program outside the thoughts, None without any.

    >>> program_in("So:\\n```python\\nprint(1)\\n```\\nThis prints 1.")
    'print(1)\\n'
    """
    found = _FENCED.findall(without_thoughts(response))
    return found[-1] if found else None


def _lines(text: str) -> list[str]:
    """Return the lines without white space at their ends and at the end of all."""
    return [line.rstrip() for line in text.rstrip().split("\n")]


def _short(text: str) -> str:
    return repr(text.strip() if len(text) < 60 else text.strip()[:60] + " ...")
