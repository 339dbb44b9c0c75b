"""Environments that answer whatever a turn says, or fail as its last letter says."""

import os
import random
import sys
import time

from rewardkit.environments import Reply


class Answering:
    roles = ()

    def __init__(self, stop, said, seconds=0.0, chance=False, score=None):
        self.stop, self.said, self.seconds, self.chance = stop, said, seconds, chance
        self.score = score

    def begin(self, problem):
        return {"turns": 0}

    def reply(self, problem, state, turn):
        time.sleep(self.seconds * (random.random() if self.chance else 1))
        over = not turn or turn[-1] not in self.stop
        return Reply("" if over else self.said, {"turns": state["turns"] + 1}, score=self.score)


class Crash(Answering):
    def reply(self, problem, state, turn):
        kind = len(turn) % 9
        if kind == 1:
            raise RuntimeError("a fault of the tool")
        if kind == 2 and state["turns"] == 1:
            time.sleep(3600)
        if kind == 3:
            return Reply("h" * (1 << 27), state)
        if kind == 4:
            sys.exit(1)
        if kind == 5:
            os._exit(1)
        if kind == 6 and state["turns"] == 1:
            bytearray(1 << 42)
        return super().reply(problem, state, turn)
