"""Servers as they are: slow, dead, killed in the middle, full, and several at once."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rewardkit_test_server import completion, seeded_answer, serve

from rewardkit.client import server as server_module
from rewardkit.errors import ModelError
from rewardkit.evaluation.engines import dispatch
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    EngineOptions,
    Failure,
    Request,
    Response,
    load_engine,
)

VLLM = [{"id": "m", "owned_by": "vllm", "max_model_len": 4096}]


@pytest.fixture
def quick(monkeypatch):
    for module, name, seconds in (
        (server_module, "FIRST_PAUSE_S", 0.002),
        (server_module, "LONGEST_PAUSE_S", 0.01),
        (dispatch, "LONGEST_WAIT_ASKED_S", 0.02),
        (dispatch, "PATIENCE_S", 0.1),
    ):
        monkeypatch.setattr(module, name, seconds)


def load(*urls, decoding=None, **options):
    options = {"timeout_s": 30.0, "concurrency": 4, "base_url": ",".join(urls), **options}
    return load_engine("openai", "m", decoding or DecodingSettings(), EngineOptions(**options))


def asked(count):
    return [Request([{"role": "user", "content": f"q{i}"}], i) for i in range(count)]


def drawn(engine, count):
    """What came by index; an index that came twice, or never, would show."""
    with contextlib.closing(engine):
        found = list(engine.generate(asked(count)))
    assert sorted(index for index, _ in found) == list(range(count))
    return {index: (one.text, one.finish) for index, one in found if isinstance(one, Response)}


@contextlib.contextmanager
def separate_server():
    """A server in a process of its own: (its address, what kills it as a crash would)."""
    script = Path(__file__).parents[1] / "chat_server.py"
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        try:
            port = int(process.stdout.readline())
            yield f"http://127.0.0.1:{port}/v1", lambda: os.kill(process.pid, signal.SIGKILL)
        finally:
            process.kill()


def test_a_response_may_take_longer_than_the_silence_that_is_waited_for():
    text = "a response of 24 letters"
    with serve(lambda _: completion(text), pace=0.05) as server:
        engine = load(server.url, timeout_s=0.4, concurrency=64)
        found = drawn(engine, 64)
    assert set(found.values()) == {(text, "stop")}
    assert len(found) == 64


@pytest.mark.slow  # 20 seconds of waiting
def test_64_responses_may_take_three_times_as_long_as_the_silence_and_end_together():
    text = "x" * 400
    with (
        serve(lambda _: completion(text), pace=0.05) as server,
        contextlib.closing(load(server.url, timeout_s=6.0, concurrency=64, retries=0)) as engine,
    ):
        found = dict(engine.generate(asked(64)))
    assert {(one.text, one.tokens) for one in found.values()} == {(text, 400)}
    assert min(one.seconds for one in found.values()) > 20
    assert len(found) == len(server.requests) == 64


def test_one_of_two_servers_killed_in_the_middle_changes_nothing(quick, caplog):
    with serve() as alone:
        expected = drawn(load(alone.url), 60)
    with separate_server() as (one, kill), separate_server() as (two, _):
        engine, found = load(one, two), []
        for index, response in engine.generate(asked(60)):
            found.append((index, response))
            if len(found) == 15:
                kill()
        engine.close()
    assert len(found) == len(dict(found)) == 60
    assert {index: (one.text, one.finish) for index, one in found} == expected
    assert f"{one} is down" in caplog.text


def test_a_server_that_dies_alone_costs_seconds_and_is_named(quick, caplog):
    with separate_server() as (url, kill), contextlib.closing(load(url)) as engine:
        found = {}
        for index, response in engine.generate(asked(400)):
            found[index] = response
            if len(found) == 10:
                kill()
    failures = [one.reason for one in found.values() if isinstance(one, Failure)]
    assert len(found) == 400
    assert len(failures) > 300
    assert all(url in reason for reason in failures)
    assert "no server answers any longer" in failures[-1]
    assert "ConnectError" in failures[-1]
    assert "gave up, with" in caplog.text


def test_a_server_that_breaks_everything_is_given_up_too(quick):
    with serve(failures={"500": 1.0}) as server:
        engine = load(server.url, retries=1000)
        found = dict(engine.generate(asked(50)))
        engine.close()
    assert all("no server answers any longer" in one.reason for one in found.values())


def test_a_server_that_comes_back_gets_work_again(quick, monkeypatch, caplog):
    monkeypatch.setattr(dispatch, "PATIENCE_S", 60.0)
    caplog.set_level(logging.WARNING)
    with serve() as first:
        pass
    with serve(pace=0.002) as second, contextlib.ExitStack() as later:
        engine, found, restarted = load(first.url, second.url), [], None
        for index, response in engine.generate(asked(200)):
            found.append((index, response))
            if restarted is None:
                restarted = later.enter_context(serve(port=first.port))
        engine.close()
    assert len(dict(found)) == 200
    assert all(isinstance(one, Response) for _, one in found)
    assert restarted.requests
    assert f"{first.url} does not answer" in caplog.text
    assert f"{first.url} answers again" in caplog.text


def test_a_crowded_server_is_asked_for_less_until_all_have_come(quick):
    with serve(most_open=2, pace=0.0005) as server:
        found = drawn(load(server.url, concurrency=16, retries=30), 40)
    with serve() as roomy:
        assert found == drawn(load(roomy.url), 40)
    assert len(found) == 40


def test_a_dead_server_is_an_error_at_once_that_names_it():
    with serve() as server:
        pass
    with pytest.raises(ModelError, match=rf"{server.url} does not answer \(ConnectError.*its addr"):
        load(server.url)


def test_a_model_that_vllm_does_not_serve_is_refused_at_once_and_others_may_know_more():
    with serve(models=[{"id": "other", "owned_by": "vllm"}]) as server:
        with pytest.raises(ModelError, match="serves no model 'm'; it has other"):
            load(server.url)
        assert not server.requests
    with serve(models=[{"id": "model.gguf", "owned_by": "llamacpp"}]) as server:
        assert len(drawn(load(server.url), 1)) == 1


def test_a_server_that_would_apply_the_models_own_penalties_is_told_not_to():
    plain = {"repetition_penalty": 1.0, "min_p": 0.0}
    with serve(models=VLLM) as vllm, serve(models=[{"id": "m", "owned_by": "openai"}]) as other:
        engine = load(vllm.url)
        assert engine.decoding.extra_body == plain
        assert [(one["software"], one["context"]) for one in engine.served] == [("vllm", 4096)]
        drawn(engine, 1)
        drawn(load(other.url), 1)
        mine = DecodingSettings(extra_body={"repetition_penalty": 1.05})
        drawn(load(vllm.url, decoding=mine), 1)
    assert vllm.requests[0].items() >= plain.items()
    assert not plain.keys() & other.requests[0].keys()
    assert vllm.requests[1]["repetition_penalty"] == 1.05


@pytest.mark.parametrize("refused", ["stream_options", "stream"])
def test_a_server_that_refuses_to_stream_is_read_all_the_same(refused, monkeypatch):
    with serve() as server:
        expected = drawn(load(server.url), 12)

    def attend(self, request, roll):
        if refused in request:
            return self.reply(400, f'{{"detail": "extra field: {refused}"}}')
        return original(self, request, roll)

    with serve() as server:
        original = server.handler.attend
        monkeypatch.setattr(server.handler, "attend", attend)
        assert drawn(load(server.url, concurrency=1), 12) == expected
    # Tried once in the form that is refused, then never again.
    assert sum(refused in request for request in server.requests) <= 2


def test_a_request_at_fault_that_speaks_of_streams_is_a_failure():
    with serve() as server, contextlib.closing(load(server.url)) as engine:
        server.failures = {"400 stream": 1.0}
        [(_, found)] = engine.generate(asked(1))
    assert isinstance(found, Failure)
    assert "HTTP 400 a stream too long" in found.reason


def test_tokens_are_counted_by_piece_where_a_server_does_not_say():
    answer = {**completion("seven"), "usage": None}
    with serve(lambda _: answer) as server, contextlib.closing(load(server.url)) as engine:
        [(_, found)] = engine.generate(asked(1))
    assert found.tokens == 5


def test_leaving_early_does_not_wait_for_what_is_still_streaming():
    def answer(request):
        return seeded_answer(request) if request["seed"] else completion("x" * 100_000)

    with serve(answer, pace=0.001) as server, contextlib.closing(load(server.url)) as engine:
        generating = engine.generate(asked(8))
        next(generating)
        generating.close()  # would otherwise wait for 100 seconds of x
        assert len(server.requests) <= 8
