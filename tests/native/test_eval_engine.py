from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace

import pytest

pytest.importorskip("torch")

from rewardkit.checks import encode_problem
from rewardkit.cli import main
from rewardkit.errors import ModelError
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    EngineOptions,
    Failure,
    Request,
    load_engine,
)
from rewardkit.evaluation.models import fingerprint
from rewardkit.runs.seal import publishing
from rewardkit.types import Finish, Problem, Task
from rewardkit_native.model.tiny import make_tiny

CHAT = [{"role": "user", "content": "What is 1 + 2?"}]
OTHER = [{"role": "user", "content": "What is 3 + 4?"}]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    folder.mkdir()
    make_tiny(folder, steps=2)
    return folder


def engine(model, decoding=None, name="transformers", **options):
    return load_engine(
        name, str(model), decoding or DecodingSettings(max_tokens=8), EngineOptions(**options)
    )


def test_a_sample_depends_on_its_seed_and_not_on_its_batch(model):
    requests = [Request(CHAT, 1), Request(CHAT, 2), Request(OTHER, 1), Request(OTHER, 3)]
    together = dict(engine(model, batch_rows=4).generate(requests))
    alone = dict(engine(model, batch_rows=1).generate(requests))
    assert sorted(together) == [0, 1, 2, 3]
    assert [together[i].text for i in range(4)] == [alone[i].text for i in range(4)]
    assert together[0].text != together[1].text
    assert all(1 <= r.tokens <= 8 for r in together.values())
    assert {r.finish for r in together.values()} <= {Finish.STOP, Finish.LENGTH}


def test_a_stop_text_ends_a_response(model):
    whole = next(r for _, r in engine(model).generate([Request(CHAT, 1)]))
    end = whole.text[2]
    stopped = engine(model, DecodingSettings(max_tokens=8, stop=(end,)))
    [(_, found)] = stopped.generate([Request(CHAT, 1)])
    assert found.text == whole.text[: whole.text.index(end) + 1]
    assert found.finish is Finish.STOP
    assert stopped.decoding.stop == (end,)


def asking(length):
    return [{"role": "user", "content": "1" * length}]


@pytest.fixture
def narrow(model, tmp_path):
    """A model of 300 positions; a chat takes three of them beside its text."""
    folder = tmp_path / "narrow"
    shutil.copytree(model, folder)
    config = folder / "config.json"
    settings = json.loads(config.read_text()) | {"max_position_embeddings": 300}
    config.write_text(json.dumps(settings))
    return folder


def test_a_long_prompt_costs_its_neighbours_nothing(narrow):
    opened = engine(narrow, DecodingSettings(max_tokens=24), batch_rows=8)
    alone = dict(opened.generate([Request(CHAT, seed) for seed in range(4)]))
    assert max(response.tokens for response in alone.values()) > 2
    # 297 digits fill the context, and 295 leave room for two tokens.
    long = [Request(asking(297), 0), Request(asking(400), 0), Request(asking(295), 0)]
    found = dict(opened.generate([*(Request(CHAT, seed) for seed in range(4)), *long]))
    assert sorted(found) == list(range(7))
    for index, response in alone.items():
        assert (found[index].text, found[index].finish) == (response.text, response.finish)
    assert found[4] == found[5] == Failure("the prompt fills the model's 300 positions")
    assert 1 <= found[6].tokens <= 2


def test_prompts_that_leave_unequal_room_share_a_batch(narrow, monkeypatch):
    opened = engine(narrow, DecodingSettings(max_tokens=290))
    batches = []
    sample = opened._sampler.sample

    def listen(prompts, seeds, params):
        batches.append((len(prompts), params.max_tokens))
        return sample(prompts, seeds, replace(params, max_tokens=2))

    monkeypatch.setattr(opened._sampler, "sample", listen)
    lengths = [1, 20, 200, 30]
    found = dict(opened.generate([Request(asking(length), 1) for length in lengths]))
    # Room for 296, 277, 97 and 267 tokens: as asked, twice a multiple of 256, and all there is.
    assert sorted(batches) == [(1, 97), (1, 290), (2, 256)]
    assert [found[i].prompt_tokens - 3 for i in range(4)] == lengths


def test_a_checkpoint_of_ours_is_known_by_its_seal(tmp_path, monkeypatch):
    sealed, copy = tmp_path / "step-00001", tmp_path / "copy"
    with publishing(sealed, step=1) as part:
        (part / "model.safetensors").write_bytes(b"weights")
        (part / "trainer_state.pt").write_bytes(b"moments")
    copy.mkdir()
    shutil.copy(sealed / "model.safetensors", copy)
    weights = fingerprint(str(copy))

    def read(*_):
        raise AssertionError("a sealed file was read")

    with monkeypatch.context() as patched:
        patched.setattr(hashlib, "file_digest", read)
        assert fingerprint(str(sealed)) == weights
    (sealed / "model.safetensors").write_bytes(b"Weights")
    later = (sealed / "checkpoint.json").stat().st_mtime_ns + 1
    os.utime(sealed / "model.safetensors", ns=(later, later))
    assert fingerprint(str(sealed)) != weights


@pytest.mark.parametrize("text", ["[]", "{", '{"files": {"model.safetensors": 3}}', '{"files": 1}'])
def test_a_seal_that_says_nothing_is_passed_over(tmp_path, text):
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    weights = fingerprint(str(tmp_path))
    (tmp_path / "checkpoint.json").write_text(text)
    assert fingerprint(str(tmp_path)) == weights


def test_the_fast_engine_draws_the_same(model):
    requests = [Request(CHAT, 1), Request(CHAT, 2), Request(OTHER, 1)]
    slow, fast = (dict(engine(model, name=n).generate(requests)) for n in ("transformers", "fast"))
    assert [slow[i].text for i in range(3)] == [fast[i].text for i in range(3)]


def test_a_model_that_the_fast_engine_does_not_know_is_refused(model, monkeypatch):
    monkeypatch.setattr(
        "rewardkit_native.engines.local.why_not_fast", lambda model: "it is too odd"
    )
    with pytest.raises(ModelError, match="too odd; use --engine transformers"):
        engine(model, name="fast")


def test_the_prompt_is_what_the_template_makes_of_the_chat(model):
    opened = engine(model)
    prompt = opened.render(CHAT)
    assert "What is 1 + 2?" in prompt
    assert prompt.endswith("<|assistant|>")
    response = dict(opened.generate([Request(CHAT, 1)]))[0]
    assert response.prompt_tokens == len(opened.tokenizer.encode(prompt))


def test_a_model_without_a_chat_template_says_how_to_give_one(model, tmp_path):
    bare = tmp_path / "bare"
    shutil.copytree(model, bare)
    (bare / "chat_template.jinja").unlink(missing_ok=True)
    config = bare / "tokenizer_config.json"
    settings = json.loads(config.read_text())
    settings.pop("chat_template", None)
    config.write_text(json.dumps(settings))
    with pytest.raises(ModelError, match="--chat-template FILE"):
        engine(bare)
    template = tmp_path / "own.jinja"
    template.write_text("{% for m in messages %}[{{ m['content'] }}]{% endfor %}")
    assert engine(bare, chat_template=template).render(CHAT) == "[What is 1 + 2?]"


def test_defaults_come_from_the_generation_config(model, tmp_path):
    tuned = tmp_path / "tuned"
    shutil.copytree(model, tuned)
    config = tuned / "generation_config.json"
    settings = json.loads(config.read_text()) if config.exists() else {}
    settings |= {"do_sample": True, "temperature": 0.6, "top_p": 0.9, "top_k": 20}
    config.write_text(json.dumps(settings | {"max_new_tokens": 5}))
    assert engine(tuned, DecodingSettings()).decoding == DecodingSettings(5, 0.6, 0.9, 20)
    assert engine(tuned, DecodingSettings(7, 0.0)).decoding == DecodingSettings(7, 0.0, 0.9, 20)


def test_a_folder_is_evaluated_and_regraded_without_its_model(model, tmp_path, capsys):
    path = tmp_path / "sums.jsonl"
    path.write_text(json.dumps({"problem": "What is 1 + 2?", "answer": "3"}))
    moved = tmp_path / "model"
    shutil.copytree(model, moved)
    run = tmp_path / "run"
    arguments = ["--task", f"file:{path}", "--run-dir", str(run), "--workers", "1"]
    main(["eval", "--model", str(moved), *arguments, "--samples", "2", "--max-tokens", "8"])
    before = (run / "results.json").read_bytes()
    asked = json.loads((run / "prompts.json").read_text())
    assert "add_generation_prompt" in asked["chat_template"]
    assert len(asked["chat_template_hash"]) == 16
    shutil.rmtree(moved)
    main(["eval", "regrade", str(run)])
    assert (run / "results.json").read_bytes() == before
    assert "regraded 2 responses" in capsys.readouterr().out


def test_what_the_template_is_called_with_reaches_it(model, tmp_path):
    thinking = tmp_path / "thinking.jinja"
    thinking.write_text(
        "{{ messages[-1].content }}{% if thinking %} Think!{% endif %}<|assistant|>"
    )
    opened = engine(model, chat_template=thinking)
    asked = {"thinking": True}
    assert opened.render(CHAT, asked).endswith("Think!<|assistant|>")
    found = dict(opened.generate([Request(CHAT, 1), Request(CHAT, 1, asked)]))
    assert found[1].prompt_tokens > found[0].prompt_tokens

    problem = Problem("1", CHAT[-1]["content"], "3")
    task = Task("t", [problem], [], lambda _: CHAT, same, chat_template_kwargs=asked)
    tokens = encode_problem(opened.tokenizer, task, problem)
    assert opened.tokenizer.decode(tokens).endswith("Think!<|assistant|>")


def same(response, answer):
    return response == answer
