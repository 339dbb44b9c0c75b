"""Multiple choice: GPQA (arXiv 2311.12022) and MMLU-Pro (arXiv 2406.01574), options shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from rewardkit.data.rows import Row
from rewardkit.errors import ConfigError, DataError
from rewardkit.tasks import PromptTemplate
from rewardkit.types import Gold, Task, Verdict
from rewardkit.verifiers import ChoiceVerifier
from rewardkit_tasks.sets.hub_set import HubSet, Read, SetProblems, Where, kept, text

LETTERS = "ABCDEFGHIJ"
PROMPT = "{question}\n\nPut the letter of the right option within \\boxed{{}}."
SUBSETS = ("diamond", "main", "extended")
_WRONG = tuple(f"Incorrect Answer {number}" for number in (1, 2, 3))


@dataclass(frozen=True, slots=True)
class OptionsVerifier:
    r"""Grade a chosen letter, or the text of one of the options of the column `options`.

    >>> OptionsVerifier()(r"\boxed{\text{blue}}", "B", options=["red", "blue"]).correct
    True
    """

    answer_in: str | tuple[str, ...] = ()
    """Where the answer is declared to stand, as in `MathVerifier`; anywhere without it."""

    def __call__(self, response: str, answer: Gold, options: Sequence[str]) -> Verdict:
        """Return the verdict on one response."""
        letters = LETTERS[: len(options)]
        named = dict(zip(letters, options, strict=False))
        return ChoiceVerifier(letters, named, self.answer_in)(response, answer)

    quick = __call__


def gpqa(path: str | None = None, subset: str = "diamond", seed: int = 0) -> Task:
    """Return GPQA, a test of graduate-level science: four options, shuffled by the seed.

    Args:
        path: a local copy, such as gpqa_diamond.csv.
        subset: of the hub: diamond (198), main (448) or extended (546).
        seed: another seed gives each question another order of its options.

    Raises:
        ConfigError: no such subset.
        DataError: at the first look, for a row that cannot be used, or a hub out of reach.
    """
    if subset not in SUBSETS:
        raise ConfigError(f"subset of gpqa is one of {', '.join(SUBSETS)}, found {subset!r}")
    found = HubSet(
        "gpqa",
        hub="Idavidrein/gpqa",
        revision="633f5ee89ab8ad4522a9f850766b73f62147ffdd",
        config=f"gpqa_{subset}",
        licence="CC-BY-4.0",
        read=partial(read_gpqa, seed=seed),
        texts=("Question", "Correct Answer", *_WRONG),
        remarks=(
            "its authors ask that questions are not shown in the open: reports hold them",
            "the hub gives it to accounts that have accepted its terms",
        ),
    )
    return _test_of(found, SetProblems(found, path), path)


def mmlu_pro(path: str | None = None, seed: int = 0) -> Task:
    """Return MMLU-Pro: up to ten options, shuffled by the seed; its 70 validation rows to train.

    Args:
        path: a local copy; a folder with files named test and validation, or one file to test on.
        seed: another seed gives each question another order of its options.

    Raises:
        DataError: at the first look, for a row that cannot be used, or a hub out of reach.
    """
    found = HubSet(
        "mmlu_pro",
        hub="TIGER-Lab/MMLU-Pro",
        revision="b189ec765aa7ed75c8acfea42df31fdae71f97be",
        licence="MIT",
        split="test",
        read=partial(read_mmlu_pro, seed=seed),
        remarks=("options that say N/A are left out",),
    )
    train = () if path else SetProblems(found, split="validation")
    return replace(_test_of(found, SetProblems(found, path), path), train=train)


def read_gpqa(row: Row, where: Where, seed: int) -> Read:
    """The right answer and three wrong ones, each a column."""
    right = text(row, ("Correct Answer",), where)
    options = [right, *(text(row, (column,), where) for column in _WRONG)]
    identity = str(row.get("Record ID") or "")
    info = kept(row, domain="High-level domain", subject="Subdomain")
    question = text(row, ("Question",), where)
    return _shuffled(question, options, 0, info, identity, f"gpqa {seed} {identity or question}")


def read_mmlu_pro(row: Row, where: Where, seed: int) -> Read:
    """A list of options, and the place of the right one in it."""
    options, place = row.get("options"), row.get("answer_index")
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        raise DataError(f"{where()}: field 'options' must be a list of texts")
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(options):
        raise DataError(
            f"{where()}: field 'answer_index' must be a place in {len(options)} options"
        )
    right = options[place]
    options = [option for option in options if option.strip() != "N/A" or option is right]
    identity = str(row.get("question_id", ""))
    info = kept(row, category="category", subset="src")
    question = text(row, ("question",), where)
    name = f"mmlu_pro {seed} {identity or question}"
    return _shuffled(question, options, options.index(right), info, identity, name)


def _shuffled(
    question: str, options: list[str], right: int, info: dict[str, Any], identity: str, name: str
) -> Read:
    """Return the question with its options in the order that a name draws."""
    order = Random(name).sample(range(len(options)), len(options))
    shown = [options[place].strip() for place in order]
    lines = [f"{letter}) {option}" for letter, option in zip(LETTERS, shown, strict=False)]
    whole = "\n".join([question, "", *lines])
    return Read(whole, LETTERS[order.index(right)], {**info, "options": shown}, identity)


def _test_of(found: HubSet, problems: SetProblems, path: str | None) -> Task:
    return Task(
        name=found.name,
        train=(),
        test=problems,
        messages=PromptTemplate(PROMPT),
        verifier=OptionsVerifier("box"),
        source=found.reference if path is None else path,
        licence=found.licence,
        remarks=[f"{found.name}: {remark}" for remark in found.remarks],
    )
