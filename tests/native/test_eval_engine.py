from __future__ import annotations

import json
import shutil

import pytest

pytest.importorskip("torch")

from rewardkit.cli import main
from rewardkit.errors import ModelError
from rewardkit.evaluation.engines import Decoding, EngineOptions, Request, load_engine
from rewardkit.types import Finish
from rewardkit_native.tiny import make_tiny

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
        name, str(model), decoding or Decoding(max_tokens=8), EngineOptions(**options)
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


def test_the_fast_engine_draws_the_same(model):
    requests = [Request(CHAT, 1), Request(CHAT, 2), Request(OTHER, 1)]
    slow, fast = (dict(engine(model, name=n).generate(requests)) for n in ("transformers", "fast"))
    assert [slow[i].text for i in range(3)] == [fast[i].text for i in range(3)]


def test_a_model_that_the_fast_engine_does_not_know_is_refused(model, monkeypatch):
    monkeypatch.setattr("rewardkit_native.engine.why_not_fast", lambda model: "it is too odd")
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
    assert engine(tuned, Decoding()).decoding == Decoding(5, 0.6, 0.9, 20)
    assert engine(tuned, Decoding(7, 0.0)).decoding == Decoding(7, 0.0, 0.9, 20)


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
    main(["eval", "--regrade", "--run-dir", str(run)])
    assert (run / "results.json").read_bytes() == before
    assert "regraded 2 responses" in capsys.readouterr().out
