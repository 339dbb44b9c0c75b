"""What a hostile response, gold or server cannot do to the judge."""

import asyncio
import subprocess
import sys

from rewardkit.judging.client import _bounded
from rewardkit.judging.words import decoy


def test_no_response_can_know_the_decoy_and_no_gold_can_hold_it():
    other = "from rewardkit.judging.words import decoy; print(decoy('fox'))"
    there = subprocess.run(
        [sys.executable, "-c", other], capture_output=True, text=True, check=True
    )
    assert there.stdout.strip() != decoy("fox")
    gold = "-48163.25 tartan umbrella"
    for _ in range(3):
        assert decoy(gold) not in gold
        gold += " " + decoy(gold)


def test_a_server_that_never_ends_is_read_as_far_as_was_asked_for():
    class Endless:
        read = 0

        async def aiter_bytes(self):
            while True:
                self.read += 1000
                yield b"x" * 1000

    answer = Endless()
    assert asyncio.run(_bounded(answer, 2500)) == b"x" * 2500
    assert answer.read == 3000
