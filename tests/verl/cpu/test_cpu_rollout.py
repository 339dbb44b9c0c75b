"""The server of the CPU rollout, without Ray: what verl's agent loop asks of it."""

import asyncio
import math

import pytest
import torch

from rewardkit.config import config_from, config_to_toml
from rewardkit.errors import ModelError
from rewardkit_native.model.logprobs import padded_scores
from rewardkit_verl import names, settings

pytestmark = pytest.mark.verl

ASKED = {"temperature": 0.7, "top_p": 1.0, "top_k": -1, "logprobs": True}
PROMPTS = [[5, 9, 30, 7], [8, 20]]


@pytest.fixture(params=["sync"])
def server(monkeypatch, quietly, tiny_model, request):
    with quietly():
        from verl.workers.config import HFModelConfig, RolloutConfig

        from rewardkit_verl_cpu.rollout import TransformersServer
    config = config_from(
        {"folder": "x", "steps": 1, "model": {"dtype": "float32"}, "verl": {"mode": request.param}}
    )
    monkeypatch.setenv(names.CONFIG_VARIABLE, config_to_toml(config))
    settings.run_config.cache_clear()
    with quietly():
        yield TransformersServer(
            RolloutConfig(name=names.CPU_ROLLOUT, dtype="float32", response_length=12),
            HFModelConfig(path=str(tiny_model), override_config={"attn_implementation": "sdpa"}),
            seed=3,
        )
    settings.run_config.cache_clear()


def generate(server, count=3, **asked):
    async def all_of_them():
        return await asyncio.gather(
            *(
                server.generate(prompt, {**ASKED, **asked}, f"{p}-{i}")
                for p, prompt in enumerate(PROMPTS)
                for i in range(count)
            )
        )

    return asyncio.run(all_of_them())


def test_responses_carry_the_log_probabilities_that_the_trainer_computes(server):
    found = generate(server)
    prompts = [prompt for prompt in PROMPTS for _ in range(3)]
    responses = [output.token_ids for output in found]
    expected = padded_scores(server.model, prompts, responses, temperature=0.7).logprobs
    for row, output in zip(expected, found, strict=True):
        torch.testing.assert_close(
            row[: len(output.token_ids)], torch.tensor(output.log_probs), atol=1e-4, rtol=0
        )
    assert len({tuple(r) for r in responses}) > 1, "each draws by a seed of its own"


def test_a_response_ends_by_itself_or_at_the_limit(server):
    for output in generate(server, max_tokens=2):
        assert len(output.token_ids) <= 2
        ended = output.token_ids[-1] == server.model.generation_config.eos_token_id
        assert output.stop_reason == ("completed" if ended else "length")


def test_greedy_is_the_same_every_time(server):
    first, second = (generate(server, count=1, temperature=0.0) for _ in range(2))
    assert [o.token_ids for o in first] == [o.token_ids for o in second]


@pytest.mark.parametrize("server", ["colocate_async"], indirect=True)
def test_a_response_is_stopped_for_new_weights_and_goes_on_with_them(server, monkeypatch):
    server.piece, draw = 2, server._sample
    prompt, pieces = PROMPTS[0], []

    async def through():
        loop, begun = asyncio.get_running_loop(), asyncio.Event()

        def sample(requests, params):
            pieces.append(params.max_tokens)
            loop.call_soon_threadsafe(begun.set)
            return draw(requests, params)

        monkeypatch.setattr(server, "_sample", sample)
        first = asyncio.create_task(server.generate(prompt, dict(ASKED), "a"))
        await begun.wait()
        await server.abort_all_requests()
        stopped = await first
        asked = {**ASKED, "max_tokens": 12 - len(stopped.token_ids)}
        parked = asyncio.create_task(server.generate(prompt + stopped.token_ids, asked, "a"))
        await asyncio.sleep(0)
        await server.load(server.model.state_dict(), 7)
        assert not parked.done()
        await server.resume_generation()
        return stopped, await parked

    stopped, rest = asyncio.run(asyncio.wait_for(through(), 60))
    assert (stopped.stop_reason, len(stopped.token_ids), len(stopped.log_probs)) == (
        "aborted",
        2,
        2,
    )
    assert stopped.extra_fields["global_steps"] is None
    assert rest.extra_fields["global_steps"] == 7
    assert set(pieces) <= {1, 2}
    whole = stopped.token_ids + rest.token_ids
    expected = padded_scores(server.model, [prompt], [whole], temperature=0.7).logprobs[0]
    found = torch.tensor(stopped.log_probs + rest.log_probs)
    torch.testing.assert_close(expected, found, atol=1e-4, rtol=0)


def test_new_weights_are_sampled_from(server):
    before = generate(server, count=1, temperature=0.0)
    state = {k: torch.zeros_like(v) for k, v in server.model.state_dict().items()}
    asyncio.run(server.load(state, 7))
    after = generate(server, count=1, temperature=0.0)
    vocabulary = server.model.config.vocab_size
    for output in after:  # zero weights: every token is equally likely
        assert output.log_probs[0] == pytest.approx(-math.log(vocabulary), abs=1e-4)
        assert output.extra_fields["global_steps"] == 7
    assert before[0].extra_fields["global_steps"] is None


def test_weights_of_another_model_are_refused(server):
    with pytest.raises(ModelError, match=r"unexpected \['nonsense'\]"):
        asyncio.run(server.load({"nonsense": torch.zeros(1)}, 1))


def test_an_error_reaches_every_caller_and_the_next_call_works(server, monkeypatch):
    def broken(*_):
        raise ValueError("out of luck")

    with monkeypatch.context() as patch:
        patch.setattr(server.sampler, "sample", broken)
        with pytest.raises(ValueError, match="out of luck"):
            generate(server)
    assert len(generate(server)) == 6
