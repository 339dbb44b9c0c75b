"""How a model is asked: what is sent, what is recorded, and what `compare` makes of it."""

from __future__ import annotations

import json

import pytest
import rewardkit_test_calls as calls
from rewardkit_test_server import completion, serve

from rewardkit.cli import main
from rewardkit.config import TaskConfig
from rewardkit.data.asking import BOXED_PROMPT, PromptTemplate
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.evaluation.asking.asking import Asking, asked_differently
from rewardkit.evaluation.asking.protocols import PROTOCOLS, asked_by
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.engines.base import DecodingSettings, sampling_record
from rewardkit.types import Problem, Task
from rewardkit.verifiers import IntegerVerifier, MathVerifier, TextVerifier


def evaluate(server, problems_file, folder, *more):
    return calls.evaluate(server, problems_file, folder, "--limit", "1", *more), server.requests[-1]


def test_what_is_asked_is_sent_recorded_and_kept_apart(problems_file, tmp_path, capsys):
    with serve() as server:
        plain, sent = evaluate(server, problems_file, tmp_path / "r", "--samples", "1")
        assert plain["asking"] == {}
        assert set(sent) == {"model", "messages", "seed", "stream", "stream_options"}
        asked, sent = evaluate(
            *(server, problems_file, tmp_path / "r", "--samples", "1"),
            *("--system-prompt", "Be brief.", "--prompt", "{id}: {question}"),
            *("--chat-template-kwargs", "enable_thinking=false"),
            *("--stop", "Q:", "--stop", "\n\n\n", "--extra-body", "min_p=0.05"),
        )
    assert sent["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "p0: What is 2 times 1? (form 0)"},
    ]
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}
    assert sent["stop"] == ["Q:", "\n\n\n"]
    assert sent["min_p"] == 0.05
    assert asked["asking"] == {
        "system_prompt": "Be brief.",
        "prompt": "{id}: {question}",
        "chat_template_kwargs": {"enable_thinking": False},
        "stop": ["Q:", "\n\n\n"],
        "extra_body": {"min_p": 0.05},
    }
    # Nothing of the first call stood in for the second.
    assert len(read_samples(tmp_path / "r")) == 2
    capsys.readouterr()
    main(["eval", "regrade", str(tmp_path / "r"), "--no-report"])
    assert "regraded 1 responses; 0 verdicts changed" in capsys.readouterr().out
    differences = asked_differently(plain, asked)
    assert "system_prompt: 'not set' in A, 'Be brief.' in B" in differences
    assert not [line for line in differences if line.startswith("sums:")]  # it is said by name


def test_what_is_said_by_a_flag_or_by_set_is_the_same(problems_file, tmp_path):
    few = ("--samples", "1", "--limit", "2")
    with serve() as server:
        flags, _ = evaluate(
            *(server, problems_file, tmp_path / "r", *few, "--system-prompt", "Be brief."),
            *("--chat-template-kwargs", "enable_thinking=false"),
        )
        settings, _ = evaluate(
            *(server, problems_file, tmp_path / "r", *few, "--set", "task.system=Be brief."),
            *("--set", "task.chat_template_kwargs.enable_thinking=false"),
        )
        assert len(server.requests) == 2
    assert flags["asking"] == settings["asking"]
    assert asked_differently(flags, settings) == []


def test_a_protocol_says_prompt_decoding_and_samples(problems_file, tmp_path):
    with serve() as server:
        found, sent = evaluate(server, problems_file, tmp_path / "a", "--protocol", "deepseek-r1")
        assert (sent["temperature"], sent["top_p"], sent["max_tokens"]) == (0.6, 0.95, 32_768)
        assert sent["messages"][-1]["content"] == (
            "What is 2 times 1? (form 0)\n\n"
            "Please reason step by step, and put your final answer within \\boxed{}."
        )
        assert found["sampling"]["samples_per_problem"] == 64
        assert found["asking"] == {"protocol": "deepseek-r1"}
        found, sent = evaluate(
            *(server, problems_file, tmp_path / "b", "--protocol", "qwen3-no-think"),
            *("--samples", "1", "--temperature", "0.5", "--prompt", "So: {question}"),
        )
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}
    assert (sent["temperature"], sent["top_p"], sent["top_k"]) == (0.5, 0.8, 20)
    assert sent["messages"][-1]["content"] == "So: What is 2 times 1? (form 0)"
    assert found["sampling"]["samples_per_problem"] == 1


def task(verifier):
    return Task("t", (), (), PromptTemplate(BOXED_PROMPT), verifier)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_asks_for_a_box_and_names_its_source(name):
    for verifier in (IntegerVerifier(0, 999), MathVerifier()):
        [turn] = asked_by(name, task(verifier)).messages(Problem("1", "Why {this}?", "2"))
        assert "Why {this}?" in turn["content"]
        assert "\\boxed{}" in turn["content"]
    assert PROTOCOLS[name].source


def test_matharena_says_of_integers_that_they_are_in_the_words_of_the_task_whatever_grades():
    problem, whole = Problem("1", "Q", "2"), IntegerVerifier(0, 999)
    box = "Put your final answer within \\boxed{}."
    for grades, own in ((whole, None), (TextVerifier(), whole)):
        [turn] = asked_by("matharena", task(grades), own).messages(problem)
        said = "The answer is an integer between 0 and 999 inclusive."
        assert turn["content"] == f"{box}\n{said}\n\nQ"
    [turn] = asked_by("matharena", task(MathVerifier()), TextVerifier()).messages(problem)
    assert turn["content"] == f"{box}\n\nQ"


def test_matharena_draws_more_of_apex_unless_told(problems_file, tmp_path):
    """Of apex_2025 16, of all others 4: github.com/eth-sri/matharena, scripts/run.py."""
    both = f"apex_2025={problems_file},smt_2025={problems_file}"

    def counts(folder, task, *more):
        words = ("--protocol", "matharena", "--no-report", *more)
        with serve() as server:
            found, _ = evaluate(server, task, tmp_path / folder, *words)
        sets = {name: row["samples_per_problem"] for name, row in found["sets"].items()}
        return found["sampling"]["samples_per_problem"], sets

    assert counts("both", both) == (4, {"apex_2025": 16, "smt_2025": 4})
    assert counts("one", both.split(",")[0]) == (16, {"apex_2025": 16})
    assert counts("told", both, "--samples", "2") == (2, {"apex_2025": 2, "smt_2025": 2})
    main(["eval", "regrade", str(tmp_path / "both"), "--no-report"])
    again = calls.results(tmp_path / "both")["sets"]
    assert again["apex_2025"]["samples"] == 16
    assert again["apex_2025"]["complete"]


def test_what_is_refused():
    with pytest.raises(UnknownNameError, match="deepseek-r1"):
        Asking(protocol="deepseek")
    with pytest.raises(ConfigError, match="TextVerifier"):
        asked_by("qwen3", task(TextVerifier()))
    with pytest.raises(ConfigError, match=r"--prompt and --set task\.prompt"):
        Asking(prompt="{question}").laid_over(TaskConfig(prompt="{question}?"))
    with pytest.raises(ConfigError, match="empty text"):
        DecodingSettings(stop=("",))


def test_keys_of_earlier_versions_stay():
    names = {"max_tokens": 8, "temperature": 1.0, "top_p": 1.0, "top_k": 0, "seed": 0}
    assert sampling_record(DecodingSettings(8, 1.0, 1.0, 0), 0) == names


def evaluation(engine, chat, prompt):
    row = {"id": "1", "prompt_hash": prompt, **({"chat_hash": chat} if chat else {})}
    return {"engine": engine, "asking": {}, "sets": {"s": {"per_problem": [row]}}}


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (("openai", "c", "p"), ("openai", "c", "p"), None),
        (("openai", "c", "p"), ("fast", "c", "q"), "a server keeps its own to itself"),
        (("fast", "c", "p"), ("fast", "c", "q"), "under other chat templates"),
        (("openai", "c", "p"), ("openai", "d", "q"), "differ in words, those of the question"),
        (("fast", None, "p"), ("fast", None, "q"), "in words or chat template"),
        (("fast", None, "p"), ("openai", "c", "q"), "in words or chat template"),
    ],
)
def test_a_template_that_is_not_known_is_not_called_another(a, b, said):
    found = asked_differently(evaluation(*a), evaluation(*b))
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


def test_reasoning_is_kept_counted_and_graded_only_when_asked(problems_file, tmp_path):
    def thinking(request):
        body = completion("I am done.")
        body["choices"][0]["message"]["reasoning_content"] = "It is \\boxed{2}."
        body["usage"]["completion_tokens"] = 40
        return body

    with serve(thinking) as server:
        found, _ = evaluate(server, problems_file, tmp_path / "r", "--samples", "2")
        [sample, _] = read_samples(tmp_path / "r").values()
        assert (sample.reasoning, sample.response) == ("It is \\boxed{2}.", "I am done.")
        assert found["sets"]["sums"]["accuracy"] == 0
        assert found["sets"]["sums"]["tokens"]["mean"] == 40
        found, _ = evaluate(
            server, problems_file, tmp_path / "r", "--samples", "2", "--grade-reasoning"
        )
        assert len(server.requests) == 2  # graded anew, not drawn
    assert found["sets"]["sums"]["accuracy"] == 1
    assert found["asking"] == {"grade_reasoning": True}


def test_a_verifier_and_the_split_to_train_on_can_be_chosen(tmp_path):
    with serve(lambda request: completion("Answer: two")) as server:
        words = ("--split", "train", "--limit", "2", "--samples", "1", "--verifier", "text")
        found = calls.evaluate(server, "arithmetic", tmp_path / "r", *words)
    [(name, row)] = found["sets"].items()
    assert (name, row["samples"]) == ("arithmetic/train", 2)
    run = json.loads((tmp_path / "r" / "run.json").read_text())
    assert run["verifiers"] == {"arithmetic/train": "TextVerifier(aliases=(), answer_in=('box',))"}
