"""What a server sends, in one piece or in many, as a response."""

import itertools
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


def endless(event):
    """A stream that goes on for ever, and how much of it was read."""
    read = [0]
    line = f"data: {json.dumps(event)}\n\n".encode()

    def chunks():
        while True:
            read[0] += len(line)
            yield line

    return chunks(), read


@pytest.mark.parametrize(
    "event",
    [
        {"choices": [{"delta": {"content": "x" * 1000}}]},
        {"choices": [{"delta": {"reasoning_content": "x" * 1000}}]},
        {"choices": [{"delta": {"content": ""}}]},
        {"choices": []},
    ],
)
def test_a_stream_that_never_ends_is_read_as_far_as_was_asked_for(event):
    chunks, read = endless(event)
    pieces = Pieces(16)
    wrong = stream_into(pieces, chunks, lambda: None) or pieces.response(0.5)
    assert isinstance(wrong, str)
    assert read[0] < 1_200_000


def test_a_line_that_never_ends_is_read_as_far_as_was_asked_for():
    wrong = stream_into(pieces := Pieces(16), itertools.repeat(b"data: xxxx"), lambda: None)
    assert isinstance(wrong or pieces.response(0.5), str)


@pytest.mark.parametrize("count", [10**400, -1, True, 1.5, "9", None, [], 2**31])
def test_what_is_no_count_of_tokens_is_not_kept(count):
    usage = {"prompt_tokens": count, "completion_tokens": count}
    choice = {"message": {"content": "2"}, "finish_reason": "stop"}
    found = completion(json.dumps({"choices": [choice], "usage": usage}).encode(), 0.5)
    assert (found.prompt_tokens, found.tokens) == (0, 0)
