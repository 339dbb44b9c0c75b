"""`rewardkit serve`: a verifier over HTTP, for trainers that ask a server."""

from __future__ import annotations

import os
import sys

from tyro.conf import UseAppendAction

from rewardkit.cli.options.grading import Grader
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError, MissingExtraError


def serve(
    *,
    answer_in: UseAppendAction[tuple[str, ...]] = (),
    host: str = "127.0.0.1",
    port: int = 8000,
    token_env: Unset[str] = None,
    workers: Unset[int] = None,
    max_body: int = 2_097_152,
    max_pending: int = 4096,
    request_s: float = 120.0,
    grader: Grader = Grader(),
) -> None:
    """Answer /verify, OpenRLHF's /get_reward and NeMo-Gym's /verify until SIGTERM.

    Beside them are /health and /metrics (Prometheus). What was asked before the signal is answered.

    Args:
        answer_in: where alone the answer is read: box, tag, tag:NAME, marker or last_line; by
            default where a task declares it, and anywhere for a verifier.
        host: by default only this machine can ask; 0.0.0.0 lets anybody who reaches it.
        port: 0 takes a free one; the URL is printed.
        token_env: the environment variable with the token that requests must bring.
        workers: how many verifier processes at most; by default one a core.
        max_body: the most bytes of a request; beyond it is 413.
        max_pending: the most responses in work; beyond it is 429 with Retry-After.
        request_s: seconds for a whole request; what is undecided then is a `timeout`.
        grader: what grades.
    """
    token = os.environ.get(token_env) if token_env else None
    if token_env and not token:
        raise ConfigError(f"the environment variable {token_env} is not set, or empty")
    if token and not token.isascii():
        raise ConfigError(
            f"the token in {token_env} is not ASCII, and headers of HTTP hold no other letters in "
            "one way alone; make one of them, such as `openssl rand -hex 32` prints"
        )
    from rewardkit.integrations.grading import verifier_of

    chosen = verifier_of(grader.made(), answer_in)
    try:
        from rewardkit.serving.admission import Limits
        from rewardkit.serving.app import make_app
        from rewardkit.serving.server import is_loopback, run
    except ModuleNotFoundError as error:
        if error.name in ("fastapi", "uvicorn", "prometheus_client"):
            raise MissingExtraError(error.name, "serve") from error
        raise
    limits = Limits(max_body, max_pending, request_s, grader.deadline)
    app = make_app(chosen, limits, workers=workers, token=token)
    if token is None and not is_loopback(host):
        _say(f"note: whoever reaches {host} can ask; --token-env NAME asks for a token")
    run(app, host, port, lambda url: _say(f"serving {grader.verifier} on {url}"))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201
