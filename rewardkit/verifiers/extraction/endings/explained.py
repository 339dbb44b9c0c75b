"""A value that a response begins with, above an explanation that never comes to one."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.giving_up import gives_up
from rewardkit.verifiers.extraction.marked import CORRECTS, VALUE_LINE, Found, claimed
from rewardkit.verifiers.extraction.prose.prose import doubts

_EXPLANATION = re.compile(r"\s*[^\n]{1,60}\n\s*(?:Step[\s-]by[\s-]step\s)?[Ee]xplanation:")


def explained(text: str) -> Found | None:
    """Return the bare value that a response begins with, above what it calls its explanation.

    >>> explained("4 years\\nExplanation: A year lasts as long as")
    Found(text='4 years', by='final answer')
    """
    if "xplanation:" not in text or not _EXPLANATION.match(text):
        return None
    value, _, rest = text.strip().partition("\n")
    if not VALUE_LINE.fullmatch(value) or claimed(rest) or CORRECTS.search(rest):
        return None
    return None if doubts(rest) or gives_up(rest) else Found(value, "final answer")
