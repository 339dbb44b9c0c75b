"""A response that stops in the middle of a sentence: `We have 24 apples and then we`."""

from __future__ import annotations

import re

_MIDDLE = re.compile(
    r"(?:\b(?:and|or|of|by|the|an|to|with|into|we|is|are|that|which|because|since|if|plus|minus"
    r"|than|at|from|has|have|was|were|be|per|our|its|their|and\snow|where|when|we\sneed|will|can"
    r"|but)|,\s(?:then|so|(?:so\s)?the\s[a-z]+|we\s[a-z]+)|\bis\s\d+\stimes|\d\sof\s(?:these"
    r"|those|the\s[a-z]+)"
    r"|\s[-+×÷=]"
    r"|\b(?:und|oder|der|die|das|mit|von|ist|sind|also|dann|weil|et|ou|le|la|les|de|des|du|par"
    r"|est|sont|donc|alors|qui|que|el|los|con|por|es|son|entonces|porque|il|lo|di|são|então"
    r"|и|или|на|с|по|это|равно|равна|равен|что|потому)|则|則|为|為|是|等于|等於|和|与|因为|所以|那么|は|が|を)\Z"
)
_SENTENCE = re.compile(r"(?:[.!?]\s|\n)")
_MAX_CHARS = 300
_LONGEST = 32
"""Characters of what it stops with, and some more."""


def unfinished(text: str) -> str | None:
    """Return the words after the last whole sentence of a text that stops in the middle of one.

    >>> unfinished("So there are 12 boxes. Each holds 24 apples and then we")
    'Each holds 24 apples and then we'
    >>> unfinished("So there are 24 apples") is None
    True
    """
    end = text[-_MAX_CHARS:].rstrip()
    if not end or end[-1] in ".!?$}*)" or end[-1].isdigit():
        return None
    if not _MIDDLE.search(end, max(0, len(end) - _LONGEST)):
        return None
    return _SENTENCE.split(end)[-1]
