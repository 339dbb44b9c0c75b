"""verl's own configuration, composed and checked by verl's own code."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rewardkit.errors import ConfigError

MISSING = object()


def compose(overrides: Iterable[str] = ()) -> Any:
    """Return the configuration that `verl.trainer.main_ppo` would run with; verl is not imported.

    Raises:
        ConfigError: an override names a key that verl does not have, or is not Hydra's grammar.
    """
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException

    spec = find_spec("verl")
    assert spec is not None
    assert spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0]) / "trainer" / "config"
    with _one_hydra(), initialize_config_dir(str(folder), version_base=None):
        try:
            return hydra_compose("ppo_trainer", overrides=list(overrides))
        except HydraException as error:
            raise ConfigError(f"verl's configuration refuses an override: {error}") from error


def default(composed: Any, key: str) -> Any:
    """Return a key's value in a composed configuration, or `MISSING` where it has none."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        found = OmegaConf.select(composed, key, default=MISSING, throw_on_missing=False)
    except OmegaConfBaseException:
        return MISSING
    return OmegaConf.to_container(found) if OmegaConf.is_config(found) else found


def has(composed: Any, key: str) -> bool:
    """Return whether a configuration has a key, be it one that must still be given (`???`)."""
    from omegaconf import OmegaConf

    parent, _, last = key.rpartition(".")
    node = OmegaConf.select(composed, parent)
    return OmegaConf.is_config(node) and last in list(node.keys())


def check(composed: Any) -> None:
    """Run verl's own validation over a composed configuration; imports verl, and so torch and Ray.

    Raises:
        ConfigError: verl refuses it; carries verl's words.
    """
    from omegaconf import OmegaConf

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # verl's, on keys that it deprecates in its own files
        from verl.trainer.ppo.utils import need_critic, need_reference_policy
        from verl.utils.config import omega_conf_to_dataclass, validate_config

        try:
            validate_config(
                config=composed,
                use_reference_policy=need_reference_policy(composed),
                # The critic's part loads the model's own settings.
                use_critic=need_critic(composed) and Path(composed.critic.model.path).is_dir(),
            )
            # What validate_config leaves to the workers, minutes later.
            for section in ("actor_rollout_ref.rollout", "algorithm"):
                omega_conf_to_dataclass(OmegaConf.select(composed, section))
        except Exception as error:
            raise ConfigError(f"verl refuses this configuration: {error}") from error


@contextlib.contextmanager
def _one_hydra() -> Iterator[None]:
    """Let a program that uses Hydra itself call this: Hydra keeps one global instance."""
    from hydra.core.global_hydra import GlobalHydra

    before = GlobalHydra.instance().hydra
    GlobalHydra.instance().clear()
    try:
        yield
    finally:
        GlobalHydra.instance().hydra = before
