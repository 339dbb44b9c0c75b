"""What transformers says of a setting that it ignores is not shown; anything else is."""

import logging

from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

from rewardkit_native.model.loading import is_news, quiet_transformers


def test_the_ignored_setting_is_not_spoken_of(monkeypatch):
    said = []
    logger = logging.getLogger("transformers.tokenization_utils_tokenizers")
    handler = logging.Handler()
    handler.emit = said.append
    logger.addHandler(handler)
    bpe = Tokenizer(models.BPE({"a": 0}, []))
    loud = PreTrainedTokenizerFast(tokenizer_object=bpe, clean_up_tokenization_spaces=True)
    try:
        quiet_transformers()
        quiet_transformers()
        assert logger.filters.count(is_news) == 1
        assert loud.decode([0]) == "a"
        logger.warning("something else")
        assert [record.getMessage() for record in said] == ["something else"]
        logger.removeFilter(is_news)
        logger.warning_once.cache_clear()
        loud.decode([0])
        assert len(said) == 2
        assert not is_news(said[1])
    finally:
        logger.removeHandler(handler)
        logger.addFilter(is_news)
