"""`--engine vllm` from the command line on: with a stand-in, and where it is installed with vLLM."""

import itertools
import json
import os
import signal
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("torch")

from rewardkit.cli import main
from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    EngineOptions,
    Failure,
    Request,
    load_engine,
)
from rewardkit.evaluation.engines.vllm_fleet import Fleet
from rewardkit.evaluation.models import resolve_model
from rewardkit.types import Finish

CHAT = [{"role": "user", "content": "What is 1 + 2?"}]


def engine(model, decoding=None, **options):
    return load_engine(
        "vllm", str(model), decoding or DecodingSettings(max_tokens=8), EngineOptions(**options)
    )


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    """vLLM's place taken by the stand-in; the path is where it writes what it was made with."""
    fake = str(Path(__file__).with_name("fake_vllm"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([fake, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("FAKE_RECORD", str(tmp_path / "record.jsonl"))
    monkeypatch.delenv("VLLM_CPU_KVCACHE_SPACE", raising=False)
    monkeypatch.setattr("rewardkit.evaluation.engines.vllm_engine.find_spec", lambda name: name)
    monkeypatch.setattr("rewardkit.evaluation.asking.names.find_spec", lambda name: name)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    return tmp_path / "record.jsonl"


def test_on_a_cpu_it_computes_in_what_the_help_says_and_reads_prompts_whole(stand_in, tiny_model):
    opened = engine(tiny_model, engine_args=("max_num_seqs=3",))
    try:
        [(index, response)] = opened.generate([Request(CHAT, 7)])
    finally:
        opened.close()
    assert opened.fingerprint.endswith(" in float32")
    [made] = map(json.loads, stand_in.read_text().splitlines())
    assert (made["dtype"], made["enable_chunked_prefill"]) == ("float32", False)
    assert (made["max_model_len"], made["max_num_seqs"]) == (512, 3)
    assert (index, response.finish) == (0, Finish.STOP)
    ids = opened._tokenizer.encode(opened.render(CHAT), add_special_tokens=False)
    assert json.loads(response.text)[:2] == [sum(ids), 7]
    assert response.prompt_tokens == len(ids)


def test_engines_are_made_once_unless_a_longer_prompt_comes(stand_in, tiny_model):
    opened = engine(tiny_model)
    assert not stand_in.exists()  # nothing was asked yet
    opened._context = 5000
    long = [{"role": "user", "content": "1" * 1200}]
    try:
        for messages in (CHAT, CHAT, long, CHAT):
            assert len(list(opened.generate([Request(messages, 1)]))) == 1
    finally:
        opened.close()
    made = [json.loads(line)["max_model_len"] for line in stand_in.read_text().splitlines()]
    assert made == [1024, 2048]


def test_a_prompt_that_fills_the_context_is_missing_and_alone(stand_in, tiny_model):
    opened = engine(tiny_model, engine_args=("max_model_len=40",))
    try:
        long = [{"role": "user", "content": "1" * 60}]
        found = dict(opened.generate([Request(long, 1), Request(CHAT, 2)]))
    finally:
        opened.close()
    assert found[0] == Failure("the prompt fills the model's 40 positions")
    assert found[1].finish is Finish.STOP
    assert json.loads(stand_in.read_text())["max_model_len"] == 40


@pytest.mark.parametrize(
    ("arguments", "ending"),
    [
        ((), " in float32"),
        (("max_num_seqs=3", "seed=4"), " in float32"),
        (("quantization=fp8", "max_num_seqs=3"), " in float32 with quantization='fp8'"),
    ],
)
def test_samples_of_other_arguments_stand_in_for_these_only_where_they_may(
    stand_in, tiny_model, arguments, ending
):
    assert engine(tiny_model, engine_args=arguments).fingerprint.endswith(ending)


def test_what_other_engines_do_not_read_is_refused():
    for option in ({"data_parallel": 2}, {"tensor_parallel": 2}, {"engine_args": ("a=1",)}):
        with pytest.raises(ConfigError, match=r"takes no --.*read by vllm"):
            load_engine("fast", "m", DecodingSettings(), EngineOptions(**option))


def test_more_gpus_than_there_are_are_refused_before_anything_is_read(stand_in, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    with pytest.raises(ConfigError, match="takes 4 GPUs, and 2 are visible"):
        engine("owner/name", data_parallel=2, tensor_parallel=2)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "6,7")
    with pytest.raises(ModelError, match="could not load"):  # there are enough of them
        engine("owner/name", data_parallel=2)


def command(model, problems, run_dir, *more):
    return [
        "eval", "--model", str(model), "--task", f"file:{problems}", "--run-dir", str(run_dir),
        "--engine", "vllm", "--workers", "1", "--no-report", *more,
    ]  # fmt: skip


def rows(run_dir):
    """What was drawn, but for how long it took."""
    return {
        key: (sample.problem, sample.index, sample.response, sample.tokens, sample.finish)
        for key, sample in read_samples(run_dir).items()
    }


def written(run_dir):
    """The results, but for the name of the engine's folder."""
    return json.loads((run_dir / "results.json").read_text())["evaluations"]


def test_the_command_line_runs_two_engines(stand_in, tiny_model, problems_file, tmp_path):
    arguments = ["--samples", "3", "--max-tokens", "8"]
    more = ["--data-parallel", "2", "--engine-args", "max_num_seqs=3", "enforce_eager=false"]
    main(command(tiny_model, problems_file, tmp_path / "two", *arguments, *more))
    main(command(tiny_model, problems_file, tmp_path / "one", *arguments))
    assert rows(tmp_path / "two") == rows(tmp_path / "one")
    assert written(tmp_path / "two") == written(tmp_path / "one")
    made = [json.loads(line) for line in stand_in.read_text().splitlines()]
    *two, one = [(each["max_num_seqs"], each["enforce_eager"]) for each in made]
    assert {*two} == {(3, False)}  # the first may have drawn all before the second was there
    assert one == (2, True)


def test_what_came_before_ctrl_c_is_kept_and_the_rest_is_drawn_later(
    stand_in, tiny_model, problems_file, tmp_path, monkeypatch
):
    run, answers, started = tmp_path / "run", Fleet.answers, []

    def interrupted(self, jobs):
        started.extend(engine.process for engine in self.engines)
        yield from itertools.islice(answers(self, jobs), 5)
        raise KeyboardInterrupt

    arguments = command(tiny_model, problems_file, run, "--samples", "3", "--max-tokens", "8")
    with monkeypatch.context() as patched:
        patched.setattr(Fleet, "answers", interrupted)
        with pytest.raises(SystemExit) as ended:
            main(arguments)
    assert ended.value.code == 130
    assert started[0].poll() is not None  # no engine stays behind
    assert len((run / "samples.jsonl").read_text().splitlines()) == 5
    main(arguments)
    assert len((run / "samples.jsonl").read_text().splitlines()) == 18
    main(command(tiny_model, problems_file, tmp_path / "whole", *arguments[-4:]))
    assert rows(run) == rows(tmp_path / "whole")
    assert written(run) == written(tmp_path / "whole")
    made = len(stand_in.read_text().splitlines())
    main(arguments)
    assert len(stand_in.read_text().splitlines()) == made  # nothing is missing: nothing is loaded


@pytest.fixture(scope="module")
def kept_engine(tiny_model):
    if find_spec("vllm") is None:
        pytest.skip("vLLM is not installed")
    decoding = DecodingSettings(max_tokens=12, temperature=0.8)
    opened = engine(tiny_model, decoding)
    yield opened
    opened.close()


@pytest.mark.vllm
@pytest.mark.timeout(900)
def test_many_seeded_prompts_at_once_on_a_cpu(kept_engine):
    """More prompt tokens than vLLM reads in a step; pieces of them would end the engine."""
    chats = [
        [{"role": "user", "content": "What is " + " + ".join(["3"] * n)}] for n in range(1, 65)
    ]
    requests = [Request(chat, seed) for chat in chats for seed in range(2)]
    found = dict(kept_engine.generate(requests))
    assert sorted(found) == list(range(len(requests)))
    assert all(1 <= response.tokens <= 12 for response in found.values())
    alone = dict(kept_engine.generate([requests[5], requests[100]]))
    assert [alone[i].text for i in (0, 1)] == [found[5].text, found[100].text]


SETTINGS = ["--samples", "6", "--max-tokens", "40", "--temperature", "0.8"]


def sums(path):
    """A file of 16 problems."""
    lines = [
        json.dumps({"id": f"p{i}", "problem": f"What is {i} + {2 * i}?", "answer": str(3 * i)})
        for i in range(16)
    ]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.vllm
@pytest.mark.timeout(1500)
def test_an_engine_killed_in_the_middle_changes_no_result(tmp_path, monkeypatch, caplog):
    """kill -9 of one of two while both have responses open: as if there had been one, unharmed."""
    model = "smollm2-135m"
    problems = sums(tmp_path / "sums.jsonl")
    settings = [*SETTINGS, "--engine-args", "max_num_seqs=8"]
    main(command(model, problems, tmp_path / "one", *settings))

    killed, answers, feed = [], Fleet.answers, Fleet._feed

    def when_all_are_loaded(self, *arguments):
        if all(engine.rows for engine in self.alive):
            feed(self, *arguments)

    def killing(self, jobs):
        for count, answer in enumerate(answers(self, jobs)):
            yield answer
            if count == 30:
                os.kill(self.engines[1].process.pid, signal.SIGKILL)
                killed.append(len(self.engines[1].open))

    monkeypatch.setattr(Fleet, "answers", killing)
    monkeypatch.setattr(Fleet, "_feed", when_all_are_loaded)
    main(command(model, problems, tmp_path / "two", *settings, "--data-parallel", "2"))
    assert "a vLLM engine has died" in caplog.text
    assert killed[0] > 0  # it had begun what others then answered
    one, two = rows(tmp_path / "one"), rows(tmp_path / "two")
    assert len((tmp_path / "two" / "samples.jsonl").read_text().splitlines()) == 16 * 6
    assert two == one
    assert written(tmp_path / "two") == written(tmp_path / "one")


@pytest.mark.vllm
@pytest.mark.timeout(1500)
def test_a_server_killed_in_the_middle_changes_no_result(vllm_servers, tmp_path, caplog):
    """kill -9 of one of two vLLM servers: the other answers what it had begun, once."""
    model, problems = "smollm2-135m", sums(tmp_path / "sums.jsonl")
    with vllm_servers(resolve_model(model), 2) as (first, second):

        def ask(run_dir, urls):
            main([
                "eval", "--model", "m", "--task", f"file:{problems}", "--run-dir", str(run_dir),
                "--engine", "openai", "--base-url", urls, "--concurrency", "8", *SETTINGS,
                "--workers", "1", "--no-report",
            ])  # fmt: skip

        ask(tmp_path / "one", first.url)
        ledger = tmp_path / "two" / "samples.jsonl"
        killed = []

        def kill_in_the_middle():
            while not ledger.exists() or len(ledger.read_text().splitlines()) < 30:
                time.sleep(0.02)
            second.kill()
            killed.append(len(ledger.read_text().splitlines()))

        threading.Thread(target=kill_in_the_middle, daemon=True).start()
        ask(tmp_path / "two", f"{first.url},{second.url}")
    assert killed[0] < 90  # some were still to come
    assert f"127.0.0.1:{second.port}" in caplog.text
    assert "200 OK" in second.log.read_text()  # it had answered
    assert len(ledger.read_text().splitlines()) == 16 * 6
    assert rows(tmp_path / "two") == rows(tmp_path / "one")
    assert written(tmp_path / "two") == written(tmp_path / "one")
