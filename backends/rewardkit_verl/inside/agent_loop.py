"""The agent loop: plays a task's environment, or asks for one response where it has none.

verl makes one for each rollout, in its agent loop workers; the environments and their processes
are of the worker. Tokens in, tokens out: the server gets the tokens that were sampled, and no turn
is tokenised again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import chain
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import (
    AgentLoopBase,
    AgentLoopMetrics,
    AgentLoopOutput,
    register,
)
from verl.utils.profiler import simple_timer

from rewardkit.environments.rollout import play
from rewardkit.environments.table import EnvironmentTable, played_tasks
from rewardkit.tasks.settings import grading_task, turn_limits
from rewardkit.types import Rollout
from rewardkit_verl.inside.reward_manager import end_tokens, go_to_launcher_folder
from rewardkit_verl.names import AGENT_LOOP, PLAYED_KEY
from rewardkit_verl.rows import played_text, problem_of
from rewardkit_verl.settings import run_config


@register(AGENT_LOOP)
class RewardkitAgentLoop(AgentLoopBase):
    """Plays one rollout: a turn is one request to verl's server, which keeps to the session."""

    async def run(self, sampling_params: dict[str, Any], **kwargs: Any) -> AgentLoopOutput:
        """Return the rollout, its mask 1 where the policy wrote and 0 where the environment did."""
        run, problem = run_config(), problem_of(kwargs)
        prompt = await self.ct_build_initial_tokens(list(kwargs["raw_prompt"]))
        workers = self.rollout_config.agent.num_workers
        played = environments(self.tokenizer, workers).of(problem)
        stop = tuple(played.pool.environment.stop) if played else ()
        ends = ends_of(self.config.actor_rollout_ref.model.path, self.tokenizer)
        request, said = uuid4().hex, dict[str, Any]()

        async def generate(
            written: Sequence[int], most: int
        ) -> tuple[Sequence[int], Sequence[float], bool]:
            asked = {**sampling_params, "max_tokens": most, "stop": list(stop) or None}
            output = await self.server_manager.generate(
                request_id=request, prompt_ids=[*prompt, *written], sampling_params=asked
            )
            said.update(output.extra_fields)
            own = list(output.token_ids)[:most]
            logprobs = list(output.log_probs or [])[:most] or [0.0] * len(own)
            return own, logprobs, self._ended(own, ends, stop)

        clock: dict[str, float] = {}
        with simple_timer("generate_sequences", clock):
            decode = partial(self.tokenizer.decode, skip_special_tokens=True)
            limit = run.sampling.max_tokens
            rollout = await play(problem, played, generate, decode, run.sampling.turns, limit)
        if played is not None:
            said[PLAYED_KEY] = played_text(rollout)
        return AgentLoopOutput(
            prompt_ids=prompt,
            response_ids=list(rollout.tokens),
            response_mask=response_mask(rollout),
            response_logprobs=list(rollout.logprobs),
            num_turns=1 + len(rollout.segments),
            metrics=AgentLoopMetrics(**clock),
            extra_fields={**said, "turn_scores": [], "tool_rewards": []},
        )

    def _ended(self, own: Sequence[int], ends: frozenset[int], stop: Sequence[str]) -> bool:
        """Return whether a turn ended; of some engines' reasons to stop, the limit looks alike."""
        if not own or own[-1] in ends or not stop:
            return bool(own) and own[-1] in ends
        tail = own[-max(len(s.encode()) for s in stop) - 8 :]
        text = self.tokenizer.decode(tail, skip_special_tokens=False)
        return any(s in text for s in stop)


ends_of = cache(end_tokens)


@cache
def environments(tokenizer: Any, workers: int) -> EnvironmentTable:
    """Return the environments of this process, one of so many workers; they end with it."""
    go_to_launcher_folder()
    run = run_config()
    tasks = played_tasks(grading_task(run))
    return EnvironmentTable(tasks, tokenizer, turn_limits(run, workers), run.model.name)


def response_mask(rollout: Rollout) -> list[int]:
    """Return verl's mask of a rollout: 1 for a token of the policy, 0 for one of the environment.

    >>> from rewardkit.types import Finish, Segment
    >>> parts = (Segment(True, "2*3", 2), Segment(False, "6", 1), Segment(True, "6", 1))
    >>> response_mask(Rollout("", (0,) * 4, (0.0,) * 4, Finish.STOP, parts))
    [1, 1, 0, 1]
    """
    return list(chain.from_iterable([int(p.written)] * p.tokens for p in rollout.segments))
