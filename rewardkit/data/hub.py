"""Data sets of the Hugging Face hub, and whether the hub can be reached at all."""

from __future__ import annotations

import re
import socket
import sys
from contextlib import suppress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from rewardkit.data.arrow import ArrowRows, datasets_library, first_line, quiet
from rewardkit.errors import DataError

PATIENCE_S = 5.0
"""How long a connection may take; after it the hub counts as out of reach."""

_switched_off = False
"""Whether it is `reach_hub` that told the hub's libraries of no network, and not the user."""

_told: dict[tuple[str, str | None], str] = {}
"""Name and revision of a dataset -> the commit that the hub told."""


def reach_hub() -> str:
    """Return why the hub cannot be reached, or nothing, before one of its libraries asks it.

    They would try each file for half a minute. Out of reach, they are told so, as `HF_HUB_OFFLINE`
    does: what was fetched before is read at once. The next call looks again.
    """
    global _switched_off
    try:
        from huggingface_hub import constants
    except ModuleNotFoundError:  # what needs it says so
        return ""
    if constants.HF_HUB_OFFLINE and not _switched_off:
        return ""
    reason = _why_unreachable(constants.ENDPOINT)
    if _switched_off is not bool(reason):
        _switched_off = constants.HF_HUB_OFFLINE = bool(reason)
        if (datasets := sys.modules.get("datasets")) is not None:  # has a copy from its import
            datasets.config.HF_HUB_OFFLINE = _switched_off
    return reason


def _why_unreachable(address: str) -> str:
    """Return why nothing listens there, or at the proxy in between; nothing where it does."""
    asked = urlsplit(address)
    proxies = getproxies()
    through = proxies.get(asked.scheme) or proxies.get("all")
    if through and not proxy_bypass(asked.hostname or ""):
        asked = urlsplit(through if "//" in through else f"//{through}")
    port = asked.port or (80 if asked.scheme == "http" else 443)
    try:
        socket.create_connection((asked.hostname or "", port), PATIENCE_S).close()
    except OSError as error:
        return f"{asked.hostname}:{port} cannot be reached: {error}"
    return ""


def commit_of(name: str, revision: str | None) -> str | None:
    """Return the commit that a revision of a dataset stands for.

    Once the hub told it, it is the same for all of this process. Where the hub does not tell (there
    is no network, or the data come from the cache) it is the revision as it is, and the next call
    asks again. The caller asks `reach_hub` before.
    """
    if _is_commit(revision):
        return revision
    if (name, revision) not in _told:
        with suppress(Exception):  # many kinds; what is asked next says what is wrong, or goes on
            from huggingface_hub import HfApi

            if found := HfApi().dataset_info(name, revision=revision, timeout=10).sha:
                _told[name, revision] = found
    return _told.get((name, revision), revision)


def told_commit(name: str, revision: str | None) -> str | None:
    """Return the commit that the hub told before, and ask for none: rows in hand are of no later.

    >>> told_commit("owner/name", "main") is None
    True
    """
    return revision if _is_commit(revision) else _told.get((name, revision))


def _is_commit(revision: str | None) -> bool:
    return revision is not None and re.fullmatch("[0-9a-f]{40}", revision) is not None


def read_hub(name: str, config: str | None, revision: str | None, split: str) -> ArrowRows:
    """Return the rows of a split of a dataset on the Hugging Face hub.

    Raises:
        DataError: it cannot be fetched, or has no such split; says which local form to use.
        MissingExtraError: `datasets` is not installed.
    """
    library = datasets_library()
    said = f"hf:{name}" + (f":{config}" if config else "") + (f"@{revision}" if revision else "")
    away = reach_hub()
    try:
        with quiet():
            found = library.load_dataset(
                name, config, revision=commit_of(name, revision), split=split
            )
    except Exception as error:  # the hub's client raises many kinds of its own
        raise _not_had(said, name, away, error) from error
    return ArrowRows(found, f"{said} ({split})", f"{said} {split} {found._fingerprint}")


def hub_splits(name: str, config: str | None, revision: str | None) -> list[str]:
    """Return the names of the splits of a dataset on the hub.

    Raises:
        DataError: it cannot be asked.
        MissingExtraError: `datasets` is not installed.
    """
    library = datasets_library()
    away = reach_hub()
    try:
        with quiet():
            commit = commit_of(name, revision)
            return list(library.get_dataset_split_names(name, config, revision=commit))
    except Exception as error:
        if library.config.HF_HUB_OFFLINE:  # then what was fetched before is all there is
            with suppress(Exception), quiet():
                return list(library.load_dataset(name, config, revision=revision))
        raise _not_had(f"hf:{name}", name, away, error) from error


def _not_had(said: str, name: str, away: str, error: Exception) -> DataError:
    if away:
        why, before = f"{away}) and was not fetched before", ""
    else:
        why, before = f"{first_line(error)})", "HF_HUB_OFFLINE=1 if it was fetched before; else, "
    return DataError(
        f"{said}: could not be had from the Hugging Face hub ({why}. Without a network: {before}"
        f"hf download {name} --repo-type dataset --local-dir FOLDER where there is one, and here "
        "file:FOLDER"
    )
