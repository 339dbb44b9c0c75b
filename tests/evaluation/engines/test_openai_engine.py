from __future__ import annotations

from collections import Counter

import pytest
from rewardkit_test_server import BROKEN_EVENTS, MALFORMED, completion, serve

from rewardkit.client import server as server_module
from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.engines import dispatch
from rewardkit.evaluation.engines.base import (
    LONGEST_TIMEOUT_S,
    DecodingSettings,
    EngineOptions,
    Failure,
    Request,
    Response,
    load_engine,
)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(server_module, "FIRST_PAUSE_S", 0.002)
    monkeypatch.setattr(server_module, "LONGEST_PAUSE_S", 0.01)
    monkeypatch.setattr(dispatch, "LONGEST_WAIT_ASKED_S", 0.02)


def generate(server, n=40, *, decoding=None, **options):
    options = {"timeout_s": 0.3, "retries": 30, "concurrency": 8, **options}
    engine = load_engine(
        "openai", "m", decoding or DecodingSettings(), EngineOptions(base_url=server.url, **options)
    )
    try:
        requests = [Request([{"role": "user", "content": f"q{i}"}], i) for i in range(n)]
        return dict(engine.generate(requests))
    finally:
        engine.close()


def test_a_bad_server_gives_what_a_good_one_gives():
    shares = {"429": 0.15, "500": 0.15, "503": 0.05, "slow": 0.03, "cut": 0.05}
    shares |= dict.fromkeys((*MALFORMED, *BROKEN_EVENTS), 0.015) | {"cut_stream": 0.05}
    with serve() as good, serve(failures=shares) as bad:
        expected, found = generate(good, timeout_s=60.0), generate(bad)
    assert len(bad.requests) > len(good.requests) == 40
    assert sorted(found) == list(range(40))
    for index, response in expected.items():
        assert isinstance(response, Response)
        other = found[index]
        assert (response.text, response.finish) == (other.text, other.finish)


@pytest.mark.parametrize(
    "kind", ["429", "500", "slow", "cut", "cut_stream", *MALFORMED, *BROKEN_EVENTS]
)
def test_what_never_comes_is_a_failure_with_its_reason(kind):
    with serve(failures={kind: 1.0}) as server:
        found = generate(server, n=3, retries=2)
    assert Counter(type(one) for one in found.values()) == {Failure: 3}
    assert all("gave up after 3 tries" in one.reason for one in found.values())
    # 429 beside other open requests, which may be what the server is busy with, is no try.
    assert len(server.requests) == 9 or (kind == "429" and len(server.requests) > 9)


def test_a_request_at_fault_is_not_tried_again():
    with serve(failures={"400": 1.0}) as server:
        found = generate(server, n=3)
    assert all("HTTP 400" in one.reason for one in found.values())
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", ["401", "403", "404"])
def test_a_refusal_that_concerns_all_ends_at_once(status):
    with serve(failures={status: 1.0}) as server, pytest.raises(ModelError, match=status):
        generate(server, n=50)
    assert len(server.requests) < 50


def test_an_error_in_the_place_of_a_completion_is_told_in_its_words():
    body = {"error": {"message": "model overloaded"}}
    with serve(lambda request: body) as server:
        found = generate(server, n=1, retries=0)
    assert "model overloaded" in found[0].reason


def test_half_of_a_surrogate_pair_can_be_asked():
    with serve(lambda request: completion("2")) as server:
        engine = load_engine("openai", "m", DecodingSettings(), EngineOptions(base_url=server.url))
        [(_, found)] = engine.generate([Request([{"role": "user", "content": "\ud800?"}], 0)])
        engine.close()
    assert isinstance(found, Response)
    assert server.requests[0]["messages"][0]["content"] == "\ud800?"


def test_only_what_was_asked_is_sent():
    with serve() as server:
        generate(server, n=1)
        generate(server, n=1, decoding=DecodingSettings(5, 0.0, 0.9, 20))
    always = {"model", "messages", "seed", "stream", "stream_options"}
    assert set(server.requests[0]) == always
    assert (
        server.requests[1] | {"max_tokens": 5, "temperature": 0.0, "top_p": 0.9, "top_k": 20}
        == (server.requests[1])
    )


def test_stop_texts_and_an_extra_body_are_sent():
    asked = DecodingSettings(5, stop=("Question:",), extra_body={"min_p": 0.1, "max_tokens": 6})
    with serve() as server:
        generate(server, n=1, decoding=asked)
    sent = {"stop": ["Question:"], "min_p": 0.1, "max_tokens": 6}  # what is extra has the last word
    assert server.requests[0] | sent == server.requests[0]


def test_top_k_0_is_sent_as_what_keeps_all():
    with serve() as server:
        generate(server, n=1, decoding=DecodingSettings(top_k=0))
    assert server.requests[0]["top_k"] == -1


def test_a_fingerprint_names_model_and_first_address_and_no_password():
    def fingerprint(*urls):
        engine = load_engine(
            "openai", "m", DecodingSettings(), EngineOptions(base_url=",".join(urls))
        )
        engine.close()
        return engine.fingerprint

    with serve() as one, serve() as two:
        address = one.url.removeprefix("http://")
        assert fingerprint(one.url) == f"openai:m at {address}"
        assert fingerprint(f"http://me:secret@{address}/") == f"openai:m at {address}"
        assert fingerprint(one.url, two.url) == f"openai:m at {address}"
        assert fingerprint(two.url) != fingerprint(one.url)


@pytest.mark.parametrize(
    "url", ["http://[::1", "localhost:8000/v1", "http:///v1", "http://host:99999/v1", "ftp://host"]
)
def test_what_is_no_address_is_refused_at_once(url):
    with pytest.raises(ConfigError, match=r"no address of a server.*http://localhost:8000/v1"):
        load_engine("openai", "m", DecodingSettings(), EngineOptions(base_url=url))


@pytest.mark.parametrize("key", ["clé", "two\nlines"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY: holds a character") as refused:
        load_engine(
            "openai", "m", DecodingSettings(), EngineOptions(base_url="http://localhost/v1")
        )
    assert key not in str(refused.value)


def test_a_chat_template_is_the_servers_own(tmp_path):
    options = EngineOptions(base_url="http://localhost/v1", chat_template=tmp_path / "no.jinja")
    with pytest.raises(ConfigError, match="takes no --chat-template"):
        load_engine("openai", "m", DecodingSettings(), options)


def test_a_timeout_is_possible_or_refused():
    for timeout in (0, float("inf"), float("nan"), 1e7):
        with pytest.raises(ConfigError, match="timeout must be above 0"):
            EngineOptions(timeout_s=timeout)
    with serve() as server:
        [found] = generate(server, n=1, timeout_s=LONGEST_TIMEOUT_S).values()
    assert isinstance(found, Response)


def test_an_address_is_needed(monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ConfigError, match="--base-url"):
        load_engine("openai", "m", DecodingSettings(), EngineOptions())


@pytest.mark.parametrize(
    "wrong", [{"max_tokens": 0}, {"temperature": -1}, {"top_p": 0}, {"top_p": 1.5}, {"top_k": -1}]
)
def test_impossible_decoding_is_refused(wrong):
    with pytest.raises(ConfigError):
        DecodingSettings(**wrong)


def test_what_the_template_is_called_with_is_left_to_the_server():
    with serve() as server:
        engine = load_engine(
            "openai", "m", DecodingSettings(), EngineOptions(base_url=server.url, timeout_s=5.0)
        )
        asked, chat = {"enable_thinking": False}, [{"role": "user", "content": "q"}]
        list(engine.generate([Request(chat, 0, asked), Request(chat, 0)]))
        engine.close()
    sent = sorted((body.get("chat_template_kwargs") for body in server.requests), key=str)
    assert sent == [None, asked]
    assert engine.render(chat, asked) != engine.render(chat)
