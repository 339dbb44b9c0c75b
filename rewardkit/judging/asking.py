"""What verifiers share that wait for a model: a future verdict, and why there may be none."""

from __future__ import annotations

import os
import time
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from rewardkit.client.client import NoReply, client_at, started
from rewardkit.client.settings import ServerOptions
from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Verdict
from rewardkit.verifiers.signature import Asked


class Asking:
    """A verifier that waits for a model: what `Judge`, `Rubric` and `RewardModel` share."""

    asked = Asked(optional=("question",))

    def __call__(self, response: str, answer: Gold, question: str = "", **columns: Any) -> Verdict:
        """Return the verdict; ERROR where the model or its server is undecided."""
        return self.submit(response, answer, question, **columns).result()

    def submit(
        self, response: str, answer: Gold, question: str = "", **columns: Any
    ) -> Future[Verdict]:
        """Begin to ask, and return the future verdict."""
        return started(self._verdict(response, as_text(answer), question, columns))

    def silence(self) -> str:
        """Return why its server cannot be asked now; "" where it can, or where there is none."""
        if not isinstance(self, ServerOptions) or not self.base_url:
            return ""
        return client_at(self, os.getpid()).silence()

    async def _verdict(self, response: str, gold: str, question: str, columns: Any) -> Verdict:
        begun = time.perf_counter()
        try:
            found = await self.decide(response, gold.strip(), question, **columns)
        except NoReply as error:
            name = type(self).__name__.lower()
            found = Verdict(
                Outcome.ERROR, method=name, reason=f"{name} is undecided: {error}"[:300]
            )
        return replace(found, gold=gold, seconds=time.perf_counter() - begun)

    async def decide(self, response: str, gold: str, question: str, **columns: Any) -> Verdict:
        """Return the verdict on one response.

        Raises:
            NoReply: nothing that can be used came from the model.
        """
        raise NotImplementedError
