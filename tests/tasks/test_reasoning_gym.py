import json
import os
import subprocess
import sys

import pytest

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.tasks import load_task
from rewardkit.types import Outcome
from rewardkit.verifiers import VerifierPool

reasoning_gym = pytest.importorskip("reasoning_gym")

from rewardkit_tasks.reasoning_gym.library import OF_SETS, entry_as_json, names  # noqa: E402
from rewardkit_tasks.reasoning_gym.verifier import ReasoningGymVerifier  # noqa: E402

SLOW = {"futoshiki", "intermediate_integration", "knight_swap"}
"""A second or more to make one."""
NO_SOLUTION = {"boxnet", "rush_hour"}
"""Their entries hold none."""
ALL_RIGHT = {"game_of_life_halting"}
"""Its scorer takes each of these."""
EXAMPLES = ("example_correct_answer", "example_answer", "possible_answer")


def mutated(answer):
    """The answer itself, and texts that are near it, of another form, or none at all."""
    yield from (answer, answer + "1", answer[:-1], answer[::-1], answer.upper(), f"x {answer}")
    yield from (answer.replace("1", "2"), f"[{answer}]", f"The answer is {answer}", f" {answer}\n")
    yield from ("0", "-1", "(1, 2)", "{}", "[]", "yes", "1/2", '{"a": 1}', "24")


def own_score(dataset, answer, entry):
    try:
        return float(dataset.score_answer(answer, entry))
    except Exception:  # noqa: BLE001 its scorers raise at what they cannot read
        return 0.0


@pytest.mark.parametrize("name", sorted(set(names()) - SLOW))
@pytest.mark.filterwarnings("ignore")
def test_scores_are_its_own_on_its_answers_and_on_mutated_ones(name, capsys):
    dataset = reasoning_gym.create_dataset(name, size=2, seed=7)
    verifier = ReasoningGymVerifier()
    scores = set()
    for index in range(2):
        entry = dataset[index]
        column = {"puzzle": name, "config": {}, **json.loads(json.dumps(entry_as_json(entry)))}
        answers = [entry["answer"], *(entry["metadata"].get(key) for key in EXAMPLES)]
        answer = next((found for found in answers if found is not None), "1")
        answer = answer if isinstance(answer, str) else json.dumps(answer)
        for text in mutated(answer):
            verdict = verifier(
                f"<answer>{text}</answer>", "", question=entry["question"], reasoning_gym=column
            )
            expected = own_score(dataset, text.strip(), entry)
            assert verdict.score == expected, (name, text)
            assert verdict.correct == (expected == 1.0)
            scores.add(expected)
    assert (1.0 in scores) == (name not in NO_SOLUTION)
    assert min(scores) < 1 or name in ALL_RIGHT


HOSTILE = (
    "__import__('os').system('touch {file}')",
    "[open('{file}', 'w') for _ in '1']",
    "().__class__.__base__.__subclasses__()",
    "exec(\"open('{file}','w')\")",
    "x.__class__",
    "preview(x)",
    "lambda: 0",
    "𝓸𝓹𝓮𝓷('{file}', 'w')",
)


@pytest.mark.parametrize(
    "name",
    ["string_insertion", "spiral_matrix", "binary_matrix", "n_queens", "simple_integration",
     "polynomial_multiplication", "puzzle24", "countdown"],
)  # fmt: skip
def test_no_scorer_evaluates_what_a_model_wrote(name, tmp_path):
    entry = reasoning_gym.create_dataset(name, size=1, seed=1)[0]
    column = {"puzzle": name, "config": {}, **entry_as_json(entry)}
    for text in HOSTILE:
        text = text.format(file=tmp_path / "made")
        verdict = ReasoningGymVerifier()(
            f"<answer>{text}</answer>", "", question=entry["question"], reasoning_gym=column
        )
        assert verdict.outcome is Outcome.INCORRECT, text
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "place", "field", "right"),
    [
        ("simple_integration", "metadata", "integrand", "x"),
        ("intermediate_integration", "metadata", "integrand", "x"),
        ("polynomial_multiplication", None, "answer", "x"),
        ("bitwise_arithmetic", "metadata", "problem", "0x1"),
        ("number_sorting", None, "answer", '["1"]'),
    ],
)
def test_no_scorer_evaluates_what_a_row_says(name, place, field, right, tmp_path):
    puzzles = reasoning_gym.create_dataset(name, size=50, seed=1)
    for entry in puzzles:
        column = {"puzzle": name, "config": {}, **entry_as_json(entry)}
        right_one = f"<answer>{entry['answer']}</answer>"
        verdict = ReasoningGymVerifier()(right_one, "", entry["question"], column)
        assert verdict.outcome is not Outcome.BAD_GOLD
    for text in HOSTILE:
        (column if place is None else column[place])[field] = text.format(file=tmp_path / "made")
        verdict = ReasoningGymVerifier()(f"<answer>{right}</answer>", "", "", column)
        assert verdict.outcome is not Outcome.CORRECT
        assert not list(tmp_path.iterdir())


def test_responses_through_a_pool():
    task = load_task("reasoning_gym:chain_sum", train_size=3)
    gold = task.train[2].answer
    cases = [
        (f"<think>It is 3.</think> <answer>{gold}</answer>", Outcome.CORRECT, 1.0),
        (f"<answer>0</answer> no: <answer>\n{gold} </answer>", Outcome.CORRECT, 1.0),
        (f"<answer>{gold} or so</answer>", Outcome.INCORRECT, len(gold) / len(f"{gold} or so")),
        (f"It is {gold}.", Outcome.NO_ANSWER, 0.0),
        (f"<answer>{gold}", Outcome.CORRECT, 1.0),  # a server stopped it at </answer>
        ("<answer></answer>", Outcome.NO_ANSWER, 0.0),
    ]
    with VerifierPool(task.verifier, workers=1) as pool:
        verdicts = list(pool.verify((response, task.train[2]) for response, _, _ in cases))
    assert [(v.outcome, v.score) for v in verdicts] == [(o, score) for _, o, score in cases]


def test_parts_of_a_point_are_kept():
    # Written down: the package searches a minute for a hand that can be solved.
    metadata = {"source_dataset": "puzzle24", "source_index": 0, "numbers": [4, 6, 1, 1]}
    entry = {"question": "24?", "answer": "4*6*1*1", "metadata": metadata}
    column = {"puzzle": "puzzle24", "config": {}, **entry_as_json(entry)}
    for text, outcome, score in (
        ("1+1", Outcome.INCORRECT, 0.01),
        ("4*6*1*1", Outcome.CORRECT, 1.0),
    ):
        verdict = ReasoningGymVerifier()(
            f"<answer>{text}</answer>", "", question="24?", reasoning_gym=column
        )
        assert (verdict.outcome, verdict.score) == (outcome, score)


QUICK = (
    "chain_sum",
    "leg_counting",
    "spell_backward",
    "gcd",
    "letter_counting",
    "mini_sudoku",
    "graph_color",
)


@pytest.mark.parametrize("name", QUICK)
def test_a_problem_is_a_function_of_seed_and_index_and_the_gold_is_right(name):
    first = load_task(f"reasoning_gym:{name}", seed=3, train_size=50, test_size=12)
    again = load_task(f"reasoning_gym:{name}", seed=3, train_size=900, test_size=20)
    for index in (40, 2, 7):
        assert first.train[index] == again.train[index]
    assert first.test[4] == again.test[4] == load_task(f"reasoning_gym:{name}", seed=9).test[4]
    assert first.train[0] != load_task(f"reasoning_gym:{name}", seed=4).train[0]
    assert len({p.id for p in (*first.train, *first.test)}) == 62
    assert not {p.question for p in first.train} & {p.question for p in again.test}
    for problem in (*first.train[:4], *first.test[:4]):
        response = f"<answer>{problem.answer}</answer>"
        columns = {"question": problem.question, **problem.info}
        assert first.verifier(response, problem.answer, **columns).correct
    with pytest.raises(IndexError):
        first.train[50]


def test_the_problems_are_the_same_in_every_process():
    code = (
        "from rewardkit.tasks import load_task\n"
        f"for name in {QUICK}: print(repr(load_task('reasoning_gym:' + name).train[5]))"
    )
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # another than this process has
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [repr(load_task(f"reasoning_gym:{name}").train[5]) for name in QUICK]
    assert done.stdout.splitlines() == here


@pytest.mark.parametrize("name", OF_SETS)
def test_what_depends_on_the_order_of_sets_asks_for_a_fixed_one(name, monkeypatch):
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    with pytest.raises(ConfigError, match="PYTHONHASHSEED=0"):
        load_task(f"reasoning_gym:{name}")


def test_settings_of_a_puzzle():
    task = load_task("reasoning_gym:chain_sum", min_terms=2, max_terms=2, train_size=5)
    assert all(
        problem.question.count("+") + problem.question.count(" - ") == 1 for problem in task.train
    )
    assert task.train[0].info["reasoning_gym"]["config"] == {"min_terms": 2, "max_terms": 2}


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "says"),
    [
        ("chain_sun", {}, UnknownNameError, "did you mean chain_sum"),
        ("", {}, UnknownNameError, "Known: ab, "),
        ("composite", {}, UnknownNameError, "unknown puzzle"),
        ("chain_sum", {"max_term": 3}, ConfigError, "did you mean max_terms"),
        ("chain_sum", {"max_terms": 1}, ConfigError, "must be >= min_terms"),
        ("chain_sum", {"train_size": 10**6}, ConfigError, "from 0 to 10,000"),
    ],
)
def test_wrong_names_and_settings_are_said(name, arguments, kind, says):
    with pytest.raises(kind, match=says):
        load_task(f"reasoning_gym:{name}", **arguments)


def test_too_few_questions_are_said(monkeypatch):
    monkeypatch.setattr("rewardkit_tasks.reasoning_gym.tasks.HELD_OUT_SHARE", 0)
    with pytest.raises(ConfigError, match="too few"):
        load_task("reasoning_gym:coin_flip").test[0]


@pytest.mark.parametrize("name", ["rush_hour", "boxnet", "mini_sudoku"])
def test_nothing_is_printed(name, capfd):
    load_task(f"reasoning_gym:{name}").train[0]
    assert capfd.readouterr().out == ""
