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
from rewardkit.cli.options.pairs import pairs_of
from rewardkit.cli.printing import print_json
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError, MissingExtraError, UnknownNameError
from rewardkit.pages.console import Console

if TYPE_CHECKING:
    from rewardkit.audit.findings import Findings

MARK = "model-text-was-run"


@dataclass(frozen=True)
class Material:
    """Whose golds are asked, and which responses are graded besides.

    Attributes:
        task: whose golds are used; by default those of the responses.
        reference: the column that holds a right response; by default the task's, else the answer.
        responses: rows of gold, response and, where there are, label; .jsonl, .csv or .parquet.
        gold: the column of gold answers in that file.
        response: the column of responses in that file.
        run: a run folder, whose recorded responses are graded as well.
        second: a second verifier beside it on responses, such as math_verify or judge.
        set: task.KEY=VALUE of the section [task], such as task.args.difficulty=3.
    """

    task: Unset[str] = None
    reference: str = ""
    responses: Unset[Path] = None
    gold: str = "gold"
    response: str = "response"
    run: Unset[Path] = None
    second: Unset[str] = None
    set: tyro.conf.UseAppendAction[tuple[str, ...]] = ()


@dataclass(frozen=True)
class Manner:
    """How it is asked.

    Attributes:
        problems: how many golds at most; the kinds of golds take turns.
        form: where answers stand, box, tag, sentence, hashes, bare or a text with ANSWER in it, in
            which {column} is a column's; by default the form in which most golds are accepted.
        accepted_from: the score that counts as accepted where the outcome is not CORRECT; 1 for a
            verifier whose partial credit is meant.
        seconds: CPU seconds that one verdict may take.
        workers: how many worker processes at most.
    """

    problems: int = 48
    form: Unset[str] = None
    accepted_from: float = 0.5
    seconds: float = 2.0
    workers: int = 1


@dataclass(frozen=True)
class Allowed:
    """How much may be found; beyond it the command exits with 1.

    Attributes:
        false_accepts: how many wrong responses may be accepted.
        own_golds: how many golds may not be accepted as they stand; all (--problems), where golds
            are no answers.
        writings: the share of equivalent writings that may be rejected.
        faults: how many kinds of faults the program may have.
        strategies: how many strategies that know no answer may pay more than the best guess.
        fail_on: threats that count: golds, writings, mutated, hedges, empty, format, truncated,
            strategies, hangs, code, raises, context; once for each, by default all.
    """

    false_accepts: int = 0
    own_golds: int = 0
    writings: float = 1.0
    faults: int = 0
    strategies: int = 0
    fail_on: tyro.conf.UseAppendAction[tuple[str, ...]] = ()


def audit(
    verifier: tyro.conf.Positional[str],
    *,
    verifier_options: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    material: Material = Material(),
    manner: Manner = Manner(),
    allowed: Allowed = Allowed(),
    out: Unset[Path] = None,
    json: bool = False,
    report: bool = True,
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
        material: whose golds are asked, and which responses are graded besides.
        manner: how it is asked.
        allowed: how much may be found; beyond it the command exits with 1.
        out: the folder for audit.json, rows.jsonl and audit.html; by default audits/VERIFIER.
        json: print audit.json on one line instead of a summary.
        report: write audit.html (needs jinja2).
    """
    _refuse_what_cannot_apply(verifier, material, manner)
    name = " ".join((verifier, *verifier_options))
    folder = out or Path("audits") / re.sub(r"[^\w.-]+", "-", name)
    with Console(stderr=True).status(f"asking {name}"):
        findings = _found(verifier, verifier_options, material, manner, allowed, folder)
    from rewardkit.audit.page import write_files

    said, console = write_files(findings), Console(stderr=json)
    if json:
        print_json(said)
    else:
        _print(said, console)
    _write_page(said, folder, console, report)
    if findings.beyond:
        raise SystemExit(1)


def _found(
    verifier: str,
    options: Sequence[str],
    material: Material,
    manner: Manner,
    allowed: Allowed,
    folder: Path,
) -> Findings:
    from rewardkit.audit.audit import THREATS, Bounds, audit_verifier
    from rewardkit.audit.findings import Findings, Subject
    from rewardkit.audit.probing import Limits
    from rewardkit.audit.responses import answered
    from rewardkit.audit.sources import from_rows, from_task, read_stored
    from rewardkit.files import make_folder
    from rewardkit.verifiers import as_verifier, load_verifier
    from rewardkit.verifiers.declaration import FIELD, answer_in_of, reads_answers, with_answer_in

    found = load_verifier(verifier, **pairs_of("--verifier-options", options))
    second = None if material.second is None else load_verifier(material.second)
    rows = read_stored(material.responses, material.run, material.gold, material.response)
    stored = str(material.responses or material.run)
    if material.task is None:
        source = from_rows(stored, rows, material.reference, material.run)
    else:
        source = from_task(material.task, *told_apart(material.set), material.reference)
    if source.answer_in and reads_answers(found) and not answer_in_of(found):
        found = as_verifier(with_answer_in(found, source.answer_in))
        options = (*options, f"{FIELD}={to_json(source.answer_in)}")
    if unknown := [one for one in allowed.fail_on if one not in THREATS]:
        raise UnknownNameError("threat", unknown[0], THREATS)
    make_folder(folder)  # programs in responses try to write there
    audited = audit_verifier(
        found,
        source.problems,
        most=manner.problems,
        form=manner.form,
        accepted_from=manner.accepted_from,
        prompt_of=source.prompt_of,
        right_of=source.right_of,
        declared=answer_in_of(found),
        limits=Limits(manner.seconds, workers=manner.workers),
        mark=folder.resolve() / MARK,
    )
    command = _command(verifier, options, material, manner)
    return Findings(
        Subject(verifier, source.name, folder, command, options, material.gold, material.response),
        audited,
        Bounds(**{name: n for name, n in asdict(allowed).items() if name != "fail_on"}),
        allowed.fail_on or THREATS,
        answered(rows, found, second, manner.workers),
        material.second,
        None if (cost := getattr(second, "cost", None)) is None else asdict(cost),
    )


def _refuse_what_cannot_apply(verifier: str, material: Material, manner: Manner) -> None:
    if grading := [one for one in material.set if one.startswith("task.verifier")]:
        raise ConfigError(
            f"--set {grading[0]} has no effect: what is audited is {verifier}, which is named "
            "first; what it is made with is --verifier-options KEY=VALUE"
        )
    if material.task is None and material.responses is None and material.run is None:
        raise ConfigError(
            "whose golds? Name a task, --task gsm8k, or give --responses FILE or --run FOLDER"
        )
    if material.task is None and material.set:
        raise ConfigError(
            f"{material.set[0]} is a setting of a task; name the task, --task file:PATH"
        )
    for flag in ("gold", "response"):
        if getattr(material, flag) != getattr(Material, flag) and material.responses is None:
            raise ConfigError(f"--{flag} names a column of responses: give --responses FILE")
    if material.second is not None and material.responses is None and material.run is None:
        raise ConfigError("--second grades responses beside it: give --responses FILE or --run RUN")
    if manner.problems < 1:
        raise ConfigError(f"--problems must be at least 1, found {manner.problems}")
    if manner.form is not None and manner.form not in FORMS and "ANSWER" not in manner.form:
        raise ConfigError(
            f"--form {manner.form!r} has no ANSWER in it and is none of {', '.join(FORMS)}"
        )


def _command(verifier: str, options: Sequence[str], material: Material, manner: Manner) -> str:
    given = [("--verifier-options", one) for one in options]
    given += [
        (f"--{name.replace('_', '-')}", str(value))
        for part in (material, manner)
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


def _write_page(found: Mapping[str, Any], folder: Path, console: Console, report: bool) -> None:
    from rewardkit.audit.page import write_audit_page

    where = f"{folder}/audit.json"
    if report:
        try:
            where = str(write_audit_page(found, folder))
        except MissingExtraError as error:
            console.print(f"no audit.html: {error}", soft_wrap=True, highlight=False, markup=False)
    console.print(f"written to {where}", soft_wrap=True, highlight=False, markup=False)
