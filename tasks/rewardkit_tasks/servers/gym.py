"""Environments of NeMo-Gym, as `gym:URL` of a resources server: its tools answer, `/verify` grades.

A rollout is a session of theirs, kept by its cookies: `/seed_session`, a request a call, and
`/verify` with all that was said as a response of OpenAI's Responses API. Problems are rows of a
file of theirs. A turn that was cut off is not sent.

Source: https://github.com/NVIDIA-NeMo/Gym. Licence: that of the rows. Version: 1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rewardkit.environments import Reply, Tool
from rewardkit.environments.formats import Call
from rewardkit.environments.grades import verdict_of_reward
from rewardkit.environments.tools import answer_calls, explained
from rewardkit.errors import ConfigError, DataError
from rewardkit.tasks import read_rows
from rewardkit.types import Message, Outcome, Problem, Task, Verdict
from rewardkit.verifiers.format.thoughts import without_thoughts
from rewardkit_tasks.servers.requests import ask, described, span_of

RESPONSE = {"id": "response", "object": "response", "created_at": 0, "model": "policy"} | {
    "parallel_tool_calls": True, "tool_choice": "auto", "tools": []
}  # fmt: skip


@dataclass(frozen=True)
class GymEnvironment:
    """Plays rows on a resources server."""

    url: str
    rewards: tuple[float, float]
    stop: Sequence[str] = ()
    roles: Sequence[str] = ("tool",)

    def begin(self, problem: Problem) -> dict[str, Any]:
        """Begin a session."""
        return {"cookies": self._post("/seed_session", dict(problem.info), {})[1], "output": []}

    def reply(self, problem: Problem, state: dict[str, Any], turn: str) -> Reply:
        """Return the results of a turn's calls; what the server refuses is told to the model."""
        cookies, output = state["cookies"], list(state["output"])

        def result_of(call: Call, tool: Tool) -> str:
            nonlocal cookies
            found = ask(f"{self.url}/{tool.name}", dict(call.arguments), cookies)
            cookies = found.cookies
            if found.refused:
                raise ValueError(found.text)
            return found.text

        said = answer_calls("hermes", tools_of(problem), turn, result_of)
        text = without_thoughts(turn).partition("<tool_call>" if said.calls else "\0")[0].strip()
        done, named = {"status": "completed"}, len(output)
        if text:
            content = [{"type": "output_text", "text": text, "annotations": []}]
            made = {"id": f"message-{named}", "role": "assistant", "content": content}
            output.append({"type": "message", **made, **done})
        for place, (call, result) in enumerate(zip(said.calls, said.results, strict=True)):
            which = {"call_id": f"call-{named}-{place}"}
            made = {"name": call.name, "arguments": json.dumps(dict(call.arguments))}
            output.append({"type": "function_call", **which, **made, **done})
            output.append({"type": "function_call_output", **which, "output": result})
        return Reply(said.messages, {"cookies": cookies, "output": output}, said.errors)

    def grade(self, problem: Problem, state: dict[str, Any]) -> Verdict:
        """Return their reward as a score, their other numbers in the reason.

        Raises:
            RuntimeError: the server says that its reward measures nothing (`mask_sample`).
        """
        if not state["output"]:
            return Verdict(Outcome.NO_ANSWER, method="gym")
        sent = {**problem.info, "response": {**RESPONSE, "output": state["output"]}}
        found, _ = self._post("/verify", sent, state["cookies"])
        if found.pop("mask_sample", False):
            raise RuntimeError(f"not graded: {found.get('failure_reason') or 'no reason given'}")
        parts = {k: v for k, v in found.items() if isinstance(v, int | float) and k not in sent}
        said = [one["content"][0]["text"] for one in state["output"] if one["type"] == "message"]
        last = said[-1] if said else None
        return verdict_of_reward(found["reward"], "gym", last, parts, self.rewards)

    def _post(self, path: str, body: Any, cookies: Mapping[str, str]) -> tuple[Any, dict[str, str]]:
        found = ask(f"{self.url}{path}", body, cookies)
        if found.refused:
            raise RuntimeError(f"{self.url}{path} refused: {found.text[:500]}")
        return json.loads(found.text), found.cookies


def tools_of(problem: Problem) -> list[Tool]:
    """Return the tools of a row."""
    return [
        Tool.elsewhere(one["name"], one.get("description") or "", one.get("parameters") or {})
        for one in problem.info["responses_create_params"].get("tools") or ()
    ]


def chat_of(row: Mapping[str, Any]) -> list[Message]:
    """Return the input of a row as a chat.

    >>> chat_of({"responses_create_params": {"input": [{"role": "developer", "content": "Hi"}]}})
    [{'role': 'system', 'content': 'Hi'}]
    """
    asked = row["responses_create_params"]["input"]
    turns = [{"role": "user", "content": asked}] if isinstance(asked, str) else asked
    parts = [[{"text": t}] if isinstance(t := one["content"], str) else t for one in turns]
    return [
        {
            "role": one["role"].replace("developer", "system"),
            "content": "".join(p["text"] for p in of),
        }
        for one, of in zip(turns, parts, strict=True)
    ]


def messages(problem: Problem) -> list[Message]:
    """Return the chat of a problem, with what its tools take."""
    return explained(chat_of(problem.info), tools_of(problem))


def problems_of(file: str) -> list[Problem]:
    """Return the rows of a file as problems, with the row as columns.

    Raises:
        DataError: a row that is none of theirs.
    """
    found = list[Problem]()
    for where, row in read_rows(Path(file)):
        try:
            question = chat_of(row)[-1]["content"]
        except (KeyError, TypeError, IndexError) as error:
            raise DataError(f"{where}: no messages in responses_create_params.input") from error
        found.append(Problem(f"{Path(file).stem}-{len(found)}", question, "", "gym", row))
    return found


def gym(
    url: str, data: str, test: str = "", test_size: int = 64, rewards: Sequence[float] = (0, 1)
) -> Task:
    """Return the task of a resources server and a file of its rows.

    Args:
        url: of the server.
        data: JSON lines with `responses_create_params`, to train on.
        test: another such file, to test on; without one, the first `test_size` rows of `data` are.
        test_size: how many.
        rewards: the lowest and the highest of the server, which become the scores 0 and 1.

    Raises:
        ConfigError: no resources server answers at that address, or rewards that are no range.
        DataError: a row that is none of theirs.
    """
    url = url.rstrip("/")
    if "/verify" not in described(f"gym:{url}", url, "/openapi.json").get("paths", {}):
        raise ConfigError(f"task gym:{url}: the server there has no /verify, which grades")
    rows, played = problems_of(data), GymEnvironment(url, span_of(f"gym:{url}", rewards))
    return Task(
        name=f"gym:{urlsplit(url).netloc}",
        train=rows if test else rows[test_size:],
        test=problems_of(test) if test else rows[:test_size],
        messages=messages,
        source=data,
        environment=played,
    )
