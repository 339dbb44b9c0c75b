"""verl's overrides for a machine without a GPU."""

from __future__ import annotations

from rewardkit_verl.keys.override import ACTOR, ROLLOUT, Override


def cpu_overrides() -> list[Override]:
    """Return what makes verl run without an accelerator, and small enough for two cores."""
    why = "VERL_PLATFORM=cpu"
    return [
        Override(why, "ray_kwargs.ray_init.num_cpus", 32, note="logical: roles, not cores"),
        Override(why, "ray_kwargs.ray_init.num_gpus", 1, new=True, note="logical"),
        Override(why, "ray_kwargs.ray_init.include_dashboard", False, new=True),
        Override(why, f"{ACTOR}.fsdp_config.use_torch_compile", False),
        Override(why, "actor_rollout_ref.ref.fsdp_config.use_torch_compile", False),
        Override(why, "critic.fsdp.use_torch_compile", False),
        Override(why, f"{ROLLOUT}.enforce_eager", True),
        Override(why, f"{ROLLOUT}.free_cache_engine", False),
        Override(why, f"{ROLLOUT}.enable_sleep_mode", False, new=True),
        Override(why, f"{ROLLOUT}.load_format", "auto"),
        Override(why, f"{ROLLOUT}.agent.num_workers", 1),
        Override(why, f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes", 256),
        Override(why, "transfer_queue.backend.SimpleStorage.num_data_storage_units", 1),
    ]
