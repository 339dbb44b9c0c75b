import copy

import pytest

from rewardkit.config import config_from
from rewardkit.errors import ConfigError
from rewardkit_native.setup import refuse_what_cannot_run


def config(*overrides):
    return config_from({"folder": "x", "steps": 1, "recipe": {"name": "grpo"}}, overrides)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (("recipe.advantage=remax",), "greedy_rewards"),
        (("recipe.name=ppo", "lora.rank=4"), r"lora\.rank=0"),
        (("sampling.temperature=0",), "temperature above 0"),
    ],
)
def test_what_cannot_be_trained_is_refused_by_name(random_llama, overrides, message):
    with pytest.raises(ConfigError, match=message):
        refuse_what_cannot_run(config(*overrides), random_llama)


def test_packed_layout_is_refused_where_attention_would_ignore_its_mask(random_llama):
    eager = copy.deepcopy(random_llama)
    eager.set_attn_implementation("eager")
    with pytest.raises(ConfigError, match=r"optim\.layout=padded"):
        refuse_what_cannot_run(config(), eager)
    refuse_what_cannot_run(config("optim.layout=padded"), eager)


@pytest.mark.parametrize(
    "setting", [{"sliding_window": 64}, {"layer_types": ["full_attention", "linear_attention"]}]
)
def test_packed_layout_is_refused_for_layers_that_see_less(random_llama, setting):
    windowed = copy.deepcopy(random_llama)
    for name, value in setting.items():
        setattr(windowed.config, name, value)
    with pytest.raises(ConfigError, match=r"optim\.layout=padded"):
        refuse_what_cannot_run(config(), windowed)
    refuse_what_cannot_run(config("optim.layout=padded"), windowed)


def test_a_model_that_rewrites_its_logits_is_refused(random_llama):
    capped = copy.deepcopy(random_llama)
    capped.config.final_logit_softcapping = 30.0
    with pytest.raises(ConfigError, match="final_logit_softcapping"):
        refuse_what_cannot_run(config(), capped)
