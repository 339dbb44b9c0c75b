"""A condition that the task itself says is met: `Assuming, as the problem does, that all are fair`.

What is stated on it is stated for certain. A condition of which the text does not say so is left
as it is, and so is one that the task does not name: `if it is fair, which nobody tells us`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.alternatives import TASK
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import holds_one, lowered

_OF_TASK = rf"(?:the|this|our)\s(?:{TASK}|exercise|statement|text)"
_GIVEN = r"(?:stated|given|said|assumed|required|told|specified|implied|described|mentioned|usual)"
_SAYS = (
    r"(?:does|did|states?|says?|tells\sus|assumes?|requires?|demands?|specifie[sd]|implies|gives|wants"
    r"|lets\sus|asks)(?:\s(?:to|it|that|us|is|does|so)\b){0,3}"
)
_AS_TOLD = (
    rf"(?:(?:just|exactly|precisely)\s)?(?:as\s(?:(?:is|was|it\sis|has\sbeen)\s)?{_GIVEN}(?:\s(?:in|by)\s{_OF_TASK})?"
    r"|(?:as|which)\s(?:we|you|one)(?:['’]re|\sare|\swere|\sis)\s(?:told|asked|supposed|meant|allowed)(?:\sto(?:\s(?:assume|suppose|do|take))?)?"
    rf"|(?:as|which)\s{_OF_TASK}\s{_SAYS}"
    rf"|which\s(?:is|was)\s(?:(?:stated|given|told|said|assumed)(?:\s(?:in|by)\s{_OF_TASK})?|what\s{_OF_TASK}\s{_SAYS})"
    r"|wie\s(?:üblich|(?:(?:in\sder\s[^\W\d_]+|es)\s)?(?:angegeben|vorausgesetzt|vorgegeben|gesagt|gegeben|beschrieben|angenommen))"
    r"|comme\s(?:(?:le\sdit|l['’]indique|l['’]affirme)\s(?:l['’]énoncé|le\stexte|la\squestion)|indiqué|donné|d['’]habitude|supposé)"
    r"|com[oe]\s(?:(?:dice|indica|diz|afirma)\s(?:el|il|la|o|a)\s[^\W\d_]+|(?:se|si)\s(?:dice|indica)|indicado|indicato|dado|dato))"
)
_WHAT = r"[^.,;:!?()\n]{3,100}"
_IF = r"(?:assuming|provided|supposing|if|wenn|falls|si|se)(?:\sthat)?"
_BEGINS = r"(?:\A|(?<=[.!?]\s)|(?<=\n))[*_]*"
_BEFORE = as_pattern(
    rf"{_BEGINS}(?:{_IF}\s{_WHAT},\s{_AS_TOLD},\s(?:then\s)?"
    rf"|(?:assuming|supposing|provided),\s{_AS_TOLD},\s(?:that\s)?{_WHAT},\s(?:then\s)?"
    r"|(?:as|since|because)\s[^.,;:!?\d\n]{1,40}\s(?:is|are|was|were)\s(?:given|known|told|said|stated|required|supposed)"
    r"\sto\sbe\s[^.,;:!?\d\n]{2,40},\s)(?=[^.?!\n]*[\d$\\])",
    re.I,
)
"""Before what is stated, a condition that is met."""
_BEHIND = as_pattern(
    rf"\s\((?:assuming|supposing|provided|if),?\s(?:{_AS_TOLD},\s(?:that\s)?[^.;:!?()\n]{{3,100}}|[^.;:!?()\n]{{3,100}},\s{_AS_TOLD})\)(?=[.!]?\s*\Z)"
    rf"|,\s(?:assuming|supposing|provided|if|as\slong\sas)(?:\sthat)?\s{_WHAT},\s{_AS_TOLD}(?=[.!]?\s*\Z)",
    re.I,
)
"""The same behind it."""
_CONDITIONS = (
    "assuming", "provided", "supposing", "if ", "wenn ", "falls ", "si ", "se ", "as ", "since ",
)  # fmt: skip
_TOLD = (
    "told", "state", "given", "say", "said", "usual", "does", "assume", "require", "specif",
    "is known", "suppose", "supposé", "implie", "gives", "ask", "demand", "angegeben", "énoncé",
    "vorausgesetzt", "gesagt", "gegeben", "indi", "donné", "habitude", " dice ", " diz ", "dado",
    "dato",
)  # fmt: skip
_MAX_CHARS = 400


def with_conditions_met(text: str) -> str:
    """Return a text without a condition at its end that is met, as its task says.

    >>> with_conditions_met("Assuming, as the problem does, that none is lost, 12 are left.")
    'So 12 are left.'
    >>> with_conditions_met("He needs 18 days (assuming, as stated, that he works every day).")
    'He needs 18 days.'
    >>> with_conditions_met("If none is lost, which is not given, 12 are left.")
    'If none is lost, which is not given, 12 are left.'
    """
    low = lowered(text[-_MAX_CHARS:])
    if not (holds_one(low, _CONDITIONS) and holds_one(low, _TOLD)):
        return text
    end = _BEHIND.sub("", _BEFORE.sub("So ", text[-_MAX_CHARS:]))
    return text[:-_MAX_CHARS] + end
