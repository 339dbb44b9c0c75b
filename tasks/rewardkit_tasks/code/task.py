"""The tasks: programs by the unit tests of their rows, and MBPP."""

from __future__ import annotations

from rewardkit.data.rows import Row
from rewardkit.errors import DataError
from rewardkit.tasks import PromptTemplate
from rewardkit.types import Task
from rewardkit_tasks.code.programs import Limits, protection
from rewardkit_tasks.code.unit_tests import read_tests
from rewardkit_tasks.code.verifier import CodeVerifier
from rewardkit_tasks.sets.hub_set import HubSet, Read, SetProblems, Where, text

PROMPT = "{question}\n\nWrite the whole program in one ```python block."
ANSWERS = ("solution", "answer", "code")
REMARKS = {
    "alone": "programs run without network, writable files or a view of other processes",
    "filtered": "NO NAMESPACES HERE: programs run without network and signals, but read your files",
    "seen": "NO JAIL HERE: programs run without network, with your files and other processes",
    "limits": "NO JAIL HERE: programs run under limits only, with network, signals and your files",
}


def code(
    path: str,
    train: str | None = None,
    run_programs: bool = False,
    prompt: str = PROMPT,
    cpu_s: int = 4,
    memory_mb: int = 512,
    jail: str = "",
) -> Task:
    """Return rows of one's own with unit tests.

    Args:
        path: rows to test on: `question` (or problem, prompt) and `tests`; a reference `solution`
            is optional.
        train: rows to train on.
        run_programs: must be true: programs of the model run on this machine.
        prompt: a template with {question}.
        cpu_s: CPU seconds that a program may take.
        memory_mb: MiB that a program may allocate.
        jail: `limits`, to run programs where the system gives no jail.

    Raises:
        ConfigError: `run_programs` is not true, or no program can be run here.
        DataError: at the first look, for a row that cannot be used.
    """
    own = HubSet("code", hub="", revision="", licence="that of the rows", read=read)
    limits = Limits(cpu_s=cpu_s, memory_mb=memory_mb)
    return Task(
        name="code",
        train=SetProblems(own, train) if train else (),
        test=SetProblems(own, path, split="test"),
        messages=PromptTemplate(prompt),
        verifier=CodeVerifier(run_programs, limits, jail),
        source=path,
        licence=own.licence,
        remarks=(REMARKS[protection()],),
    )


def mbpp(path: str | None = None, run_programs: bool = False, jail: str = "") -> Task:
    """Return MBPP: 374 short programs to train on and 500 to test on, by three asserts each.

    Args:
        path: a local copy: a folder with files named train and test.
        run_programs: must be true: programs of the model run on this machine.
        jail: `limits`, to run programs where the system gives no jail.

    Raises:
        ConfigError: `run_programs` is not true, or no program can be run here.
        DataError: at the first look, for a row that cannot be used, or a hub out of reach.
    """
    verifier = CodeVerifier(run_programs, jail=jail)
    return Task(
        name="mbpp",
        train=SetProblems(MBPP, path),
        test=SetProblems(MBPP, path, split="test"),
        messages=PromptTemplate(PROMPT),
        verifier=verifier,
        source=MBPP.reference if path is None else path,
        licence=MBPP.licence,
        remarks=(REMARKS[protection()],),
    )


def read(row: Row, where: Where) -> Read:
    """A question, its unit tests in any of their forms, a reference solution if there is one."""
    question = text(row, ("question", "problem", "prompt", "text"), where)
    tests = row.get("tests")
    try:
        read_tests(tests)
    except ValueError as error:
        raise DataError(f"{where()}: {error}") from error
    solution = _response(text(row, ANSWERS, where)) if any(map(row.get, ANSWERS)) else ""
    return Read(question, solution, {"tests": tests}, str(row.get("id", "")))


def read_mbpp(row: Row, where: Where) -> Read:
    """The asserts are shown, since they say what the function is called."""
    asserts = row.get("test_list")
    if not isinstance(asserts, list) or not asserts:
        raise DataError(f"{where()}: field 'test_list' must be a list of asserts")
    setup = str(row.get("test_setup_code") or "")
    tests = [f"{setup}\n{test}" if setup else test for test in asserts]
    question = f"{text(row, ('text', 'prompt'), where)}\nYour code must pass:\n" + "\n".join(
        asserts
    )
    identity = str(row.get("task_id", ""))
    return Read(question, _response(text(row, ("code",), where)), {"tests": tests}, identity)


def _response(solution: str) -> str:
    """Return a solution as a response would give it, so that `rewardkit tasks check` can try it."""
    return solution if "```" in solution else f"```python\n{solution}\n```"


MBPP = HubSet(
    "mbpp",
    hub="google-research-datasets/mbpp",
    revision="4bb6404fdc6cacfda99d4ac4205087b89d32030c",
    config="full",
    licence="CC-BY-4.0",
    read=read_mbpp,
)
