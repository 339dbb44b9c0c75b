"""`rewardkit audit`: what a verifier wrongly accepts and rejects, before it trains a model."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from json import dumps as to_json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tyro

from rewardkit.audit.probes.base import FORMS
from rewardkit.cli.options.asking import told_apart
from rewardkit.cli.options.grading import Columns
from rewardkit.cli.options.pairs import pairs_of
from rewardkit.cli.printing import print_json
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError, MissingExtraError, UnknownNameError
from rewardkit.pages.console import Console

if TYPE_CHECKING:
    from rewardkit.audit.audit import Bounds
    from rewardkit.audit.findings import Findings

MARK = "model-text-was-run"


ALLOWED = {
    "false_accepts": 0.0,
    "own_golds": 0.0,
    "strategies": 0.0,
    "faults": 0.0,
    "writings": 1.0,
    "score": 0.5,
    "seconds": 2.0,
    "memory": 2048.0,
}
"""What --allow sets, and what it is otherwise: counts, a share, a score, CPU seconds, MiB."""
OF_ROWS = "task.reference="
"""The one setting of a task that stored responses have as well."""


@dataclass(frozen=True)
class Material:
    """Whose golds are asked, how, and which responses are graded besides.

    Attributes:
        task: whose golds are used; by default those of the responses.
        set: task.KEY=VALUE of the section [task], such as task.args.difficulty=3; task.reference
            names the column that holds a right response.
        responses: rows of gold, response and, where there are, label (.jsonl, .csv or .parquet), or
            a run folder for what it recorded.
        second: a second verifier beside it on responses, such as math_verify or judge.
        problems: how many golds at most; the kinds of golds take turns.
        form: where answers stand, box, tag, sentence, hashes, bare or a text with ANSWER in it, in
            which {column} is a column's; by default the form in which most golds are accepted.
        allow: KEY=NUMBER, what may be found before it exits with 1: false_accepts, own_golds (all,
            where golds are no answers), strategies that pay more than the best guess, and faults,
            each 0 otherwise; writings, the share of equivalent ones that may be rejected (1). And
            what one verdict may be: score, below which what is wrong may be paid (.5; 1 for partial
            credit that is meant), and what it may take, seconds of CPU time (2) and MiB of memory
            (2048; a verifier that loads torch needs more).
        workers: how many worker processes at most.
    """

    task: Unset[str] = None
    set: tyro.conf.UseAppendAction[tuple[str, ...]] = ()
    responses: tyro.conf.UseAppendAction[tuple[Path, ...]] = ()
    second: Unset[str] = None
    problems: int = 48
    form: Unset[str] = None
    allow: tyro.conf.UseAppendAction[tuple[str, ...]] = ()
    workers: int = 1

    def allowed(self) -> dict[str, float]:
        """Return what may be found, and what one verdict may be.

        Raises:
            UnknownNameError, ConfigError: no such bound, or no number.
        """
        found = dict(ALLOWED)
        for key, value in pairs_of("--allow", self.allow).items():
            name = key.replace("-", "_")
            if name not in ALLOWED:
                raise UnknownNameError("bound", key, ALLOWED)
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise ConfigError(f"--allow {key} takes a number, found {value!r}")
            found[name] = value
        if not 0 < found["score"] <= 1:
            raise ConfigError(f"--allow score={found['score']}: a score in (0, 1] is expected")
        return found

    def stored(self) -> tuple[Path | None, Path | None]:
        """Return the file of responses and the folder of a run, each where it is given.

        Raises:
            ConfigError: two of one kind.
        """
        folders = [path for path in self.responses if not path.is_file()]
        files = [path for path in self.responses if path.is_file()]
        if len(folders) > 1 or len(files) > 1:
            raise ConfigError("--responses takes one file and one run folder at most")
        return next(iter(files), None), next(iter(folders), None)


def audit(
    verifier: tyro.conf.Positional[str],
    *,
    verifier_options: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    fail_on: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    out: Unset[Path] = None,
    json: bool = False,
    material: Material = Material(),
    columns: Columns = Columns(),
) -> None:
    """Ask a verifier what needs no model, and show what it gets wrong; exits with 1 beyond bounds.

    A verifier that says nothing of where it reads the answer reads it where the task declares it.
    Golds are asked against themselves, in other writings, and changed; then come empty responses,
    echoes, hedges, lists of all options, strategies that know no answer, answers where none is
    declared, cut responses, master keys, orders to the grader, programs, very long texts and what
    is made to hang. Each verdict is reached in a process that can be killed.

    Args:
        verifier: a registered name, `package.module:attribute`, or another project's grader:
            verl:NAME, trl:NAME, lighteval:NAME, inspect:NAME, openrlhf:NAME.
        verifier_options: KEY=VALUE that it is made with, such as correct_from=0.9.
        fail_on: threats that count: golds, writings, mutated, hedges, empty, format, truncated,
            strategies, hangs, code, raises, context; once for each, by default all.
        out: the folder for audit.json, rows.jsonl and audit.html; by default audits/VERIFIER.
        json: print audit.json on one line instead of a summary.
        material: whose golds are asked, how, and which responses are graded besides.
        columns: which columns of a file of responses are read.
    """
    _refuse_what_cannot_apply(verifier, material, columns)
    name = " ".join((verifier, *verifier_options))
    folder = out or Path("audits") / re.sub(r"[^\w.-]+", "-", name)
    with Console(stderr=True).status(f"asking {name}"):
        findings = _found(verifier, verifier_options, material, columns, fail_on, folder)
    from rewardkit.audit.page import write_files

    said, console = write_files(findings), Console(stderr=json)
    if json:
        print_json(said)
    else:
        _print(said, console)
    _write_page(said, folder, console)
    if findings.beyond:
        raise SystemExit(1)


def _found(
    verifier: str,
    options: Sequence[str],
    material: Material,
    columns: Columns,
    fail_on: Sequence[str],
    folder: Path,
) -> Findings:
    from rewardkit.audit.audit import THREATS, audit_verifier
    from rewardkit.audit.findings import Findings, Subject
    from rewardkit.audit.probing import Limits
    from rewardkit.audit.responses import answered
    from rewardkit.audit.sources import from_rows, from_task, read_stored
    from rewardkit.files import make_folder
    from rewardkit.verifiers import as_verifier, load_verifier
    from rewardkit.verifiers.declaration import FIELD, answer_in_of, reads_answers, with_answer_in

    allowed = material.allowed()
    found = load_verifier(verifier, **pairs_of("--verifier-options", options))
    second = None if material.second is None else load_verifier(material.second)
    file, run = material.stored()
    rows = read_stored(file, run, columns.gold, columns.response)
    if material.task is None:
        reference = "".join(one.removeprefix(OF_ROWS) for one in material.set)
        source = from_rows(str(file or run), rows, reference, run)
    else:
        source = from_task(material.task, *told_apart(material.set))
    if source.answer_in and reads_answers(found) and not answer_in_of(found):
        found = as_verifier(with_answer_in(found, source.answer_in))
        options = (*options, f"{FIELD}={to_json(source.answer_in)}")
    if unknown := [one for one in fail_on if one not in THREATS]:
        raise UnknownNameError("threat", unknown[0], THREATS)
    make_folder(folder)  # programs in responses try to write there
    audited = audit_verifier(
        found,
        source.problems,
        most=material.problems,
        form=material.form,
        accepted_from=allowed.pop("score"),
        prompt_of=source.prompt_of,
        right_of=source.right_of,
        declared=answer_in_of(found),
        limits=Limits(allowed.pop("seconds"), int(allowed.pop("memory")), material.workers),
        mark=folder.resolve() / MARK,
    )
    command = _command(verifier, options, material, columns)
    return Findings(
        Subject(verifier, source.name, folder, command, options, columns.gold, columns.response),
        audited,
        _bounds(allowed),
        tuple(fail_on) or THREATS,
        answered(rows, found, second, material.workers),
        material.second,
        None if (cost := getattr(second, "cost", None)) is None else asdict(cost),
    )


def _bounds(allowed: Mapping[str, float]) -> Bounds:
    from rewardkit.audit.audit import Bounds

    counts = {name: int(value) for name, value in allowed.items() if name != "writings"}
    return Bounds(**counts, writings=allowed["writings"])


def _refuse_what_cannot_apply(verifier: str, material: Material, columns: Columns) -> None:
    if grading := [one for one in material.set if one.startswith("task.verifier")]:
        raise ConfigError(
            f"--set {grading[0]} has no effect: what is audited is {verifier}, which is named "
            "first; what it is made with is --verifier-options KEY=VALUE"
        )
    if material.task is None and not material.responses:
        raise ConfigError(
            "whose golds? Name a task, --task gsm8k, or give --responses, a file or a run folder"
        )
    of_task = [one for one in material.set if not one.startswith(OF_ROWS)]
    if material.task is None and of_task:
        raise ConfigError(f"{of_task[0]} is a setting of a task; name the task, --task file:PATH")
    for flag in ("gold", "response"):
        if getattr(columns, flag) != getattr(Columns, flag) and material.stored()[0] is None:
            raise ConfigError(f"--{flag} names a column of responses: give --responses FILE")
    if material.second is not None and not material.responses:
        raise ConfigError("--second grades responses beside it: give --responses FILE or RUN")
    if material.problems < 1:
        raise ConfigError(f"--problems must be at least 1, found {material.problems}")
    form = material.form
    if form is not None and form not in FORMS and "ANSWER" not in form:
        raise ConfigError(f"--form {form!r} has no ANSWER in it and is none of {', '.join(FORMS)}")


def _command(verifier: str, options: Sequence[str], material: Material, columns: Columns) -> str:
    given = [("--verifier-options", one) for one in options]
    given += [
        (f"--{name.replace('_', '-')}", str(value))
        for part in (material, columns)
        for name, values in asdict(part).items()
        for value in (values if isinstance(values, tuple) else (values,))
        if value != getattr(type(part), name)
    ]
    words = [word for pair in given for word in pair]
    return shlex.join(["rewardkit", "audit", verifier, *words])


def _print(found: Mapping[str, Any], console: Console) -> None:
    from rewardkit.audit.summary import summary
    from rewardkit.evaluation.pages.display import plain

    for line in "\n".join(summary(found)).split("\n"):
        console.print(plain(line), soft_wrap=True, highlight=False, markup=False)


def _write_page(found: Mapping[str, Any], folder: Path, console: Console) -> None:
    from rewardkit.audit.page import write_audit_page

    try:
        where = str(write_audit_page(found, folder))
    except MissingExtraError as error:
        console.print(f"no audit.html: {error}", soft_wrap=True, highlight=False, markup=False)
        where = f"{folder}/audit.json"
    console.print(f"written to {where}", soft_wrap=True, highlight=False, markup=False)
