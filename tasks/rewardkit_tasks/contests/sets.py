"""The sets as data, and a factory for each that the registry names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rewardkit.registry import POLYMATH_LANGUAGES
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
    ("apex-shortlist", "f3efdf224ef665f129ddaae37699f6098c65781b", 47),
)
"""Of MathArena: the data set, its commit, how many problems, and what is known to be wrong."""

ARXIVMATH: tuple[tuple[str, str, int | None], ...] = (
    ("1225", "main", None),
    ("0126", "main", None),
    ("0226", "main", None),
    ("0326", "main", None),
    ("0426", "5e58127fba079b6db1c5aef0fee5dc61fc43da8d", 41),
    ("0526", "69f701c7f266bfba235ef302ff9b19093f7455bb", 40),
    ("0626", "main", None),
)
"""Of MathArena's monthly sets from new papers: month and year, commit, how many problems."""


def _text_of_hle(row: Mapping[str, Any]) -> bool:
    return row.get("category", "Math") == "Math" and not row.get("image")


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
        keep=lambda row: 1983 <= int(row["Year"]) <= 2023,
        defects=(
            "this copy lacks dozens of the 975 problems of these years (among them some of 2023-I)",
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
    ),
    Contest(
        name="minerva",
        hub="math-ai/minervamath",
        revision="main",
        split="test",
        size=272,
        licence="not stated",
        question="question",
        defects=("131 of 272 gold answers are written differently in other copies (3.83e35)",),
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
    Contest(
        name="beyond_aime",
        hub="ByteDance-Seed/BeyondAIME",
        revision="main",
        split="test",
        size=100,
        licence="CC0-1.0",
    ),
    Contest(
        name="imo_answerbench",
        hub="OpenEvals/IMO-AnswerBench",
        revision="main",
        split="train",
        size=400,
        licence="CC-BY-4.0",
        question="Problem",
        answer="Short Answer",
        identity="Problem ID",
        defects=(
            "its authors' second edition (github.com/google-deepmind/superhuman, "
            "answerbench_v2.csv) rewords 26 problems of the first and changes 16 answers: say "
            "which was asked",
            "some answers are sentences or whole families of functions, which rules cannot grade: "
            "let a judge grade what they leave open",
        ),
    ),
    Contest(
        name="amo_bench",
        hub="meituan-longcat/AMO-Bench",
        revision="main",
        split="test",
        size=50,
        licence="MIT",
        question="prompt",
        identity="question_id",
        defects=(
            "problem 35 was corrected on 2025-11-05; copies from before ask something else",
            "answers of the type `description` cannot be graded by rules: let a judge grade them",
        ),
    ),
    Contest(
        name="hle_math",
        hub="cais/hle",
        revision="main",
        split="test",
        size=None,
        licence="MIT",
        question="question",
        identity="id",
        keep=_text_of_hle,
        defects=(
            "the hub gives it to accounts that have accepted its terms",
            "its authors ask that questions are not shown in the open: reports hold them",
            "many answers are free text, which rules cannot grade: let a judge grade them",
        ),
    ),
    *(
        Contest(
            name=f"olymmath_{language}_{level}",
            hub="RUC-AIBOX/OlymMATH",
            revision="main",
            split="test",
            config=f"{language}-{level}",
            size=100,
            licence="MIT",
            identity="unique_id",
        )
        for language in ("en", "zh")
        for level in ("easy", "hard")
    ),
    *(
        Contest(
            name=f"arxivmath_{month}",
            hub=f"MathArena/arxivmath-{month}",
            revision=revision,
            split="train",
            size=size,
            licence="CC-BY-SA-4.0",
        )
        for month, revision, size in ARXIVMATH
    ),
    *(
        Contest(
            name=f"polymath_{language}",
            hub="Qwen/PolyMath",
            revision="main",
            split="top+high+medium+low",
            config=language,
            size=500,
            licence="Apache-2.0",
            question="question",
            identity="id",
            defects=(
                "its authors ask in the language of the problem, and weigh the levels top, high, "
                "medium and low by 8, 4, 2 and 1",
            ),
        )
        for language in POLYMATH_LANGUAGES
    ),
)

CONTESTS: dict[str, Contest] = {contest.name: contest for contest in _SETS}


def __getattr__(name: str) -> Callable[..., Task]:
    """Return the factory of a set, by the name of the set."""
    if name not in CONTESTS:
        raise AttributeError(f"there is no set {name!r}")
    return partial(load_contest, CONTESTS[name])
