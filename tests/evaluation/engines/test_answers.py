"""What a server sends, in one piece or in many, as a response."""

import json

import pytest

from rewardkit.evaluation.engines.answers import Pieces, completion, stream_into
from rewardkit.types import Finish

ENDS = [
    ("content_filter", Finish.FILTERED),
    ("tool_calls", Finish.CALLED),
    ("function_call", Finish.CALLED),
]


@pytest.mark.parametrize(("reason", "finish"), ENDS)
@pytest.mark.parametrize("message", [{"content": None}, {"tool_calls": []}, {"content": "7"}])
def test_what_a_filter_or_a_tool_ended_is_a_response_with_the_text_that_came(
    reason, finish, message
):
    whole = completion(
        json.dumps({"choices": [{"message": message, "finish_reason": reason}]}).encode(), 0.5
    )
    streamed = Pieces()
    events = [{"delta": message, "finish_reason": None}, {"delta": {}, "finish_reason": reason}]
    lines = [f"data: {json.dumps({'choices': [event]})}\n\n".encode() for event in events]
    assert stream_into(streamed, lines, lambda: None) is None
    for found in (whole, streamed.response(0.5)):
        assert (found.text, found.finish) == (message.get("content") or "", finish)


@pytest.mark.parametrize("reason", ["stop", "abort", None])
def test_without_text_or_a_known_end_it_is_malformed(reason):
    body = {"choices": [{"message": {"content": None}, "finish_reason": reason}]}
    assert isinstance(completion(json.dumps(body).encode(), 0.5), str)
