"""Rubrics and reward models: partial scores, many at a time, and what is undecided."""

import importlib.util
import json
from pathlib import Path

import pytest

from rewardkit.client.client import NoReply
from rewardkit.errors import ConfigError, DataError
from rewardkit.judging import RewardModel, Rubric
from rewardkit.judging.reward_model import probability
from rewardkit.judging.rubric import criteria_of
from rewardkit.types import Outcome, Problem
from rewardkit.verifiers import VerifierPool, load_verifier

pytest.importorskip("httpx")

_PLACE = Path(__file__).parents[1] / "evaluation" / "chat_server.py"
_SPEC = importlib.util.spec_from_file_location("rewardkit_test_scores_server", _PLACE)
chat_server = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(chat_server)
completion, serve = chat_server.completion, chat_server.serve


def reads_words(request):
    """Says that a criterion is met where its last word stands in the response."""
    text = request["messages"][-1]["content"]
    response = json.loads(text.split("\n")[1])["response"]
    listed = text.partition("Criteria:\n")[2].splitlines()
    return completion(
        "\n".join(
            f"{n}: {'YES' if one.split()[-1] in response else 'NO'}"
            for n, one in enumerate(listed, 1)
        )
    )


def problem(rubric):
    return Problem("1", "Explain.", "", info={"rubric": rubric})


def test_a_rubric_is_the_share_of_weights_that_are_met():
    rows = ["names gravity", {"criterion": "gives units", "weight": 3}]
    with serve(reads_words) as server:
        made = load_verifier("rubric", base_url=server.url, model="m", cache="", correct_from=0.7)
        with VerifierPool(made, workers=1) as pool:
            texts = ("gravity", "units", "gravity and units", "neither")
            found = list(pool.verify((text, problem(rows)) for text in texts))
        assert [verdict.score for verdict in found] == [0.25, 0.75, 1.0, 0.0]
        assert [verdict.correct for verdict in found] == [False, True, True, False]
        assert found[1].reason == "meets 1 of 2 criteria: [2]"
        broken = made("gravity", "", rubric=[{"criterion": "x", "weight": -1}])
        assert broken.outcome is Outcome.BAD_GOLD
        assert len(server.requests) == 4


def test_a_reply_that_leaves_a_criterion_out_is_undecided():
    with serve(lambda request: completion("1: YES")) as server:
        made = Rubric(base_url=server.url, model="m", cache="", retries=0)
        verdict = made("x", "", rubric=["a", "b"])
    assert verdict.outcome is Outcome.ERROR
    assert made.cost.unreadable == 1


@pytest.mark.parametrize(
    ("rubric", "found"),
    [
        (["one", {"criterion": "two", "weight": 2}], [("one", 1.0), ("two", 2.0)]),
        ([], None), ([3], None), ("one", None), ([{"weight": 1}], None), ({"a": 1}, None),
    ],
)  # fmt: skip
def test_what_a_rubric_is(rubric, found):
    if found is None:
        with pytest.raises(DataError, match=r"criteri"):
            criteria_of(rubric)
    else:
        assert criteria_of(rubric) == found


def test_a_reward_model_on_a_server():
    def classify(request):
        text = request["messages"][-1]["content"]
        return {
            "data": [{"probs": [0.9] if "good" in text else [0.2, 0.8] if "two" in text else []}]
        }

    with serve(classify) as server:
        made = RewardModel("rm", server.url, correct_from=0.85, retries=0)
        with VerifierPool(made, workers=1) as pool:
            found = list(
                pool.verify((text, Problem("1", "Q?", "")) for text in ("good", "two", "bad"))
            )
    assert [verdict.score for verdict in found] == [0.9, 0.8, 0.0]
    assert [v.outcome for v in found] == [Outcome.CORRECT, Outcome.INCORRECT, Outcome.ERROR]
    assert server.requests[0]["messages"][0] == {"role": "user", "content": "Q?"}
    with pytest.raises(ConfigError, match="needs a name"):
        RewardModel("")


def test_outputs_of_a_classifier_as_a_score():
    assert probability([0.0, 0.0], logits=True) == 0.5
    assert probability([800.0], logits=True) == 1.0
    assert probability([-800.0, 800.0], logits=True) == 1.0
    for row in ([], [float("nan")], [1.5]):
        with pytest.raises(NoReply):
            probability(row, logits=False)


def test_a_reward_model_in_this_process(tiny_model, tmp_path):
    """A classifier with the tiny model's body: rows of any length score as they do alone."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    kind = transformers.AutoModelForSequenceClassification
    model = kind.from_pretrained(tiny_model, num_labels=1)
    model.save_pretrained(tmp_path)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_model)
    tokenizer.save_pretrained(tmp_path)
    made = RewardModel(str(tmp_path))
    texts = ["12", "13 and much more", "7", "so it is 12 + 5 = 17"]
    with VerifierPool(made, workers=1) as pool:
        together = [v.score for v in pool.verify((t, Problem("1", "1+1?", "2")) for t in texts)]
        alone = [pool.verify_one(t, Problem("1", "1+1?", "2")).score for t in texts]
    assert together == pytest.approx(alone, abs=1e-4)
    assert len(set(together)) == 4
