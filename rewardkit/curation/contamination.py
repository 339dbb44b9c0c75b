"""What of an evaluation a model may have been trained on, and how it does there and elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rewardkit.curation.texts import NGRAM, ngrams, words
from rewardkit.errors import ConfigError, DataError
from rewardkit.evaluation.asking.problems import problem_sets
from rewardkit.evaluation.engines.recorded import RecordedEngine
from rewardkit.evaluation.measures.scoring import score_of
from rewardkit.evaluation.stored import load_results, recorded_settings
from rewardkit.files import write_json
from rewardkit.runs.results import MODEL, RESULTS_FILE, Evaluation, document
from rewardkit.tasks import load_task


def overlapping(asked: Sequence[str], trained_on: Iterable[str]) -> list[str]:
    """Return for each question a passage that a training text shares with it, or nothing.

    A passage is 8 words in a row, or all of a shorter question. Texts are read one at a time.

    >>> asked = ["How many of the nine red apples did Ann eat on Monday?", "What is 2+2?"]
    >>> overlapping(asked, ["So: how many of the nine red apples did Bob eat?"])
    ['how many of the nine red apples did', '']
    """
    places: dict[str, list[int]] = {}
    for place, question in enumerate(asked):
        for passage in ngrams(words(question), NGRAM):
            places.setdefault(passage, []).append(place)
    shared = [""] * len(asked)
    for text in trained_on:
        for passage in ngrams(words(text), NGRAM):
            for place in places.get(passage, ()):
                shared[place] = shared[place] or passage
    return shared


def contamination_of_run(
    folder: Path, trained_on: Sequence[str], *, trust: bool = False
) -> Evaluation:
    """Return the results of an evaluation with each set's overlap, and write them there.

    `overlap` of a set has the problems that share a passage with a training text, and the score on
    them and on the rest.

    Args:
        folder: what `rewardkit eval` wrote.
        trained_on: tasks, whose training problems are read.
        trust: whether the folder may name code that is imported or run.

    Raises:
        ConfigError: no task is named, or one that has no training problems; the folder names code.
        DataError: no run folder, or its tasks now hold other problems.
        RewardkitError: a task cannot be loaded.
    """
    if not trained_on:
        raise ConfigError("no training task is named; give one, such as gsm8k or file:PATH")
    trains = [load_task(name).train for name in trained_on]
    for name, train in zip(trained_on, trains, strict=True):
        if not len(train):
            raise ConfigError(
                f"{name}: the task has no training problems; for a set of test "
                "problems, write them to a file and give file:PATH"
            )
    results = load_results(folder)
    settings = recorded_settings(RecordedEngine(folder), folder, trust=trust)
    sets = problem_sets(settings)
    asked = [problem.question for _, problems in sets.values() for problem in problems]
    texts = (problem.question for train in trains for problem in train)
    passages = iter(overlapping(asked, texts))
    for name, (_, problems) in sets.items():
        shared = {problem.id: next(passages) for problem in problems}
        measured = results["sets"][name]["per_problem"]
        rows = {row["id"]: (row["correct"], row["graded"]) for row in measured}
        if not rows.keys() <= shared.keys():
            raise DataError(f"{folder}: {name} now holds other problems than were evaluated")
        results["sets"][name]["overlap"] = {
            "trained_on": list(trained_on),
            "problems": {key: shared[key] for key in rows if shared[key]},
            "overlapping": score_of([rows[key] for key in rows if shared[key]]),
            "rest": score_of([rows[key] for key in rows if not shared[key]]),
        }
    write_json(folder / RESULTS_FILE, document({MODEL: results}))
    return results
