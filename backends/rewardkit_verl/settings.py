"""The run's configuration, as it reaches each of verl's processes.

The launcher writes the resolved `RunConfig` as TOML into the environment variable
`REWARDKIT_VERL_CONFIG` of Ray's runtime environment; every process reads it back from there.

What else must be set in verl's own configuration for the plugin to run as it should:

| verl key | value | why |
|---|---|---|
| `trainer.v1.trainer_mode` | `rewardkit` | all fields reach the estimators; the loss is installed |
| `reward.reward_manager.name` | `rewardkit` | outcomes from the task's verifier |
| `algorithm.adv_estimator` | `rewardkit_<estimator>` | shown; the trainer reads the recipe |
| `actor…policy_loss.loss_mode` | `rewardkit_policy_loss` | the recipe's loss |
| `actor…use_kl_loss` | true iff the recipe has any KL | loads the reference policy |
| `algorithm.use_kl_in_reward` | false | the trainer takes the KL off the reward itself |
| `actor…ppo_mini_batch_size` | `problems / minibatches` | whole groups in each update |
| `actor…ppo_epochs`, `actor…shuffle` | `epochs`, false | updates are made of known rows |
| `actor…calculate_entropy` | iff `high_entropy` or a bonus | entropies reach the loss |
| `actor…entropy_coeff` | 0 | the plan of the step holds our bonus and its weight |
| `rollout.calculate_log_probs` | true | corrections, and the check on the sampler |
| `algorithm.rollout_correction.bypass_mode` | `bypass` | who computes old log-probabilities |
| `algorithm.filter_groups.{enable,metric}` | `filter_groups`, `verdict_score` | on scores |
| `critic.enable` | true iff the estimator is `gae` | values |

With `actor…use_kl_loss` verl's own KL is not added: the trainer hands the workers a loss without
it, and the recipe's KL, in the estimator that it names, takes its place.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache

from rewardkit.config import RunConfig, config_from
from rewardkit.errors import ConfigError
from rewardkit_verl.names import CONFIG_VARIABLE


@cache
def run_config() -> RunConfig:
    """Return the configuration that this process was started with.

    Raises:
        ConfigError: the environment variable is missing or does not hold a configuration.
    """
    text = os.environ.get(CONFIG_VARIABLE)
    if text is None:
        raise ConfigError(
            f"the environment variable {CONFIG_VARIABLE} is not set in this process; start verl "
            "with `rewardkit train CONFIG.toml --backend verl`, which passes it on through Ray"
        )
    try:
        return config_from(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{CONFIG_VARIABLE} does not hold valid TOML: {error}") from error
