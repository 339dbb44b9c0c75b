"""What a letter or a chat says around its answer: `Dear Ms Hall, ... Best wishes, Tina`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import GRADERS
from rewardkit.verifiers.vocabulary.sought import holds_one

_GREETING = re.compile(
    rf"(?=[DHSMTP])(?!Dear\s(?:[a-z]+\s)?{alternatives(GRADERS)}s?\b)"
    r"(?:(?:Dear|Hi|Hello|Hey)\s[^,.!?\n\d]{1,30}|Sir|Madam|Teacher|Professor|Hi|Hello)[,!]\s+(?=\S)"
)
_SIGNS = (
    "ishes", "egards", "yours", "Yours", "incerely", "heers", "hank", "ave a ", "e know if",
    "e know whe", "ell me", "ope th", "ope it", "hesitate",
    "ood luck", "you understand", "ake sense", "s that clear", "s this clear",
)  # fmt: skip
"""One of these is in every such wish; of most texts, none is in the end."""
_CLOSING = re.compile(
    r"(?<=[.!?)\w$}*\]])(?<!\bI)\s+(?:(?:best|kind|warm)\s(?:wishes|regards)|(?:yours|sincerely|regards|cheers)\b"
    r"|thanks?(?:\syou)?(?:\s(?:so|very)\smuch)?\sfor\s(?:reading|your|the)|thank\syou|thanks"
    r"|have\sa\s(?:nice|good|great|lovely|wonderful|pleasant)\s|good\sluck\b"
    r"|(?:please\s)?(?:don['’]t|do\snot)\shesitate\b|(?:please\s)?(?:let\sme\sknow|tell\sme)\s(?:if|whether)\s"
    r"|(?:I\s)?hope\s(?:this|that|it)\s(?:helps|is\s(?:clear|helpful))"
    r"|(?:did|do)\syou\sunderstand(?:\s(?:it|this|that))?\?|does\s(?:it|this|that)\smake\ssense\?|is\s(?:this|that)\sclear\?)"
    r"(?:[^\d$=?]|(?<=step\s)\d|(?<=problem\s)\d|(?<=question\s)\d|(?<=part\s)\d){0,80}\Z",
    re.I,
)
_MAX_NEAR = 160


def without_courtesy(text: str) -> str:
    """Return a text without the greeting that it begins with and the wishes that it ends with.

    >>> without_courtesy("Dear Ms Hall, the number is 21. Best wishes, Tina")
    'the number is 21.'
    """
    near = text[-_MAX_NEAR:]
    closing = _CLOSING.search(near) if holds_one(near, _SIGNS) else None
    if closing and near[: closing.start()].strip():
        text = text[: len(text) - len(near) + closing.start()]
    greeting = _GREETING.match(text)
    return text[greeting.end() :] if greeting else text
