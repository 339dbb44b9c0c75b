"""Messages arrive whole and unchanged, and a side that is gone is told from one that is silent."""

import os
import socket
import threading

import pytest

from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers.pool import wire


@pytest.fixture
def ends():
    one, other = socket.socketpair()
    with one, other:
        yield one, other


@pytest.mark.parametrize("body", [b"", b"x", bytes(range(256)), b"long" * 10**6])
def test_a_message_arrives_whole(ends, body):
    sender = threading.Thread(target=wire.send, args=(ends[0], body))
    sender.start()
    assert wire.receive(ends[1]) == body
    sender.join()


@pytest.mark.parametrize("sent", [b"", b"\0\0", b"\0\0\0\x05abc"])
def test_a_side_that_ends_amid_a_message_is_gone(ends, sent):
    ends[0].sendall(sent)
    ends[0].shutdown(socket.SHUT_WR)
    assert wire.receive(ends[1]) is None


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(Outcome.CORRECT),
        Verdict(Outcome.TIMEOUT, None, "1", "pool", "killed", 2.5),
        Verdict(Outcome.INCORRECT, 'ü " \\ \ud800\n', "\0", "text", "the words differ", 1e-6),
    ],
)
def test_a_verdict_is_decoded_as_it_was(verdict):
    assert wire.decode(wire.encode([verdict])) == [verdict]


@pytest.mark.parametrize("columns", [{}, {"question": "why?"}])
def test_an_item_is_decoded_as_it_was(columns):
    item = wire.Item("ü \ud800", "1", columns)
    assert wire.decode_items(wire.encode_items([item])) == [item]


def test_a_command_brings_its_number_or_a_descriptor(ends):
    pool, template = ends
    wire.send_command(pool, wire.KILL, 70_000)
    assert wire.receive_command(template) == (wire.KILL, 70_000, None)
    read, write = os.pipe()
    wire.send_command(pool, wire.FORK, descriptor=write)
    command, _, received = wire.receive_command(template)
    assert command == wire.FORK
    os.write(received, b"through")
    assert os.read(read, 10) == b"through"
    for descriptor in (read, write, received):
        os.close(descriptor)


def test_a_command_is_answered_by_a_number_or_by_the_end(ends):
    pool, template = ends
    wire.send_number(template, -9)
    assert wire.receive_number(pool) == -9
    template.shutdown(socket.SHUT_WR)
    with pytest.raises(ConnectionError, match="template process ended"):
        wire.receive_number(pool)
    pool.shutdown(socket.SHUT_WR)
    assert wire.receive_command(template) is None
