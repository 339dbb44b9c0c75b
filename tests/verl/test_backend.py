"""What the backend reads before verl is started."""

import pytest
import transformers

from rewardkit.config import config_from
from rewardkit.errors import ModelError
from rewardkit_verl.backend import load_tokenizer, trusts

pytestmark = pytest.mark.verl


def test_a_tokenizer_may_bring_code_where_the_model_may(monkeypatch):
    asked = []

    def from_pretrained(model, **settings):
        asked.append(settings)
        raise OSError("not here")

    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", from_pretrained)
    word = "actor_rollout_ref.model.trust_remote_code=True"
    for overrides, trusted in (([], False), ([word], True)):
        data = {
            "folder": "x",
            "steps": 1,
            "recipe": {"name": "grpo"},
            "verl": {"overrides": overrides},
        }
        config = config_from(data)
        with pytest.raises(ModelError):
            load_tokenizer("a/model", trusted=trusts(config))
        assert asked.pop() == {"trust_remote_code": trusted}
