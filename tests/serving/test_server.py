"""The server as a process: overload, the signal to end, who may ask, what cannot be."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.timeout(120)


async def until_taken(client, url, number):
    """Ask until the server takes it on; return the verdict and how often it said to come again."""
    row = {"response": f"{number}", "gold": str(number if number % 2 else "other")}
    for again in range(10_000):
        found = await client.post(f"{url}/verify", json=row)
        if found.status_code == 200:
            return found.json(), again
        assert found.status_code == 429, found.text
        assert int(found.headers["retry-after"]) >= 1
        await asyncio.sleep(0.05)
    raise AssertionError("never taken on")


def test_at_overload_no_verdict_is_lost_or_mixed_up(serving):
    import httpx

    async def ask(url):
        limits = httpx.Limits(max_connections=64)
        async with httpx.AsyncClient(timeout=60, limits=limits) as client:
            found = await asyncio.gather(*(until_taken(client, url, i) for i in range(192)))
            return found, (await client.get(f"{url}/metrics")).text

    flags = ("--verifier", "slow_verifiers:slowly", "--workers", "2", "--max-pending", "8")
    with serving(*flags) as (url, _):
        found, metrics = asyncio.run(ask(url))
    for number, (verdict, _) in enumerate(found):
        assert verdict["outcome"] == ("correct" if number % 2 else "incorrect")
    refused = sum(again for _, again in found)
    assert refused > 0
    assert f'rewardkit_requests_total{{path="/verify",status="429"}} {refused}.0' in metrics
    assert 'rewardkit_requests_total{path="/verify",status="200"} 192.0' in metrics
    assert "rewardkit_pending 0.0" in metrics


def test_after_the_signal_what_was_asked_is_answered_and_nothing_is_left(serving):
    import httpx

    async def ask(url, process):
        async with httpx.AsyncClient(timeout=60) as client:
            rows = [{"response": "a", "gold": "a"}] * 40  # two seconds of one worker's work
            asked = asyncio.create_task(client.post(f"{url}/verify", json=rows))
            while (await client.get(f"{url}/health")).json()["pending"] == 0:
                await asyncio.sleep(0.02)
            process.send_signal(signal.SIGTERM)
            return await asked

    flags = ("--verifier", "slow_verifiers:slowly", "--workers", "1")
    with serving(*flags) as (url, process):
        found = asyncio.run(ask(url, process))
        assert [row["outcome"] for row in found.json()] == ["correct"] * 40
        assert process.wait(timeout=60) == 0
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{url}/health")


def test_the_token_comes_from_the_environment(serving):
    import httpx

    row = {"response": "12", "gold": "12"}
    with serving("--token-env", "MY_TOKEN", MY_TOKEN="s3") as (url, _):
        assert httpx.post(f"{url}/verify", json=row).status_code == 401
        there = url.replace("http://", "http://any:s3@")
        assert httpx.post(f"{there}/verify", json=row).json()["outcome"] == "correct"


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--verifier", "maths"), "did you mean math"),
        (("--token-env", "NOT_THERE"), "NOT_THERE is not set"),
        (("--token-env", "MY_TOKEN"), "MY_TOKEN is not ASCII"),
        (("--max-pending", "0"), "max_pending must be above 0"),
        (("--port", "99999"), "cannot listen on 127.0.0.1:99999"),
    ],
)
def test_what_cannot_be_is_said_at_once(flags, said):
    pytest.importorskip("fastapi")
    path = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run(
        [sys.executable, "-m", "rewardkit", "serve", *flags],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "MY_TOKEN": "café"},
        timeout=60,
    )
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_openrlhfs_own_client(serving):
    agent = pytest.importorskip("openrlhf.utils.agent")
    with serving() as (url, _):
        executor = agent.SingleTurnAgentExecutor(f"{url}/get_reward")
        asked = executor._fetch_rewards_via_http(["<s>Q 12</s>", "Q 13"], ["Q"] * 2, ["12"] * 2)
        [found] = asyncio.run(asked)
    assert found["rewards"] == [1, 0]


def test_nemo_gyms_client_in_verifiers(serving, tmp_path):
    vf = pytest.importorskip("verifiers.v1")
    taskset = pytest.importorskip("verifiers.v1.tasksets.nemo_gym.taskset")
    row = {"responses_create_params": {"input": "7+5?"}, "expected_answer": "12"}
    with serving() as (url, _):
        config = taskset.NeMoGymTaskConfig(resources_url=url)
        task = taskset.NeMoGymTask(taskset.NeMoGymData(prompt="7+5?", row=row), config)
        data = vf.TraceTask(type="NeMoGymTask", data=task.data)
        message = vf.AssistantMessage(content="It is 12")
        node = vf.MessageNode(message=message, sampled=True)
        parts = {"rewards": {}, "metrics": {}, "info": {}, "calls": [], "id": "t"}
        made = vf.Trace.model_construct(
            task=data, state=taskset.NeMoGymState(), nodes=[node], **parts
        )
        asyncio.run(scored(task, made))
    assert made.rewards["nemo_gym"].score == 1
    assert made.info["nemo_gym"]["outcome"] == "correct"


async def scored(task, trace):
    await task.setup(trace, None)
    await task.score(trace, None)
