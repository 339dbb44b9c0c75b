"""Verifiers that take many responses at a time, and some that should not be given any."""

import asyncio
import os
import time

from rewardkit.types import Outcome, Verdict

under_way = [0]


async def patient(response, answer):
    """Says how many others wait beside it."""
    under_way[0] += 1
    await asyncio.sleep(0.2)
    beside = under_way[0]
    under_way[0] = 0
    return Verdict(Outcome.CORRECT, reason=str(beside))


async def mixed(response, answer):
    if response == "raise":
        raise ValueError("no")
    if response == "hang":
        await asyncio.sleep(60)
    if response == "block":
        time.sleep(60)
    if response == "die":
        os._exit(3)
    await asyncio.sleep(0.01)
    return response == answer


class Patient:
    async def __call__(self, response, answer):
        return await patient(response, answer)


def scores(responses, answers, weight=None):
    weights = weight or [1.0] * len(responses)
    return [(a == b) * w for a, b, w in zip(responses, answers, weights, strict=True)]


def counted(responses, answers):
    return [Verdict(Outcome.CORRECT, reason=str(len(responses))) for _ in responses]


def short(responses, answers):
    return [1.0]
