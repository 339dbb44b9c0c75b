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
