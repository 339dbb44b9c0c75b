"""What a card can do, and how long a step is on it."""

import json

import pytest

from rewardkit.config import config_from
from rewardkit.errors import ConfigError
from rewardkit.planning.cards import card_of
from rewardkit.planning.model import model_config
from rewardkit.planning.seconds import seconds

QWEN_7B = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
    "max_position_embeddings": 32768,
    "tie_word_embeddings": False,
}


def test_a_size_is_read():
    assert card_of("24GB").name == "RTX 4090"
    assert card_of("80GiB").memory == 80 * 2**30
    with pytest.raises(ConfigError, match="such as 80GB"):
        card_of("big")


def test_a_step_takes_longer_on_fewer_cards(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(QWEN_7B))
    model, card = model_config(str(tmp_path)), card_of("80GB")
    sampling = {"problems": 8, "group_size": 8, "max_tokens": 8000}
    config = config_from({"folder": "x", "steps": 1, "sampling": sampling})
    one, eight = (seconds(config, model, card, gpus=gpus, prompt_tokens=256) for gpus in (1, 8))
    assert one.update == pytest.approx(8 * eight.update)
    # 8 sequences of 8,000 tokens: 3 x 2 x 7.6e9 FLOPs a token and a tenth for attention, at 40 %.
    assert 5 < eight.update < 12
