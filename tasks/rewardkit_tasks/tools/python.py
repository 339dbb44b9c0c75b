"""Python as a tool: each call is a program in the jail of `rewardkit_tasks.code`.

Source: written here. Licence: Apache-2.0. Version: 1. What the jail does not protect from stands
in docs/tasks.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rewardkit.environments import Tool
from rewardkit_tasks.code.programs import Limits, run_program
from rewardkit_tasks.code.verifier import CodeVerifier

LONGEST = 4000
"""Characters of what a program prints that the model is shown."""
HARNESS = """\
import contextlib, io, json, sys
*earlier, code = json.load(sys.stdin)
names = {"__name__": "__main__"}
with contextlib.redirect_stdout(io.StringIO()):
    for cell in earlier:
        try: exec(compile(cell, "earlier.py", "exec"), names)
        except Exception: pass
exec(compile(code, "program.py", "exec"), names)
"""


@dataclass(frozen=True)
class Interpreter:
    """Runs a program and returns what it prints; the rollout's earlier ones ran before it."""

    limits: Limits
    stateful: bool

    def __call__(self, code: str, earlier: Sequence[Mapping[str, Any]]) -> str:
        """Run a Python program; print what you want to see.

        Raises:
            ValueError: it does not run to its end; says what it printed, and why it ended.
            RuntimeError: its jail failed, or the clock stopped it while it had used no time.
        """
        before = [str(one["code"]) for one in earlier] if self.stateful else []
        ran = run_program(HARNESS, json.dumps([*before, str(code)]), self.limits)
        if ran.undecided:
            raise RuntimeError(ran.trouble)
        shown = ran.output.strip()
        shown = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} ..."
        if ran.trouble:
            raise ValueError("\n".join(filter(None, (shown, ran.trouble))))
        return shown


def python(
    run_programs: bool = False,
    stateful: bool = True,
    jail: str = "",
    cpu_s: int = 4,
    memory_mb: int = 512,
) -> Tool:
    """Return the tool, whose one argument is `code`.

    Args:
        run_programs: must be true: programs of the model run on this machine.
        stateful: names of a rollout's earlier programs are known to the next.
        jail: `limits`, to run programs where the system gives no jail.
        cpu_s: CPU seconds of one call, the earlier programs counted in.
        memory_mb: MiB that it may allocate.

    Raises:
        ConfigError: `run_programs` is not true, or no program can be run here.
    """
    CodeVerifier(run_programs, jail=jail)  # refuses what must not be
    interpreter = Interpreter(Limits(cpu_s=cpu_s, memory_mb=memory_mb), stateful)
    said = "Run a Python program; print what you want to see."
    return Tool("python", said, interpreter, {"code": "string"})
