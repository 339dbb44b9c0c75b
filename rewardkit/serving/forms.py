"""Bodies of requests -> pairs to verify, and verdicts -> what whoever asked reads.

| path | who asks | body |
|---|---|---|
| /verify | anybody | `{"response": ..., "gold": ...}` and columns, or a list of such rows |
| /verify | NeMo-Gym's agents | a row with `responses_create_params` and the `response` object |
| /get_reward | OpenRLHF | `{"query": [...], "prompts": [...], "labels": [...]}` |
| /seed_session, /close_session | NeMo-Gym's agents and environments | anything |
| /aggregate_metrics | NeMo-Gym, at the end of its rollouts | `{"verify_responses": [...]}` |
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rewardkit.data.messages import after_prompt, text_of
from rewardkit.errors import DataError
from rewardkit.integrations.openrlhf import as_answer
from rewardkit.runs.graded_rows import row_from, verdict_columns
from rewardkit.serving.sessions import aggregate_metrics, session
from rewardkit.types import UNDECIDED, Problem, Verdict
from rewardkit.verifiers.signature import WHOLE

GOLDS = ("gold", "expected_answer", "answer", "ground_truth")
"""What a gold answer is called in a body, the first that is there."""
_NEMO = "responses_create_params"
_READ = ("response", "pred", "kind", "problem", "problem_id", "question", "source")
"""What of a row is read for any verifier, beside its gold."""
WITHOUT_VERDICTS: Mapping[str, Callable[[Any], Any]] = {
    "/seed_session": session,
    "/close_session": session,
    "/aggregate_metrics": aggregate_metrics,
}
"""What is answered from the body alone."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a body asks for, and how its verdicts are written."""

    pairs: Sequence[tuple[str, Problem]]
    answer: Callable[[Sequence[Verdict]], Any]


def count_of(path: str, body: Any) -> int:
    """Return how many responses a body holds; none of them is looked at.

    >>> count_of("/verify", [{}, {}]), count_of("/verify", {}), count_of("/get_reward", {})
    (2, 1, 0)
    """
    if path == "/get_reward":
        body = body.get("query") if isinstance(body, Mapping) else None
        return len(body) if isinstance(body, list) else 0
    if path in WITHOUT_VERDICTS:
        return 0
    return len(body) if isinstance(body, list) else 1


def asked_for(path: str, body: Any, columns: Container[str] = ()) -> Asked:
    """Return what a body asks for; of further columns those are read that are named.

    Raises:
        DataError: it cannot be used; says what was found and what was expected.

    >>> asked = asked_for("/verify", {"response": "so 12", "gold": 12})
    >>> asked.pairs[0][0], asked.pairs[0][1].answer
    ('so 12', '12')
    """
    if path in WITHOUT_VERDICTS:
        said = WITHOUT_VERDICTS[path](body)
        return Asked([], lambda _: said)
    if path == "/get_reward":
        return _of_openrlhf(_table(body, "the body"))
    if isinstance(body, list):
        rows = ((_table(row, f"item {i}"), f"item {i}") for i, row in enumerate(body))
        pairs = [_pair(row, where, columns) for row, where in rows]
        return Asked(pairs, lambda verdicts: [verdict_columns(verdict) for verdict in verdicts])
    row = _table(body, "the body")
    if _NEMO in row:
        return _of_nemo_gym(row, columns)
    return Asked([_pair(row, "the body", columns)], lambda verdicts: verdict_columns(verdicts[0]))


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        kind = type(value).__name__
        raise DataError(f'{where}: expected {{"response": ..., "gold": ...}}, found {kind}')
    return value


def _pair(row: Mapping[str, Any], where: str, columns: Container[str] = ()) -> tuple[str, Problem]:
    read = {name: row[name] for name in row if name in _READ or _wanted(name, columns)}
    gold = next((name for name in GOLDS if name in row), None)
    if gold is not None:
        read["gold"] = row[gold]
    if isinstance(info := row.get("info"), Mapping):
        read["info"] = {name: info[name] for name in info if _wanted(name, columns)}
    try:
        found = row_from(read, where)
        return found.response, found.as_problem()
    except RecursionError as error:
        raise DataError(f"{where}: nested deeper than anything that is graded") from error


def _wanted(name: str, columns: Container[str]) -> bool:
    return name in columns or WHOLE in columns


def _of_nemo_gym(row: Mapping[str, Any], columns: Container[str]) -> Asked:
    response = _table(row.get("response"), "response")
    output = response.get("output")
    if not isinstance(output, list) or not all(isinstance(one, Mapping) for one in output):
        raise DataError("response.output is a list of the model's items, as in OpenAI's responses")
    messages = [one for one in output if one.get("type") == "message"]
    text = "".join(text_of(message.get("content")) for message in messages)
    given = {**_metadata(row), **row, "response": text}
    response_text, problem = _pair(given, "the body", columns)

    def answer(verdicts: Sequence[Verdict]) -> dict[str, Any]:
        [verdict] = verdicts
        undecided = verdict.outcome in UNDECIDED
        return {
            **row,
            "reward": verdict.score,
            "mask_sample": undecided,
            "failure_reason": f"{verdict.outcome}: {verdict.reason}" if undecided else None,
            "extracted_answer": verdict.extracted,
            "outcome": verdict.outcome.value,
            "reason": verdict.reason,
        }

    return Asked([(response_text, problem)], answer)


def _metadata(row: Mapping[str, Any]) -> Mapping[str, Any]:
    found = row.get("verifier_metadata")
    return found if isinstance(found, Mapping) else {}


def _of_openrlhf(body: Mapping[str, Any]) -> Asked:
    queries, prompts, labels = (_column(body, name) for name in ("query", "prompts", "labels"))
    if not len(queries) == len(prompts) == len(labels):
        raise DataError(
            f"query, prompts and labels are equally long; found {len(queries)}, {len(prompts)} and "
            f"{len(labels)}"
        )
    pairs = [
        _pair({"response": after_prompt(query, prompt), "gold": label, "question": prompt}, "label")
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]
    return Asked(pairs, as_answer)


def _column(body: Mapping[str, Any], name: str) -> list[Any]:
    found = body.get(name)
    if not isinstance(found, list) or (name != "labels" and not all(_is_text(x) for x in found)):
        kind = "nothing" if found is None else type(found).__name__
        there = ", ".join(map(repr, list(body)[:8]))
        raise DataError(f"{name!r} is a list of texts, found {kind}; the body has {there}")
    return found


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
