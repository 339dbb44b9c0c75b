"""A teacher behind a server says what the same model says in memory; one that is away is told of."""

import importlib.util
import threading
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from rewardkit.errors import ConfigError, ModelError, TrainingError
from rewardkit.runs import RunFolder
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict
from rewardkit_native.learning import teachers
from rewardkit_native.learning.batch import make_batch
from rewardkit_native.learning.teachers import ServedTeacher
from rewardkit_native.loop import train
from rewardkit_native.model.logprobs import padded_scores

pytest.importorskip("httpx")
_PLACE = Path(__file__).parents[2] / "evaluation" / "chat_server.py"
_SPEC = importlib.util.spec_from_file_location("rewardkit_test_teaching_server", _PLACE)
chat_server = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(chat_server)

LISTED = [{"id": "m", "owned_by": "vllm", "max_model_len": 2048}]


class Scoring:
    """Answers /tokenize and /completions of a model as vLLM does."""

    def __init__(self, folder):
        self.model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.one_at_a_time = threading.Lock()

    def __call__(self, request):
        asked = request["prompt"]
        if isinstance(asked, str):
            return {"tokens": self.tokenizer.encode(asked, add_special_tokens=False)}
        with self.one_at_a_time, torch.no_grad():
            found = self.model(input_ids=torch.tensor([asked])).logits[0].log_softmax(-1)
        rows = [None]
        for row, token in zip(found, asked[1:], strict=False):
            likeliest = int(row.argmax())  # vLLM tells it beside the one that is there
            both = {likeliest, token} if request["prompt_logprobs"] else {token}
            rows.append({str(one): {"logprob": row[one].item(), "rank": 1} for one in both})
        return {"choices": [{"text": "?", "finish_reason": "length", "prompt_logprobs": rows}]}


@pytest.fixture(scope="module")
def scoring(teacher):
    return Scoring(teacher)


@pytest.fixture
def server(scoring):
    with chat_server.serve(scoring, models=LISTED) as found:
        yield found


@pytest.fixture
def served(configure):
    """A run with a teacher at an address, or with one for sums and another for products."""

    def make(*addresses, overrides=(), recipe="opd"):
        if len(addresses) == 1:
            asked = [f"model.teacher={addresses[0]}", *overrides]
            return configure(*asked, recipe={"name": recipe})
        tasks = [
            {
                "name": "arithmetic", "label": label, "args": {"operations": [sign]},
                "teacher": str(name),
            }
            for (label, sign), name in zip({"sums": "+", "products": "*"}.items(), addresses, strict=True)
        ]  # fmt: skip
        return configure(*overrides, recipe={"name": recipe}, task={}, tasks=tasks)

    return make


def two(folder):
    run = RunFolder.open(folder)
    weights = load_file(folder / "checkpoints" / "step-00002" / "model.safetensors")
    return list(run.rows("metrics.jsonl")), weights


def test_it_teaches_what_the_same_model_does_in_memory(served, server, teacher, tmp_path):
    server.failures = {"500": 0.1, "cut": 0.1}  # and whoever fails is asked again
    found, said = two(train(served(f"{server.url}#m")))
    expected, known = two(train(served(str(teacher), overrides=[f"folder={tmp_path / 'own'}"])))
    assert [row["kl"] for row in found] == pytest.approx([row["kl"] for row in expected], abs=1e-4)
    assert found[0]["kl"] > 0.05
    assert "teacher_entropy" not in found[0]  # it is not told
    assert all((said[name] - known[name]).abs().max() <= 1e-4 for name in known)
    texts = [one for one in server.requests if isinstance(one["prompt"], str)]
    assert len({one["prompt"] for one in texts}) == 1  # of the start: tokens alone are scored


def test_one_task_may_have_its_teacher_there_and_another_here(served, server, teacher, tmp_path):
    found, _ = two(train(served(f"{server.url}#m", teacher)))
    here = served(teacher, teacher, overrides=[f"folder={tmp_path / 'own'}"])
    expected, _ = two(train(here))
    assert [row["kl"] for row in found] == pytest.approx([row["kl"] for row in expected], abs=1e-4)


def test_who_is_away_or_reads_other_tokens_is_refused_at_once(served, server, tiny_model):
    with pytest.raises(ModelError, match=r"does not answer \(ConnectError.*that its address"):
        train(served("http://127.0.0.1:9/v1#m"))
    with pytest.raises(ModelError, match="serves no model 'another'; it has m"):
        train(served(f"{server.url}#another"))
    with pytest.raises(ConfigError, match=r"type http://.*/v1#MODEL"):
        train(served(server.url))
    honest = server.answer
    server.answer = lambda request: chat_server.completion("no log-probabilities, and no tokens")
    with pytest.raises(ModelError, match="no tokens"):
        train(served(f"{server.url}#m"))
    server.answer = lambda request: (
        {"tokens": [7, *honest(request)["tokens"]]}
        if isinstance(request["prompt"], str)
        else honest(request)
    )
    with pytest.raises(ConfigError, match=r"reads other tokens than .*tiny.*the same tokenizer"):
        train(served(f"{server.url}#m"))


@pytest.mark.parametrize(
    ("overrides", "recipe", "message"),
    [
        ([], "gkd", "kl = 'jsd'.*take recipe.name = opd"),
        (["sampling.temperature=0.7"], "opd", "sampling.temperature = 0.7"),
    ],
)
def test_what_a_server_does_not_tell_is_refused(served, overrides, recipe, message):
    with pytest.raises(ConfigError, match=message):
        served("http://localhost:8000/v1#m", overrides=overrides, recipe=recipe)


def batch_of(prompts, responses):
    groups = [
        Group(
            Problem("p", "?", "1"),
            (Rollout("", tuple(tokens), (-1.0,) * len(tokens), Finish.STOP),),
            (Verdict(Outcome.CORRECT),),
            (Reward(1.0, {}),),
        )
        for tokens in responses
    ]
    return make_batch(groups, prompts)


PROMPTS, RESPONSES = [[5, 9, 3, 7], [8, 2]], [[4, 6, 8, 1], [11, 1]]


def compared(address, model):
    """What a server says of two responses, and what the model does."""
    found = ServedTeacher(address).score(batch_of(PROMPTS, RESPONSES), torch.arange(2))
    with torch.no_grad():
        return found, padded_scores(model, PROMPTS, RESPONSES).logprobs


def test_whoever_stays_away_ends_the_run_that_can_go_on(server, scoring, monkeypatch):
    found, expected = compared(f"{server.url}#m", scoring.model)
    assert (found - expected).abs().max() <= 1e-5
    monkeypatch.setattr(teachers, "WAIT_S", 0.5)
    teacher = ServedTeacher(f"{server.url}#m")
    server.failures = {"500": 1.0}
    with pytest.raises(TrainingError, match="says nothing: HTTP 500"):
        teacher.score(batch_of(PROMPTS, RESPONSES), torch.arange(2))


@pytest.mark.vllm
@pytest.mark.timeout(900)
def test_a_real_server_says_the_same(vllm_servers, teacher):
    model = AutoModelForCausalLM.from_pretrained(teacher, dtype=torch.float32)
    with vllm_servers(str(teacher), 1, "--max-model-len", "512") as [server]:
        address = f"{server.url}#m"
        found, expected = compared(address, model)
        tokenizer = AutoTokenizer.from_pretrained(teacher)
        ServedTeacher(address).refuse_other_tokens("it", tokenizer)
        tokenizer.add_tokens(["<another>"])
        with pytest.raises(ConfigError, match="<another>"):
            ServedTeacher(address).refuse_other_tokens("it", tokenizer)
    assert (found - expected).abs().max() <= 1e-4
