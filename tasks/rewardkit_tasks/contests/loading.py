"""Fetch a contest set at its pinned revision, or read a local copy, and check it against hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from rewardkit.data.hub import commit_of, reach_hub, read_hub
from rewardkit.data.rows import Row
from rewardkit.errors import DataError
from rewardkit.tasks import PromptTemplate, check_integer_gold, read_problems
from rewardkit.types import Problem, Task
from rewardkit_tasks.contests.contest import Contest

MOVING = (
    "the revision is not pinned: no commit of this dataset could be confirmed, so the newest is "
    "read, and results name the commit that it was"
)
SHARED = (
    ("apex_2025", "smt_2025", 3),
    ("apex_shortlist", "hmmt_feb_2025", 2),
    ("apex_shortlist", "aime25", 2),
    ("apex_shortlist", "brumo_2025", 1),
    ("aime1983_2023", "math500", 7),
)
"""Two sets, and how many problems stand in both; Apex's by github.com/scitix/sieval/pull/73."""
PINS = Path(__file__).parent / "pins.json"


def load_contest(contest: Contest, path: str | None = None) -> Task:
    """Return the set from the hub, or from a local copy.

    Raises:
        DataError: the hub cannot be reached, a row cannot be used, or an answer disagrees with the
            pinned hash of the answer key.
        MissingExtraError: the hub is asked for and `datasets` is not installed.
    """
    from rewardkit.verifiers import IntegerVerifier, MathVerifier

    if path:
        source, problems = f"file:{path}", read_problems(Path(path))
    else:
        revision = contest.revision if contest.pinned else newest_commit(contest)
        source = f"{contest.hub}@{revision}"
        problems = problems_of(contest, fetch_rows(contest, revision))
    problems = [_tidy(problem, contest, source) for problem in problems]
    if not path and contest.size is not None and len(problems) != contest.size:
        raise DataError(
            f"{contest.name}: {source} holds {len(problems)} problems, expected {contest.size}"
        )
    check_answers(contest.name, problems, source)
    return Task(
        name=contest.name,
        train=(),
        test=problems,
        messages=PromptTemplate(contest.prompt),
        verifier=IntegerVerifier(0, 999, answer_in="box")
        if contest.integer
        else MathVerifier(answer_in="box"),
        source=source,
        licence=contest.licence,
        remarks=remarks(contest, problems),
    )


def remarks(contest: Contest, problems: Sequence[Problem]) -> tuple[str, ...]:
    """Return the known defects, and what makes scores hard to compare with others' scores."""
    # A local copy may share them, so they are said of the copy that is known to have them.
    found = [f"known of {contest.hub}: {defect}" for defect in contest.defects]
    if not contest.pinned:
        found.insert(0, MOVING)
    for one, two, count in SHARED:
        if contest.name in (one, two):
            other_set = two if contest.name == one else one
            found.append(
                f"problems that stand in {other_set} too: {count}; do not add up both scores, "
                "nor train on one to test on the other"
            )
    if problems and contest.size not in (None, len(problems)):
        found.append(
            f"{len(problems)} of {contest.size} problems: a score on them is none on {contest.name}"
        )
    other = unpinned(contest.name, problems) if contest.name in _pins() else []
    if other:
        names = ", ".join(other[:5]) + (" and others" if len(other) > 5 else "")
        found.append(
            f"{len(other)} of {len(problems)} statements are not worded as in the pinned copy "
            f"({names}): their answers cannot be checked, and scores compare on the same wording "
            "only"
        )
    return tuple(found)


def newest_commit(contest: Contest) -> str:
    """Return the commit that a moving revision stands for today, so that results can name it.

    Raises:
        DataError: the hub does not tell; says which local form to use.
    """
    away = reach_hub()
    found = commit_of(contest.hub, contest.revision)
    if found is None or found == contest.revision:
        reason = away or f"it tells no commit of {contest.revision}"
        error = DataError(f"hf:{contest.hub}: asked in vain for its newest commit ({reason})")
        raise with_local_form(error, contest)
    return found


def with_local_form(error: DataError, contest: Contest) -> DataError:
    """Return the error of a hub that does not give a set, with what is known without it."""
    size = "" if contest.size is None else f"; problems: {contest.size}"
    for note in (
        "With a local copy, one JSON object with problem and answer a line: "
        f"--task {contest.name}=PATH.jsonl",
        f"source: {contest.hub}@{contest.revision}; licence: {contest.licence}{size}",
        *remarks(contest, ()),
    ):
        error.add_note(note)
    return error


def fetch_rows(contest: Contest, revision: str) -> Iterable[Row]:
    """Return the dataset's rows at a revision.

    Raises:
        DataError: they cannot be had from the hub; says which local form to use.
        MissingExtraError: `datasets` is not installed.
    """
    try:
        return read_hub(contest.hub, contest.config, revision, contest.split).each()
    except DataError as error:
        raise with_local_form(error, contest) from error.__cause__


def problems_of(contest: Contest, rows: Iterable[Row]) -> list[Problem]:
    """Turn the dataset's rows into problems by the contest's column map.

    Raises:
        DataError: a column is missing, or an answer is empty.
    """
    problems = []
    for number, row in enumerate(rows, start=1):
        where = f"{contest.hub} row {number}"
        columns = [c for c in (contest.question, contest.answer, contest.identity) if c]
        missing = [column for column in columns if row.get(column) is None]
        if missing:
            raise DataError(f"{where}: no column {missing[0]!r}; found {', '.join(row)}")
        if contest.keep and not contest.keep(row):
            continue
        answer = row[contest.answer]
        if isinstance(answer, (list, tuple)):
            answer = ", ".join(map(str, answer))
        identity = str(row[contest.identity]) if contest.identity else str(number)
        problems.append(
            Problem(f"{contest.name}-{identity}", str(row[contest.question]), str(answer))
        )
    return problems


def check_answers(name: str, problems: Sequence[Problem], source: str) -> None:
    """Compare each answer with the pinned hash for its text.

    A text that is not pinned is another version of the statement, which is common and no error;
    a pinned text with another answer is one.

    Raises:
        DataError: names the problems whose answers disagree.
    """
    pinned = _pins().get(name, {})
    wrong = [
        problem.id
        for problem in problems
        if pinned.get(statement_hash(problem.question))
        not in (None, answer_hash(problem.question, problem.answer))
    ]
    if wrong:
        raise DataError(
            f"{name}: the answer key of {source} disagrees with the pinned hash for "
            f"{', '.join(wrong[:5])}{' and others' if len(wrong) > 5 else ''}; "
            "use another copy, or file:PATH if the change is meant"
        )


def unpinned(name: str, problems: Sequence[Problem]) -> list[str]:
    """Return the ids of problems whose statement is not, word for word, the pinned one."""
    pinned = _pins().get(name, {})
    return [p.id for p in problems if statement_hash(p.question) not in pinned]


def pinned_statements() -> dict[str, str]:
    """Return the hash of every pinned statement, and the name of its set."""
    return {hashed: name for name, pinned in _pins().items() for hashed in pinned}


def statement_hash(question: str) -> str:
    """Return the hash of a statement, blind to how its white space is laid out."""
    return hashlib.sha256(" ".join(question.split()).encode()).hexdigest()[:16]


def answer_hash(question: str, answer: str) -> str:
    """Return the hash of a statement together with its answer, so that it gives away neither."""
    text = f"{statement_hash(question)}\n{_plain_integer(answer)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain_integer(answer: str) -> str:
    """Return 25 for 025, 25.0 and `\\boxed{25}`, and any other answer as it is."""
    text = answer.strip().removeprefix("$").removesuffix("$")
    if text.startswith("\\boxed{") and text.endswith("}"):
        text = text[len("\\boxed{") : -1]
    if text.endswith(".0"):
        text = text[:-2]
    return str(int(text)) if text.isascii() and text.isdigit() else text


def _tidy(problem: Problem, contest: Contest, source: str) -> Problem:
    if not contest.integer:
        return Problem(problem.id, problem.question, problem.answer, contest.name)
    tidy = Problem(problem.id, problem.question, _plain_integer(problem.answer), contest.name)
    check_integer_gold(tidy, f"{source}: problem {problem.id!r}")
    return tidy


@cache
def _pins() -> dict[str, dict[str, str | None]]:
    pins: dict[str, dict[str, str | None]] = json.loads(PINS.read_text(encoding="utf-8"))
    return pins
