"""Reward, scorer and metric inside the real verifiers, Inspect and lighteval, where installed.

None of the three fits beside verl and TRL; docs/integrations.md has the lines that run this.
"""

import asyncio
import math

import pytest

from rewardkit.errors import TrainingError

pytestmark = pytest.mark.timeout(120)


def test_a_reward_of_a_verifiers_task():
    vf = pytest.importorskip("verifiers.v1")
    from rewardkit.integrations.verifiers import TraceReward

    class Data(vf.TaskData):
        answer: str

    class Asked(vf.Task[Data, vf.State, vf.TaskConfig]):
        pass

    plugged = {"correct": {"fn": "rewardkit.integrations.verifiers:correct", "weight": 2.0}}
    task = Asked(Data(prompt="7+5?", answer="12"), vf.TaskConfig(rewards=plugged))

    def trace(reply):
        data = vf.TraceTask(type="Asked", data=task.data)
        made = vf.Trace.model_construct(task=data, rewards={}, metrics={}, info={}, nodes=[])
        made.root_reply = reply
        return made

    for reply, score in (("It is 12", 1.0), ("13", 0.0)):
        found = trace(reply)
        asyncio.run(task.score(found, None))
        assert found.rewards["correct"].value == 2 * score
        assert found.info["verdict"]["outcome"] == ("correct" if score else "incorrect")
    bad = Data(prompt="7+5?", answer="{")
    with pytest.raises(TrainingError, match="bad_gold"):
        asyncio.run(TraceReward("math")(bad, trace("12")))


def test_an_inspect_scorer(tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from rewardkit.integrations.inspect import verdict_scorer

    replies = ["It is 12", r"\boxed{13}", "12"]
    outputs = [ModelOutput.from_content("mockllm/model", reply) for reply in replies]
    for output in outputs:
        output.usage = ModelUsage()  # else it counts tokens, with a file from a server
    [log] = inspect_ai.eval(
        inspect_ai.Task(
            dataset=[Sample(input="7+5?", target=gold) for gold in ("12", "12", "{")],
            scorer=verdict_scorer("math"),
        ),
        model=get_model("mockllm/model", custom_outputs=outputs),
        max_connections=1,
        max_samples=1,
        display="none",
        log_format="json",
        log_dir=str(tmp_path),
    )
    assert log.status == "success", log.error
    scores = [sample.scores["rewardkit"] for sample in log.samples]
    assert [score.metadata["outcome"] for score in scores] == ["correct", "incorrect", "bad_gold"]
    assert math.isnan(scores[2].value)
    assert log.results.scores[0].metrics["accuracy"].value == 0.5


def test_a_lighteval_metric():
    pytest.importorskip("lighteval")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from rewardkit.integrations.lighteval import verdict_metric

    metric = verdict_metric("math")

    def value(gold, *texts):
        doc = Doc(query="7+5?", choices=[gold], gold_index=0)
        return metric.compute_sample(doc=doc, model_response=ModelResponse(text=list(texts)))

    assert value("12", "It is 12", "13") == {"rewardkit": 0.5}
    assert math.isnan(value("{", "12")["rewardkit"])
    mean = metric.get_corpus_aggregations()["rewardkit"]
    assert mean([1.0, 0.0, float("nan")]) == 0.5
