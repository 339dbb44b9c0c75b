"""What a hostile response, gold or server cannot do to the judge."""

import subprocess
import sys

from rewardkit.client.answers import bounded
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
    read = []

    def endless():
        while True:
            read.append(1000)
            yield b"x" * 1000

    assert b"".join(bounded(endless(), 2500)) == b"x" * 2500
    assert sum(read) == 3000
