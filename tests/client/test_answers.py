"""What a server sends, in one piece or in many, as a response."""

import itertools
import json

import pytest

from rewardkit.client.answers import Pieces, stream_into
from rewardkit.types import Finish


def whole(message, reason="stop", **more):
    """What a completion in one piece is read as."""
    pieces, choice = Pieces(), {"message": message, "finish_reason": reason}
    wrong = pieces.add(json.dumps({"choices": [choice], **more}).encode())
    return wrong or pieces.response(0.5)


def streamed(*events):
    pieces = Pieces()
    lines = [f"data: {json.dumps({'choices': [event]})}\n\n".encode() for event in events]
    return stream_into(pieces, lines, lambda: None) or pieces.response(0.5)


THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
SHAPES = [
    ({"content": "7"}, "7", ""),
    ({"content": None, "reasoning_content": "hm"}, "", "hm"),
    ({"content": "7", "reasoning": "hm"}, "7", "hm"),
    ({"content": [{"type": "text", "text": "7"}]}, "7", ""),
    ({"content": [THOUGHT, {"type": "text", "text": "7"}]}, "7", "hm"),
    ({"content": [{"type": "reasoning", "reasoning": "hm"}, {"text": "7"}]}, "7", "hm"),
    ({"content": []}, "", ""),
    ({"content": None}, "", ""),
    ({"tool_calls": []}, "", ""),
    (None, "", ""),
]


@pytest.mark.parametrize("end", ["stop", "length", "content_filter", "tool_calls", "function_call"])
@pytest.mark.parametrize(("message", "text", "reasoning"), SHAPES)
def test_each_shape_of_a_message_is_read_in_one_piece_and_in_many(message, text, reasoning, end):
    known = {"stop": Finish.STOP, "length": Finish.LENGTH, "content_filter": Finish.FILTERED}
    finish = known.get(end, Finish.CALLED)
    events = {"delta": message, "finish_reason": None}, {"delta": {}, "finish_reason": end}
    for found in (whole(message, end), streamed(*events)):
        assert (found.text, found.reasoning, found.finish) == (text, reasoning, finish)
    assert whole(message).empty == (not text and not reasoning)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"content": 7}, "stop"),
        ({"content": 0}, "stop"),
        ({"content": [7]}, "stop"),
        ({"content": [{"type": "text", "text": {}}]}, "stop"),
        ({"content": {"text": "7"}}, "stop"),
        ({"content": "x"}, "abort"),
        ({"content": "x"}, None),
        ({"content": "x"}, ["stop"]),
    ],
)
def test_what_is_no_text_and_what_has_no_known_end_is_malformed(message, reason):
    assert isinstance(whole(message, reason), str)
    assert isinstance(streamed({"delta": message, "finish_reason": reason}), str)


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
    found = whole({"content": "2"}, usage={"prompt_tokens": count, "completion_tokens": count})
    assert (found.prompt_tokens, found.tokens) == (0, 0)
