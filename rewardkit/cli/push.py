"""`rewardkit push`: a run's last checkpoint with its card, to a hub."""

from __future__ import annotations

from pathlib import Path

import tyro

from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError, MissingExtraError
from rewardkit.pages.console import Console
from rewardkit.runs import RunFolder


def push(run: tyro.conf.Positional[Path], to: Unset[str] = None, private: bool = False) -> None:
    """Upload a run's last checkpoint, with a card of recipe, curves and evaluations.

    What is uploaded is the model as transformers and vLLM load it, and the run's settings,
    metrics and results, but no response. HF_ENDPOINT names another hub than huggingface.co.

    Args:
        run: the run folder.
        to: the repository, OWNER/NAME; without it the files are listed, and nothing is sent.
        private: make the repository, where it is new, for its owner alone.
    """
    from rewardkit.report.card import repository

    files = repository(RunFolder.open(run))
    console = Console()
    if to is None:
        for name, what in files.items():
            size = len(what) if isinstance(what, bytes) else what.stat().st_size
            console.print(f"{size:>14,}  {name}", highlight=False, markup=False, soft_wrap=True)
        console.print("nothing is sent without --to OWNER/NAME", markup=False)
        return
    console.print(_send(files, to, private), highlight=False, markup=False, soft_wrap=True)


def _send(files: dict[str, Path | bytes], to: str, private: bool) -> str:
    """Make the repository and one commit of all files; return where it is."""
    try:
        from huggingface_hub import CommitOperationAdd, HfApi
    except ModuleNotFoundError as error:
        raise MissingExtraError("huggingface_hub", "native") from error
    api = HfApi(library_name="rewardkit")
    try:
        repo = api.create_repo(to, private=private or None, exist_ok=True).repo_id
        api.create_commit(
            repo,
            [CommitOperationAdd(name, what) for name, what in files.items()],
            commit_message="A run of rewardkit",
        )
    except Exception as error:  # the hub's client raises many kinds of its own
        raise ConfigError(
            f"{to}: the hub at {api.endpoint} did not take it ({error}). Log in with `hf auth "
            "login`, and give OWNER/NAME of a repository that you may write"
        ) from error
    return f"{api.endpoint}/{repo}"
