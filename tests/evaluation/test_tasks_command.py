"""`rewardkit tasks NAME` shows what a model is asked, as a chat and as a prompt."""

import json

import pytest
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

from rewardkit.cli import main

TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"


@pytest.fixture
def task(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"id": "p1", "question": "1+1?", "answer": "2"}))
    return [
        "tasks",
        f"file:{path}",
        "--set",
        "task.system=Be brief.",
        "--set",
        "task.prompt={id}: {question}",
    ]


def test_the_chat_that_asks_a_problem(task, capsys):
    main(task)
    shown = capsys.readouterr().out
    assert "problem p1 is asked as:\nsystem: Be brief.\nuser: p1: 1+1?\n" in shown


def test_the_file_of_a_run_shows_what_the_run_asks(task, tmp_path, capsys):
    (tmp_path / "run.toml").write_text(
        f'folder = "x"\nsteps = 1\n[[tasks]]\nname = "{task[1]}"\nlabel = "own"\n'
        'answer_in = "tag"\n[[tasks]]\nname = "arithmetic"\n'
    )
    main(["tasks", str(tmp_path / "run.toml"), "--set", "tasks.1.answer_in=tag"])
    shown = capsys.readouterr().out
    assert "1+1?\n\nPut your final answer within <answer> </answer> tags.\nproblem " in shown
    assert "NOTE arithmetic: the prompt asks for the answer as \\boxed{...}" in shown


def test_what_is_known_without_the_data_is_said_where_they_cannot_be_read(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"question": "1+1?"}')
    with pytest.raises(SystemExit):
        main(["tasks", f"file:{path}"])
    said = capsys.readouterr()
    assert said.out.startswith("rows version 1; source: ")
    assert "no field 'answer'" in said.err


def test_the_prompt_as_the_model_gets_it(task, tmp_path, capsys):
    folder = tmp_path / "model"
    bpe = Tokenizer(models.BPE({"a": 0}, []))
    PreTrainedTokenizerFast(tokenizer_object=bpe, chat_template=TEMPLATE).save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
    (folder / "model.safetensors").touch()
    main([*task, "--model", str(folder)])
    assert "<system>Be brief.<user>p1: 1+1?<assistant>" in capsys.readouterr().out
