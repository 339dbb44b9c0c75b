"""Adapters in the trainers they are for: the real one where it is installed, else its interface."""

import asyncio
import importlib.util
import logging
import pickle
import sys
from types import SimpleNamespace

import pytest
import stand_ins
from stand_ins import standing_in

from rewardkit.errors import TrainingError
from rewardkit.integrations import areal, slime

INTEGRAL = r"\int_0^1 x^2 dx"
"""A gold that only sympy decides, in a process: what a loop may not wait for."""
pytestmark = pytest.mark.filterwarnings("ignore:the row cannot be used")


async def ticking(work):
    """Return what `work` returns, and whether the loop went on meanwhile."""
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.001)

    beside = asyncio.create_task(tick())
    found = await work
    beside.cancel()
    return found, ticks > 1


def sample(response, label, **metadata):
    """As slime's `Sample` (THUDM/slime at 624b824a, slime/utils/types.py)."""
    return SimpleNamespace(
        prompt="7+5?", response=response, label=label, metadata=metadata, remove_sample=False
    )


def test_slime_awaits_one_sample_or_many():
    many = [sample("It is 12", "12"), sample("13", "12"), sample("1/3", INTEGRAL), sample("1", "")]
    assert asyncio.run(slime.custom_rm(None, many[0])) == 1
    rewards, went_on = asyncio.run(ticking(slime.custom_rm(None, many)))
    assert rewards == [1, 0, 1, 0]
    assert went_on
    assert [one.remove_sample for one in many] == [False, False, False, True]
    assert many[3].metadata["outcome"] == "bad_gold"


def test_slime_with_a_verifier_of_ones_own_and_columns():
    custom_rm = slime.reward_model("asking_verifiers:near")
    assert asyncio.run(custom_rm(None, sample("4", "", target=3, slack=1))) == 1


def test_slime_demands_the_mark_that_is_declared():
    custom_rm = slime.reward_model("math", answer_in="box")
    assert asyncio.run(custom_rm(None, sample("It is 12", "12"))) == 0


def test_skyrl_registers_an_environment_of_one_step():
    gym = pytest.importorskip("skyrl_gym")
    from rewardkit.integrations.skyrl import verdict_env

    gym.register(id="rewardkit_math", entry_point=verdict_env("math", answer_in="box"))
    for text, score in ((r"\boxed{12}", 1), ("It is 12", 0)):
        extras = {"reward_spec": {"ground_truth": "12"}}
        env = gym.make("rewardkit_math", env_config={}, extras=extras)
        found = env.step(text)
        assert (found["reward"], found["done"], found["observations"]) == (score, True, [])
        assert env.get_metrics() == {"correct": score, "undecided": 0}


def test_torchtitans_rubric_awaits_it():
    root = stand_ins.folder_of("torchtitan")
    if root is None:
        pytest.skip("torchtitan is not installed")
    inside = "torchtitan.experiments.rl"
    names = ("torchtitan", "torchtitan.experiments", inside, f"{inside}.rollout")
    with stand_ins.without_its_init("torchtitan", *names):
        types = SimpleNamespace(Rollout=object)
        sys.modules[f"{inside}.rollout.types"] = types
        from torchtitan.experiments.rl.rubrics import Rubric

        from rewardkit.integrations.torchtitan import verdict_reward

        reward = verdict_reward("math")
        rubric = Rubric.Config(reward_fns=[reward.Config()]).build()
        made = stand_ins.dataclass(type("Sample", (), {"__annotations__": {"ground_truth": str}}))
        turn = SimpleNamespace(completion_message={"content": "1/3"})
        rollout = SimpleNamespace(turns=[turn])
        reward_fn = rubric._reward_fns[0]
        assert asyncio.run(ticking(reward_fn(rollout, made(INTEGRAL)))) == (1, True)
        assert asyncio.run(reward_fn(SimpleNamespace(turns=[]), made("12"))) == 0
        with pytest.raises(TrainingError, match="bad_gold"):
            asyncio.run(reward_fn(rollout, made("{")))


def test_areal_calls_it_in_its_processes():
    pickled = pickle.loads(pickle.dumps(areal.reward_fn))
    assert pickled("7+5?", "It is 12", [], [], answer="12") == 1
    root = stand_ins.folder_of("areal")
    if root is None:
        pytest.skip("AReaL is not installed")
    path = root / "api" / "reward_api.py"
    spec = importlib.util.spec_from_file_location("reward_api", path)
    module = importlib.util.module_from_spec(spec)
    with standing_in(areal__utils={"logging": logging}):
        spec.loader.exec_module(module)
    call = module.AsyncRewardWrapper(areal.reward_fn, max_workers=1)
    found = asyncio.run(ticking(call("7+5?", "1/3", [], [], answer=INTEGRAL)))
    module.AsyncRewardWrapper._atexit_shutdown_all()
    assert found == (1, True)


def test_areal_hears_of_what_cannot_be_graded():
    with pytest.raises(TrainingError, match="bad_gold"):
        areal.reward_fn("7+5?", "It is 12", [], [], answer="{")


def test_open_instruct_finds_a_verifier_by_its_class():
    names = vars(stand_ins)
    with standing_in(open_instruct__ground_truth_utils=names):
        from rewardkit.integrations.open_instruct import verdict_function

        made = verdict_function("math_verdict", "math")(None)
    assert type(made) in stand_ins.VerifierFunction.__subclasses__()
    assert made.name == "math_verdict"
    assert made([], "It is 12", "12").score == 1
    undecided = made([], "It is 12", "{")
    assert (undecided.score, undecided.reasoning[:10]) == (0, "the braces")
    found, went_on = asyncio.run(ticking(made.async_call([], "1/3", INTEGRAL)))
    assert found.score == 1
    assert went_on


def test_ms_swift_takes_it_for_a_coroutine():
    from rewardkit.integrations.swift import verdict_orm

    made = verdict_orm("math")
    texts, solutions = ["It is 12", "13", "1", "1/3"], ["12", "12", "{", INTEGRAL]
    call = made(args=None)(texts, solution=solutions, trainer_state=None)
    rewards, went_on = asyncio.run(ticking(call))
    assert rewards[:2] + rewards[3:] == [1, 0, 1]
    assert rewards[2] != rewards[2]
    assert went_on
    assert asyncio.iscoroutinefunction(made.__call__)
    orms = pytest.importorskip("swift.rewards").orms
    orms["math_verdict"] = made
    assert orms["math_verdict"](args=None).args is None


def test_tinkers_environment_steps_without_keeping_the_loop():
    pytest.importorskip("tinker_cookbook")
    from rewardkit.integrations.tinker import verdict_env

    ended = SimpleNamespace(is_stop_sequence=True, is_clean=True)
    renderer = SimpleNamespace(
        parse_response=lambda tokens: ({"role": "assistant", "content": tokens}, ended),
        get_stop_sequences=lambda: ["</s>"],
    )
    made = verdict_env("math", answer_in="box")
    found, went_on = asyncio.run(ticking(made("Q", INTEGRAL, renderer).step(r"\boxed{1/3}")))
    assert (found.reward, found.metrics) == (1, {"format": 1, "correct": 1})
    assert went_on
    without = asyncio.run(made("Q", "12", renderer).step("It is 12"))
    assert without.metrics == {"format": 0, "correct": 0}
    with pytest.raises(TrainingError, match="bad_gold"):
        asyncio.run(made("Q", "{", renderer).step(r"\boxed{1}"))


def test_nemo_rls_environment_grades_a_batch():
    torch = pytest.importorskip("torch")
    interface = {"EnvironmentInterface": object, "EnvironmentReturn": stand_ins.EnvironmentReturn}
    with standing_in(nemo_rl__environments__interfaces=interface, ray=vars(stand_ins)):
        from rewardkit.integrations import nemo_rl

        env = nemo_rl.Environment.remote({"answer_in": "box"})
    logs = [
        [{"role": "user", "content": "7+5?"}, {"role": "assistant", "content": text}]
        for text in (r"\boxed{12}", "It is 12")
    ]
    found = env.step(logs, [{"ground_truth": "12"}] * 2)
    assert found.rewards.tolist() == [1, 0]
    assert found.terminateds.tolist() == [1, 1]
    assert found.observations[0] == {"role": "environment", "content": "Environment: correct"}
    batch = {"rewards": found.rewards, "is_end": torch.tensor([1, 1])}
    assert env.global_post_process_and_metrics(batch)[1] == {"accuracy": 0.5}


def test_rolls_worker_fills_its_tensors():
    torch = pytest.importorskip("torch")
    modules = {
        "roll__distributed__scheduler__decorator": {
            "Dispatch": SimpleNamespace(DP_MP_COMPUTE=1), "register": stand_ins.register,
        },
        "roll__distributed__scheduler__protocol": {"DataProto": stand_ins.DataProto},
        "roll__pipeline__rlvr__rewards__math_rule_reward_worker": {"MathRuleRewardWorker": object},
    }  # fmt: skip
    with standing_in(**modules):
        from rewardkit.integrations.roll import verdict_worker

        worker = verdict_worker("math")()
    said = ["It is 12", "13"]
    worker.tokenizer = SimpleNamespace(batch_decode=lambda tokens, **_: said)
    data = SimpleNamespace(
        batch={"responses": torch.zeros(2, 3, dtype=torch.long)},
        non_tensor_batch={"ground_truth": ["12", "12"]},
    )
    found = worker.compute_rewards(data).batch
    assert found["scores"].tolist() == found["response_level_rewards"].tolist() == [1, 0]
    assert found["token_level_rewards"].shape == (2, 3)
