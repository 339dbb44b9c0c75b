"""Mathematics to train on: MATH, DeepScaleR, Big-Math, ORZ, Skywork-OR1, Polaris."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from rewardkit.data.rows import Row
from rewardkit.errors import DataError
from rewardkit.tasks import BOXED_PROMPT, PromptTemplate, load_task
from rewardkit.types import Task
from rewardkit.verifiers import MathVerifier
from rewardkit.verifiers.format.boxes import last_box
from rewardkit_tasks.sets.hub_set import HubSet, Read, SetProblems, Where, kept, text

QUESTIONS, ANSWERS = ("problem", "question", "prompt"), ("answer", "gold", "final_answer")


def read_math(row: Row, where: Where) -> Read:
    """The answer is the last box of the solution."""
    info = kept(row, level="level", subject="type")
    if any(row.get(name) not in (None, "") for name in ANSWERS):
        return Read(text(row, QUESTIONS, where), text(row, ANSWERS, where), info)
    box = last_box(text(row, ("solution",), where))
    if box is None or not box.text:
        raise DataError(f"{where()}: field 'solution' has no \\boxed{{}}, and there is no answer")
    return Read(text(row, QUESTIONS, where), box.text, info)


def read_plain(row: Row, where: Where) -> Read:
    """Problem and answer, as they are."""
    return Read(text(row, QUESTIONS, where), text(row, ANSWERS, where))


def read_big_math(row: Row, where: Where) -> Read:
    """With `solve_rate`, that of Llama-3.1-8B in 64 tries, and where the problem comes from."""
    info = kept(row, solve_rate="llama8b_solve_rate", subset="source", domain="domain")
    if "solve_rate" in row:
        info["solve_rate"] = row["solve_rate"]
    return Read(text(row, QUESTIONS, where), text(row, ANSWERS, where), info)


def read_orz(row: Row, where: Where) -> Read:
    """A row is a conversation of two turns, in the columns 0 and 1."""
    question = text(row, ("0.value", *QUESTIONS), where)
    return Read(question, text(row, ("1.ground_truth.value", *ANSWERS), where))


def read_skywork(row: Row, where: Where) -> Read:
    """The gold is a list of one text, written as JSON; `model_difficulty` is by three models."""
    info = kept(row, subset="data_source", model_difficulty="extra_info.model_difficulty")
    gold = text(row, ("reward_model.ground_truth", *ANSWERS), where)
    return Read(text(row, QUESTIONS, where), _only(gold), info)


def read_polaris(row: Row, where: Where) -> Read:
    """With `solve_rate`, that of DeepSeek-R1-Distill-Qwen-7B in 8 tries, from "5/8"."""
    info = kept(row, difficulty="difficulty")
    above, _, below = str(info.get("difficulty", "")).partition("/")
    if above.isdigit() and below.isdigit() and int(below):
        info["solve_rate"] = int(above) / int(below)
    return Read(text(row, QUESTIONS, where), text(row, ANSWERS, where), info)


def _only(gold: str) -> str:
    """Return the text of a list of one, and any other gold as it is."""
    try:
        found: Any = json.loads(gold)
    except (ValueError, RecursionError):
        return gold
    return str(found[0]) if isinstance(found, list) and len(found) == 1 else gold


OF_DEEPSCALER = (
    "holds AIME problems of 1984 to 2023 and AMC problems before 2023: no test for those sets"
)
SETS = {
    found.name: found
    for found in (
        HubSet(
            "math",
            hub="DigitalLearningGmbH/MATH-lighteval",
            revision="0530c78699ea5e8eb5530600900e1f328b48acad",
            licence="MIT upstream; the original MATH was taken down at its publisher's request",
            read=read_math,
            remarks=("MATH-500 is part of the 5,000 test problems, and of none to train on",),
        ),
        HubSet(
            "deepscaler",
            hub="agentica-org/DeepScaleR-Preview-Dataset",
            revision="b6ae8c60f5c1f2b594e2140b91c49c9ad0949e29",
            licence="MIT (compilation)",
            read=read_plain,
            remarks=(OF_DEEPSCALER, "some golds disagree with the solution beside them"),
        ),
        HubSet(
            "big_math",
            hub="SynthLabsAI/Big-Math-RL-Verified",
            revision="c75d2f117cddfecb6bd08756e61e508e59732b21",
            licence="Apache-2.0 on the hub, CC-BY-4.0 in the paper",
            read=read_big_math,
            remarks=(
                "the hub gives it to accounts that have accepted its terms",
                "compiled of open sets, GSM8K and MATH among them: no test for those",
            ),
        ),
        HubSet(
            "orz_math",
            hub="Open-Reasoner-Zero/orz_math_72k_collection_extended",
            revision="b5c5890bcf04853531d4f2aeeef18fb7af6cabd1",
            licence="MIT (compilation)",
            read=read_orz,
        ),
        HubSet(
            "skywork_math",
            hub="Skywork/Skywork-OR1-RL-Data",
            revision="1cdedc52e0e2db85fdf252f9be682e63a5a38c33",
            licence="not stated",
            split="math",
            read=read_skywork,
            remarks=("compiled of NuminaMath-1.5, DeepScaleR, STILL-3, Omni-Math and AIME",),
        ),
        HubSet(
            "polaris",
            hub="POLARIS-Project/Polaris-Dataset-53K",
            revision="296f8e34132e63f4a1d70e0dcc8bddebb43f03e4",
            licence="Apache-2.0 (compilation)",
            read=read_polaris,
            remarks=(f"filtered from DeepScaleR, which {OF_DEEPSCALER}", "some ask for proofs"),
        ),
    )
}


def training_set(
    name: str, path: str | None = None, test: str | None = None, prompt: str = BOXED_PROMPT
) -> Task:
    """Return a set to train on, with another task's problems to test on.

    Args:
        name: of `SETS`.
        path: a local copy: a file, or a folder of files.
        test: the task whose test problems are asked, in the same words: a name, `NAME=PATH` or
            `file:PATH`. By default `aime24`, and for MATH `math500`; `all` is its own test split.
        prompt: a template with {question}.

    Raises:
        DataError: at the first look, for a row that cannot be used, or a hub out of reach.
    """
    found = SETS[name]
    test = test or ("math500" if name == "math" else "aime24")
    own = SetProblems(found, path, split="test") if test == "all" and name == "math" else None
    return Task(
        name=name,
        train=SetProblems(found, path),
        test=load_task(test).test if own is None else own,
        messages=PromptTemplate(prompt),
        verifier=MathVerifier(answer_in="box"),
        source=f"{found.reference if path is None else path}; {test}",
        licence=found.licence,
        remarks=[f"{found.name}: {remark}" for remark in found.remarks],
    )


def __getattr__(name: str) -> Callable[..., Task]:
    """Return the factory of a set, by the name of the set."""
    if name not in SETS:
        raise AttributeError(f"there is no set {name!r}")
    return partial(training_set, name)
