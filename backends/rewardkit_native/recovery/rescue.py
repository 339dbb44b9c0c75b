"""What is saved of a run that fails, and what its error says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rewardkit.errors import RewardkitError
from rewardkit.runs import RunFolder
from rewardkit.runs.retention import checkpoints
from rewardkit_native.distributed.parallel import PeerLost, Ranks
from rewardkit_native.learning.update import Updater
from rewardkit_native.recovery.interrupt import Stopped


@contextmanager
def rescuing(
    folder: RunFolder, updater: Updater, save: Callable[[], Path], ranks: Ranks
) -> Iterator[None]:
    """Save a stopped or failing run's last whole step; an error notes what to resume from.

    Whatever fails (no memory, a user's task, a full disk), the weights after the last whole step
    are good. Inside a step of several updates they are not those of any step: the checkpoint
    before it is where the run goes on.
    """
    try:
        yield
    except Stopped:
        save()
        raise
    except (Exception, SystemExit) as error:
        error.add_note(_rescue(error, folder, updater, save, ranks))
        raise


def _rescue(
    error: BaseException,
    folder: RunFolder,
    updater: Updater,
    save: Callable[[], Path],
    ranks: Ranks,
) -> str:
    why, resume = "", f"rewardkit train --resume {folder.typed}"
    if not all(one.whole for one in updater.trained):
        why = "The step was half done, so its weights were not saved. "
    elif isinstance(error, PeerLost) or not ranks.all_arrive():
        why = "Each process holds a part of the weights, and not all are left to save them. "
    else:
        try:
            saved = save()
        except (RewardkitError, OSError, RuntimeError) as failure:
            if str(failure) == str(error):  # it was this that failed, and has said what to type
                resume = "That"
            else:
                why = f"The model could not be saved ({failure}). "
        else:
            return (
                f"The model as it was after the last whole step was saved in {saved}. Continue "
                f"with\n  {resume}"
            )
    there = checkpoints(folder)
    last = f"from {there[-1].name}" if there else "from the start, since nothing was saved yet"
    return f"{why}{resume} goes on {last}."
