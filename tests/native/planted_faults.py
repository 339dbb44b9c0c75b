"""Verifiers and a shaping term with a fault each, for test_faults.py."""

import time

from rewardkit.types import Outcome, Verdict


def wrong(response, answer):
    return Verdict(Outcome.INCORRECT)


def right(response, answer):
    return Verdict(Outcome.CORRECT)


def not_blank(response, answer):
    return Verdict(Outcome.CORRECT if response else Outcome.INCORRECT)


def slow(response, answer):
    time.sleep(60)


def longer(rollout, verdict):
    """A tenth of a reward for each token: what a term of one's own should not do."""
    return 0.1 * len(rollout.tokens)


def five(response, answer):
    return Verdict(Outcome.CORRECT if response.endswith("{5}") else Outcome.INCORRECT)


def short(response, answer):
    """Right is what a policy of chance says one time in four, and a lost one never."""
    return Verdict(Outcome.CORRECT if response == r"\boxed{5}" else Outcome.INCORRECT)


def silent(response, answer):
    """Right is to say nothing: what a policy falls into at once, and tries nothing after it."""
    return Verdict(Outcome.CORRECT if response == "" else Outcome.INCORRECT)
