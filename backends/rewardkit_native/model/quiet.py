"""transformers without what it says again and again, and that nobody can act on."""

from __future__ import annotations

import logging

IGNORED = "Ignoring clean_up_tokenization_spaces"
"""Said at the first decoding of many a model, of a setting that is not used: what is ignored would
have changed the text, so that all is as it should be."""


def quiet_transformers() -> None:
    """Switch off progress bars of loading, and that one warning."""
    from transformers.utils import logging as theirs

    theirs.disable_progress_bar()
    logging.getLogger("transformers.tokenization_utils_tokenizers").addFilter(is_news)


def is_news(record: logging.LogRecord) -> bool:
    """Return whether a record is anything else than that warning."""
    return not record.getMessage().startswith(IGNORED)
