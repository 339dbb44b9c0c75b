"""The sets as data, and a factory for each that the registry names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rewardkit.types import Task
from rewardkit_tasks.contests.contest import Contest
from rewardkit_tasks.contests.loading import load_contest

MAA = "Problem text: Mathematical Association of America"
MATHARENA: tuple[tuple[Any, ...], ...] = (
    ("hmmt_feb_2025", "6fdc4277120810ff75aa22d2d5489b91f7a262a1", 30),
    ("hmmt_nov_2025", "118dbfb45c4c9467c672268ed55166642897aa46", 30),
    ("hmmt_feb_2026", "02fba4f74d8e68e73e66a02d540fd979c05c274c", 33),
    ("brumo_2025", "6de9bc0987f5710c6376ee980e1483dbeb55cfda", 30),
    ("cmimc_2025", "8f27517ce4ad1d05e023c0e7eca4344754ba2a04", 40),
    ("smt_2025", "d8e99d83f1583842f46d4953cd960eea5d887e45", 53),
    (
        "apex_2025",
        "ac8a641db12cc87be39e61ea89f2e04c80c5f2e7",
        12,
        "12 problems, chosen since strong models of 2025 failed on them: intervals are wide",
    ),
    (
        "apex-shortlist",
        "f3efdf224ef665f129ddaae37699f6098c65781b",
        47,
        "some of its problems are also in AIME 2025: do not add up scores of both",
    ),
)
"""Of MathArena: the data set, its commit, how many problems, and what is known to be wrong."""


_SETS = (
    Contest(
        name="aime24",
        hub="Maxwell-Jia/AIME_2024",
        revision="8d88b2876a82a080e2f172cc9b25d0d9d2cb4792",
        split="train",
        size=30,
        licence=f"MIT (compilation). {MAA}",
        question="Problem",
        answer="Answer",
        identity="ID",
        integer=True,
        defects=(
            "copies of this set drop the figures of I-5 and I-6, and some reword II-8; compare "
            "text hashes before comparing scores",
            "an earlier revision, and copies of it elsewhere, leaked solutions into I-5, I-6 and "
            "II-10",
        ),
    ),
    Contest(
        name="aime25",
        hub="math-ai/aime25",
        revision="563bb8404243c5f09de6ec262f2db674fe5bce9b",
        split="test",
        size=30,
        licence=f"Apache-2.0 (compilation). {MAA}",
        identity="id",
        integer=True,
        defects=(
            "I-10 is in circulation as a table, as bare digits and as a drawing program; II-12, "
            "II-13 and II-15 are reworded in some copies",
        ),
    ),
    Contest(
        name="aime26",
        hub="math-ai/aime26",
        revision="79037aebdb6580008fb960d17cb21fd3099083e3",
        split="test",
        size=30,
        licence=f"Apache-2.0 (compilation). {MAA}",
        identity="id",
        integer=True,
        defects=(
            "I-10 says AC is perpendicular to BC, which is impossible in a 13-14-15 triangle; "
            "presumably A'C' is meant",
            "I-13: the summation index is m, but the binomial coefficient uses n",
        ),
    ),
    Contest(
        name="aime1983_2023",
        hub="gneubig/aime-1983-2024",
        revision="5d610df981dec508dd93d0a16333a029ac1739d8",
        split="train",
        size=None,
        licence=f"CC0-1.0 (compilation). {MAA}",
        question="Question",
        answer="Answer",
        identity="ID",
        integer=True,
        years=(1983, 2023),
        defects=(
            "this copy lacks dozens of the 975 problems of these years (among them some of 2023-I)",
            "7 problems of MATH-500 are AIME problems of these years: a model trained on one set "
            "has seen part of the other",
        ),
    ),
    Contest(
        name="amc23",
        hub="math-ai/amc23",
        revision="80815d37005feb82cd7f8fbc6901d5d3eff43057",
        split="test",
        size=40,
        licence=f"Apache-2.0 (compilation). {MAA}",
        question="question",
        identity="id",
        defects=("40 of the 50 problems of AMC 12 A and B; answers instead of choices",),
    ),
    *(
        Contest(
            name=dataset.replace("-", "_"),
            hub=f"MathArena/{dataset}",
            revision=revision,
            split="train",
            size=size,
            licence="CC-BY-NC-SA-4.0",
            identity="problem_idx",
            defects=tuple(defects),
        )
        for dataset, revision, size, *defects in MATHARENA
    ),
    Contest(
        name="math500",
        hub="HuggingFaceH4/MATH-500",
        revision="6e4ed1a2a79af7d8630a6b768ec859cb5af4d3be",
        split="test",
        size=500,
        licence="MIT upstream; the original MATH was taken down at its publisher's request",
        identity="unique_id",
        defects=("7 problems are also in AIME 1983-2023",),
    ),
    Contest(
        name="minerva",
        hub="math-ai/minervamath",
        revision="main",
        split="test",
        size=272,
        licence="not stated",
        question="question",
        defects=(
            "the revision is not pinned: no commit of this dataset could be confirmed, so the "
            "newest is read, and results name the commit that it was",
            "131 of 272 gold answers are written differently in other copies (3.83e35)",
        ),
    ),
    Contest(
        name="olympiadbench",
        hub="math-ai/olympiadbench",
        revision="4faaf1e6ec17d11a4218a9bf4c049ecaf954dd84",
        split="test",
        size=674,
        licence="MIT upstream (compilation); contest text",
        question="question",
        answer="final_answer",
        defects=("answers with units or several parts are graded as they are written",),
    ),
)

CONTESTS: dict[str, Contest] = {contest.name: contest for contest in _SETS}


def __getattr__(name: str) -> Callable[..., Task]:
    """Return the factory of a set, by the name of the set."""
    if name not in CONTESTS:
        raise AttributeError(f"there is no set {name!r}")
    return partial(load_contest, CONTESTS[name])
