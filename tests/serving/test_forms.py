"""What is asked and what is answered: rows, lists, OpenRLHF's and NeMo-Gym's forms, refusals."""

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from slow_verifiers import for_ever, summed

from rewardkit.verifiers import MathVerifier


def post(client, path, body=None, **options):
    async def ask():
        async with client:
            return await client.post(path, **({"json": body} if body is not None else options))

    return asyncio.run(ask())


def get(client, *paths):
    async def ask():
        async with client:
            return [await client.get(path) for path in paths]

    return asyncio.run(ask())


def test_one_row(client):
    found = post(client(MathVerifier()), "/verify", {"response": "so 12", "gold": 12})
    assert found.status_code == 200
    assert found.json() == {
        "outcome": "correct",
        "score": 1.0,
        "extracted": "12",
        "method": "exact",
        "reason": found.json()["reason"],
    }


def test_a_list_of_rows_in_order(client):
    rows = [{"response": f"so {i}", "answer": str(i % 3)} for i in range(200)]
    found = post(client(MathVerifier()), "/verify", rows).json()
    assert [row["score"] for row in found] == [float(i < 3) for i in range(200)]
    assert post(client(MathVerifier()), "/verify", []).json() == []


def test_a_lone_surrogate_comes_back(client):
    body = rb'{"response": "\ud800 so \\boxed{\ud800}", "gold": "x"}'
    found = post(client(MathVerifier()), "/verify", content=body)
    assert found.json()["extracted"] == "\ud800"


def test_openrlhf(client):
    body = {
        "query": ["<s>Q 12</s>", "Q 13", "Q 1"],
        "prompts": ["Q"] * 3,
        "labels": [12, "12", "{"],
    }
    found = post(client(MathVerifier()), "/get_reward", body).json()
    assert found == {
        "rewards": [1.0, 0.0, 0.0],
        "scores": [1.0, 0.0, 0.0],
        "extra_logs": {"undecided": [0.0, 0.0, 1.0]},
    }


def nemo(text, gold):
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {"id": "m", "type": "message", "role": "assistant", "content": [part]}
    thought = {"id": "r", "type": "reasoning", "summary": []}
    return {
        "responses_create_params": {"input": [{"role": "user", "content": "7+5?"}]},
        "response": {"id": "x", "object": "response", "output": [thought, message]},
        "question": "7+5?",
        "expected_answer": gold,
    }


@pytest.mark.parametrize(
    ("gold", "reward", "masked"), [("12", 1.0, False), ("13", 0.0, False), ("{", 0.0, True)]
)
def test_nemo_gym(client, gold, reward, masked):
    body = nemo("so 12", gold)
    found = post(client(MathVerifier()), "/verify", body).json()
    assert (found["reward"], found["mask_sample"]) == (reward, masked)
    assert (found["failure_reason"] is None) is not masked
    assert {name: found[name] for name in body} == body
    assert post(client(MathVerifier()), "/seed_session", body).json() == {}


def test_nemo_gyms_sessions_and_figures(client):
    def ask(path, body):
        return post(client(MathVerifier()), path, body)

    opened = {"resources_session_id": "s", "episode_id": "e", "task_id": "t", "task_data": {}}
    for path in ("/seed_session", "/close_session"):
        assert ask(path, opened).json() == {"resources_session_id": "s"}
    rows = [
        {"_ng_task_index": 0, "reward": 1.0, "mask_sample": False},
        {"_ng_task_index": 0, "reward": 0.0},
        {"_ng_task_index": 1, "reward": 0.0, "mask_sample": True},
        {"_ng_task_index": 1, "reward": 1},
    ]
    found = ask("/aggregate_metrics", {"verify_responses": rows}).json()
    assert set(found) == {"group_level_metrics", "agent_metrics", "key_metrics"}
    assert found["key_metrics"] == {"mean/reward": pytest.approx(2 / 3)}
    assert found["agent_metrics"]["mean/mask_sample"] == 0.25
    by_task = [(one["_ng_task_index"], one["mean/reward"]) for one in found["group_level_metrics"]]
    assert by_task == [(0, 0.5), (1, 1.0)]
    assert ask("/aggregate_metrics", {"verify_responses": []}).json()["key_metrics"] == {}
    refused = ask("/aggregate_metrics", {"verify_responses": [{"reward": None}]})
    assert refused.status_code == 400


def test_columns_reach_the_verifier(client):
    body = {"response": "12", "gold": "", "numbers": [7, 5]}
    assert post(client(summed), "/verify", body).json()["outcome"] == "correct"


@pytest.mark.parametrize(
    ("path", "content", "status", "said"),
    [
        ("/verify", b"{", 400, "not JSON"),
        ("/verify", b"3", 400, "found int"),
        ("/verify", b'{"gold": "1"}', 400, "no field 'response'"),
        ("/verify", b'[{"response": "1", "gold": "1"}, {"response": "1"}]', 400, "item 1: no field"),
        ("/verify", b'{"response": "1", "gold": {}}', 400, "field 'gold' must be"),
        ("/get_reward", b'{"query": ["a"]}', 400, "'prompts' is a list of texts, found nothing"),
        ("/get_reward", b'{"query":["a"],"prompts":["b"],"labels":["1"]}', 400, "end of its prompt"),
        ("/get_reward", b'{"query":["a"],"prompts":["a"],"labels":[]}', 400, "equally long"),
        ("/verify", b" " * 2000, 413, "at most 1000 are taken"),
        ("/verify", json.dumps([{}] * 8).encode(), 400, "item 0"),
        ("/verify", json.dumps([3] * 9).encode(), 413, "9 responses in a request"),
        ("/verify", b'[{"response":"1","gold":"1"}' + b',{"response":"1","gold":"1"}' * 8 + b"]",
         413, "9 responses in a request"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_said(client, path, content, status, said):
    made = client(MathVerifier(), max_body=1000, max_pending=8)
    found = post(made, path, content=content)
    assert (found.status_code, said in found.json()["error"]) == (status, True), found.text


def test_a_body_without_a_length_is_cut_off_as_well(client):
    async def parts():
        for _ in range(20):
            yield b" " * 100

    found = post(client(MathVerifier(), max_body=1000), "/verify", content=parts())
    assert found.status_code == 413


def test_the_token(client):
    def status(**options):
        return post(client(MathVerifier(), token="s3"), "/verify", **options).status_code

    body = {"json": {"response": "1", "gold": "1"}}
    assert status(**body) == 401
    assert status(**body, headers={"Authorization": "Bearer s4"}) == 401
    assert status(**body, headers={"Authorization": "Bearer s3"}) == 200
    assert status(**body, auth=("anybody", "s3")) == 200
    found = get(client(MathVerifier(), token="s3"), "/health", "/metrics")
    assert [one.status_code for one in found] == [200, 401]


def test_metrics_count_requests_and_outcomes(client):
    async def ask():
        async with client(MathVerifier()) as made:
            await made.post("/verify", json=[{"response": r, "gold": "1"} for r in ("1", "2", "")])
            await made.post("/verify", content=b"{")
            return (await made.get("/metrics")).text

    text = asyncio.run(ask())
    for line in (
        'rewardkit_requests_total{path="/verify",status="200"} 1.0',
        'rewardkit_requests_total{path="/verify",status="400"} 1.0',
        'rewardkit_verdicts_total{outcome="correct"} 1.0',
        'rewardkit_verdicts_total{outcome="no_answer"} 1.0',
        'rewardkit_verdicts_total{outcome="timeout"} 0.0',
        "rewardkit_pending 0.0",
    ):
        assert line in text


def test_what_is_not_decided_in_time_is_a_timeout_and_the_rest_is_not_lost(client):
    rows = [{"response": text, "gold": ""} for text in ("ok", "hang")]
    found = post(client(for_ever, request_s=5.0, deadline_s=60.0), "/verify", rows).json()
    assert [row["outcome"] for row in found] == ["correct", "timeout"]
    assert "within the request's 5 s" in found[1]["reason"]


KEYS = st.sampled_from(
    ["response", "gold", "answer", "output", "type", "content", "text", "info", "pred"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=3), inner),
    max_leaves=12,
)
OUTPUT = st.fixed_dictionaries({"type": st.just("message"), "content": JSON}) | JSON
FORMED = st.one_of(
    JSON,
    st.fixed_dictionaries(
        {"response": st.text(max_size=3) | JSON, "gold": JSON}, optional={"info": JSON}
    ),
    st.fixed_dictionaries(
        {name: st.lists(JSON, max_size=2) for name in ("query", "prompts", "labels")}
    ),
    st.fixed_dictionaries(
        {
            "responses_create_params": JSON,
            "response": st.fixed_dictionaries({"output": st.lists(OUTPUT, max_size=2) | JSON})
            | JSON,
            "expected_answer": JSON,
        },
        optional={"verifier_metadata": JSON},
    ),
    st.fixed_dictionaries(
        {"verify_responses": st.lists(st.fixed_dictionaries({"reward": JSON}) | JSON, max_size=3)}
    ),
)


@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@given(
    body=FORMED,
    path=st.sampled_from(["/verify", "/get_reward", "/seed_session", "/aggregate_metrics"]),
)
def test_no_body_breaks_it(app, body, path):
    found = post(app(), path, content=json.dumps(body).encode())
    assert found.status_code in (200, 400, 413), (path, body, found.text)


@pytest.fixture
def app(client):
    """The same application again and again, each time with another client."""
    import httpx

    made = client(MathVerifier(), max_pending=8)._transport.app
    return lambda: httpx.AsyncClient(transport=httpx.ASGITransport(made), base_url="http://here")
