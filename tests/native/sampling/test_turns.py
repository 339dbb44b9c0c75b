"""Rollouts of several turns: the numbers of the trainer, a cache that reads nothing twice."""

import re
import sys
from pathlib import Path

import pytest
import torch

from rewardkit.sampling import SamplingParams
from rewardkit.types import Finish, Outcome, Problem, Task
from rewardkit_native.learning.batch import written_by_model
from rewardkit_native.model.logprobs import packed_scores
from rewardkit_native.sampling.choice import FastSampler, TransformersSampler
from rewardkit_native.sampling.turns import TurnLimits, TurnSampler

sys.path.insert(0, str(Path(__file__).parent))  # the workers import it as well

from answering import Answering, Crash

PROMPTS = [[5, 9, 3], [7, 2, 8, 8, 4, 4], [6]]
PROBLEMS = [Problem(str(i), "?", "1") for i in range(3)]
SEEDS = [[1, 2, 3, 4], [5, 6], [7, 8, 9]]
PARAMS = SamplingParams(max_tokens=40, temperature=0.8)


def player(sampler, environment, turns=4, deadline_s=60.0):
    task = Task("mine", (), (), lambda problem: [], print, environment=environment)
    return TurnSampler(sampler, {"": task}, TurnLimits(turns, 2, deadline_s))


def flat(groups):
    return [rollout for group in groups for rollout in group]


def play(sampler, environment, params=PARAMS, seeds=SEEDS, **limits):
    with player(sampler, environment, **limits) as playing:
        return playing.sample(PROBLEMS, PROMPTS, seeds, params)


@pytest.fixture
def letters(letters):
    """With an `encode`: what an environment says becomes tokens."""
    letters.encode = lambda text, add_special_tokens: [ord(c) - 96 for c in text]
    return letters


@pytest.fixture(params=[TransformersSampler, FastSampler])
def sampler(request, random_llama, letters):
    return request.param(random_llama, letters, torch.float32)


@pytest.fixture(scope="module")
def slow_answers():
    return Answering(stop=("e", "k"), said="hgf", seconds=0.02)


def test_what_was_sampled_behind_several_turns_has_the_trainers_log_probabilities(
    sampler, random_llama, slow_answers
):
    groups = play(sampler, slow_answers)
    several = 0
    for prompt, group in zip(PROMPTS, groups, strict=True):
        for rollout in group:
            with torch.no_grad():
                scores = packed_scores(random_llama, [prompt], [rollout.tokens], 0.8).logprobs[0]
            own = written_by_model([rollout])[0]
            found = torch.tensor(rollout.logprobs)
            torch.testing.assert_close(found[own], scores[own], atol=5e-5, rtol=0)
            assert (found[~own] == 0).all()
            several += sum(part.written for part in rollout.segments) > 2
    assert several > 4


def test_a_rollout_is_its_segments_in_order(sampler, letters, slow_answers):
    for group in play(sampler, slow_answers, turns=3):
        for rollout in group:
            assert sum(part.tokens for part in rollout.segments) == len(rollout.tokens) <= 40
            place = 0
            for number, part in enumerate(rollout.segments):
                tokens = rollout.tokens[place : place + part.tokens]
                assert part.written == (number % 2 == 0)
                assert part.text == letters.decode(tokens) if part.written else part.text == "hgf"
                place += part.tokens
            own = [part.text for part in rollout.segments if part.written]
            assert len(own) <= 3
            assert rollout.text == "\n\n".join(own)
            assert len(rollout.own_tokens) == int(written_by_model([rollout]).sum())


def test_turns_before_the_last_have_their_scores(sampler):
    several = 0
    for rollout in flat(play(sampler, Answering(stop=("e", "k"), said="hgf", score=0.25))):
        ends = [found.end() for found in re.finditer("\n\n", rollout.text)]
        assert rollout.steps == tuple((end, 0.25) for end in ends)
        several += len(ends) > 1
    assert several


def test_how_fast_a_tool_is_changes_no_bit(sampler):
    quick = play(sampler, Answering(stop=("e", "k"), said="hgf"))
    slow = play(sampler, Answering(stop=("e", "k"), said="hgf", seconds=0.1, chance=True))
    assert quick == slow


def test_both_decoders_draw_the_same(random_llama, letters, slow_answers):
    both = [
        kind(random_llama, letters, torch.float32) for kind in (TransformersSampler, FastSampler)
    ]
    slow, fast = (play(sampler, slow_answers) for sampler in both)
    assert [[r.tokens for r in group] for group in slow] == [
        [r.tokens for r in group] for group in fast
    ]


def test_no_prefix_is_computed_twice(random_llama, letters, slow_answers, monkeypatch):
    sampler = FastSampler(random_llama, letters, torch.float32)
    read, fed = [], []
    start = sampler.decoder.start

    def starting(prompts, copies):
        read.append(sum(map(len, prompts)))
        decoding = start(prompts, copies)
        step = decoding.step

        def stepping(tokens, live=None):
            fed.append(len(tokens) if live is None else int(live.sum()))
            step(tokens, live)

        decoding.step = stepping
        return decoding

    monkeypatch.setattr(sampler.decoder, "start", starting)
    groups = play(sampler, slow_answers)
    assert read == [sum(map(len, PROMPTS))]
    rollouts = [rollout for group in groups for rollout in group]
    # Of each rollout at most its last token is never read: nothing follows it.
    tokens = sum(len(rollout.tokens) for rollout in rollouts)
    assert tokens - len(rollouts) <= sum(fed) <= tokens


def test_without_calls_it_is_the_plain_sampler(sampler):
    plain = sampler.sample(PROMPTS, SEEDS, PARAMS)
    played = play(sampler, Answering(stop=(), said=""))
    assert [[r.tokens for r in g] for g in played] == [[r.tokens for r in g] for g in plain]
    assert [[r.logprobs for r in g] for g in played] == [[r.logprobs for r in g] for g in plain]
    assert [[r.finish for r in g] for g in played] == [[r.finish for r in g] for g in plain]


def test_limits_of_turns_and_of_all_tokens(sampler, slow_answers):
    rollouts = flat(play(sampler, slow_answers, turns=1))
    for rollout in rollouts:
        assert [part.written for part in rollout.segments] == [True]
    assert Finish.TURNS in {rollout.finish for rollout in rollouts}
    ends = {rollout.finish for rollout in flat(play(sampler, Answering(("e", "k"), "h" * 30)))}
    assert ends == {Finish.LENGTH, Finish.STOP} or ends == {Finish.LENGTH}


def test_a_failing_environment_is_undecided_and_the_others_go_on(sampler):
    rollouts = flat(play(sampler, Crash(stop=("e", "k"), said="hgf"), deadline_s=3.0))
    failed = [rollout for rollout in rollouts if rollout.verdict is not None]
    assert 0 < len(failed) < len(rollouts)
    assert {one.verdict.outcome for one in failed} <= {Outcome.ERROR, Outcome.TIMEOUT}


def test_a_part_of_a_mixture_has_its_own_environment_or_none(random_llama, letters):
    played = Task("a", (), (), lambda problem: [], print, environment=Answering(("e", "k"), "hgf"))
    problems = [Problem("a/1", "?", "1", "a"), Problem("b/1", "?", "1", "b")]
    sampler = FastSampler(random_llama, letters, torch.float32)
    with TurnSampler(sampler, {"a": played}) as playing:
        of_a, of_b = playing.sample(problems, PROMPTS[:2], SEEDS[:2], PARAMS)
    assert any(len(rollout.segments) > 1 for rollout in of_a)
    assert [one.tokens for one in of_b] == [
        one.tokens for one in sampler.sample(PROMPTS[1:2], SEEDS[1:2], PARAMS)[0]
    ]


@pytest.mark.slow
def test_2000_rollouts_with_tools_that_fail_are_all_there(random_llama, letters):
    sampler = FastSampler(random_llama, letters, torch.float32)
    seeds = [list(range(1000 * g, 1000 * g + n)) for g, n in enumerate((700, 700, 600))]
    rollouts = flat(play(sampler, Crash(stop=("e", "k"), said="hgf"), seeds=seeds, deadline_s=1.0))
    undecided = [one.verdict.outcome for one in rollouts if one.verdict is not None]
    print({"rollouts": len(rollouts), **{str(o): undecided.count(o) for o in set(undecided)}})  # noqa: T201
    assert len(rollouts) == 2000
    assert set(undecided) == {Outcome.ERROR, Outcome.TIMEOUT}
    assert len(undecided) < 2000
