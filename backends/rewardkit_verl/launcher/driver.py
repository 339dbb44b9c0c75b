"""What runs in the driver process: verl's own `main_ppo`, once our names are in its registries.

Called as `python -m rewardkit_verl.launcher.driver OVERRIDES...`, with the environment that
`prepare` gives. verl logs a plugin that fails to load at DEBUG and goes on without it, so the
names are checked first.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

from rewardkit_verl.names import LAUNCHER_VARIABLE

PR_SET_PDEATHSIG = 1


def end_with_launcher() -> None:
    """Have the kernel kill this process when its launcher dies; Ray's processes die with it.

    SIGKILL, since nobody is left to see whether it ends by itself. Elsewhere than on Linux, and in
    a run that was started by hand, nothing is done.
    """
    launcher = os.environ.get(LAUNCHER_VARIABLE)
    if launcher is None or sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(launcher):  # it died before the kernel was told
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Check the registries, then hand over to `verl.trainer.main_ppo`."""
    end_with_launcher()
    import verl  # noqa: F401 - loads the plugins

    from rewardkit_verl.inside.registration import check_registered

    check_registered()
    from verl.trainer.main_ppo import main as main_ppo

    main_ppo()


if __name__ == "__main__":
    main()
