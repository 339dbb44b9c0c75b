"""Environments that fail in each way that a tool can."""

import os
import sys
import time

from rewardkit.environments import Reply


class Cruel:
    """Does what the problem's answer says."""

    stop = roles = ()

    def begin(self, problem):
        return {"turns": 0}

    def reply(self, problem, state, turn):
        what = problem.answer
        if what == "raise":
            raise RuntimeError("a fault of the tool")
        if what == "hang":
            time.sleep(3600)
        if what == "flood":
            return Reply("x" * (1 << 22), state)
        if what == "memory":
            return Reply(str(bytearray(1 << 40)), state)
        if what == "exit":
            sys.exit(3)
        if what == "die":
            os._exit(9)
        if what == "state":
            return Reply("x", "s" * (1 << 21))
        if what == "no json":
            return Reply("x", object())
        return Reply(
            "<output>1</output>" if state["turns"] < 2 else "", {"turns": state["turns"] + 1}
        )


class Graded(Cruel):
    def grade(self, problem, state):
        if problem.answer == "raise in grade":
            raise RuntimeError("a fault of the rubric")
        return state["turns"] / 4
