"""Verifiers at the top of a module, where worker processes find them."""

import os
import time


def slowly(response, answer):
    time.sleep(0.05)
    return True


def first_is_id(response, answer, n, id):
    return n[0] == int(id)


def needs_a_hint(response, answer, hint):
    return True


def raises(response, answer):
    raise ValueError("the rules were not found")


class Killed:
    """Ends the process that it is asked in, as the kernel does for want of memory."""

    def quick(self, response, answer):
        os._exit(137)

    __call__ = quick


killed = Killed()


def hinted(response, answer, hint=""):
    return bool(hint)


def hinted_whole(response, answer, problem):
    return "hint" in problem.info
