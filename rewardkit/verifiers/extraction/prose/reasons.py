"""What stands behind an answer in its sentence, in other languages than English.

Reasons, what the answer is not, and the whole of which it is a part: `La respuesta es 21, porque 12
...`, `La réponse est 8, et non 9`, `5 Euro von den 20 Euro`. The number in them is not stated.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.text.cuts import last_start
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONTRASTS_ELSEWHERE, REASONS_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Parts, Sought

_VALUE = re.compile(r"\d")
_NOT = (
    r"et\s(?:non|pas)|und\snicht|y\sno|e\s(?:non|não)|en\sniet|i\snie|а\sне|nicht|pas|niet|nie"
    r"|non|não|no|не"
)
_BEHIND = Sought(
    rf",?\s\(?(?:{alternatives(REASONS_ELSEWHERE | CONTRASTS_ELSEWHERE)})\s"
    r"|,\s(?:da|want|pues|pois|bo)\s(?=[^.]*\d)"
    r"|,\s(?:sinon|sonst|altrimenti|caso\scontrário|de\slo\scontrario|anders|иначе)\s(?=(?:[^\W\d_]+\s){2})"
    r"|,?\scar\s(?=(?:l[ae]s?|ils?|elles?|on|une?|c['’]est|\d\S*\s[-+*×·/=]\s|\d+\s(?:est|sont|ont|[^\W\d_]+s\ss))\b|l['’])"
    rf"|(?:,\s|\s\(|\s(?=\w+\s(?:no|non|não|nicht|pas|niet|nie|не)\s))(?:{_NOT})\s"
    r"(?=[$\\]{0,2}-?\d[^\s,;]{0,12}(?:\s[^\W\d_]+)?[.)!]*\s*\Z)"
    r"|[，,]\s?比[^，。,\d]{0,12}\d[\d.,]*[^，。,\d]{0,6}[便贵貴多少大小高低轻輕重长長短快慢早晚]"
    r"[^，。,\d]{0,4}(?:\d[\d.,]*[^，。,\d]{0,3})?(?=[。！]?\s*\Z)"
    r"|,\s(?:also\s|soit\s|es\sdecir\s|cioè\s|ou\sseja,?\s|dus\s)?\d[\d.,]*\s?(?:[^\W\d_]+\s|€\s)?(?:de\s|in\s)?"
    r"(?:mehr|weniger|plus|moins|más|menos|più|meno|mais|meer|minder|больше|меньше)\b"
    r"|[，,、（(]\s?比[^，。\n]{1,12}[多少]\d|[，,、（(]\s?(?:因为|由于|而不是|而非|不是|并非|其中|不算|不包括|虽然)(?=[^。\n]*\d)"
)
_WHOLE = Sought(
    r"(?<=[\d\w])\s(?:von\s(?:den|seinen|ihren|insgesamt|allen)|der|sur(?:\sles|\sses|\sun\stotal"
    r"\sde)?|de\s(?:las|los|sus|ses|suas|seus)|des|delle|dei|degli|su(?:lle|i|gli)?|das|dos)\s(?=\d)"
)
_MAY_BE = Parts.of(_BEHIND, _WHOLE)
_BEFORE_WHOLE = re.compile(r"\d[\d.,]*(?:\s[^\W\d_]+){0,2}\Z")
_CHANCE = re.compile(r"prob|chance|wahrsch|pravd", re.I)
_NUMBER = re.compile(r"\s\w+(?:\s[^\W\d_]+){0,2}\s\d[\d.,]*\d|\s\w+(?:\s[^\W\d_]+){0,2}\s\d")


def without_reasons(text: str) -> str:
    """Return a text whose last sentence ends with the answer that it gives reasons for.

    >>> without_reasons("La respuesta es 21, porque 12 es el número de cajas.")
    'La respuesta es 21'
    >>> without_reasons("Ihr bleiben 5 von den 20 Euro.")
    'Ihr bleiben 5 Euro.'
    """
    start = last_start(text)
    before, last = text[:start], text[start:]
    value = _VALUE.search(last) if _MAY_BE.may_be_in(last) else None
    if value is None:
        return text
    if behind := _BEHIND.search(last, value.end()):
        last = last[: behind.start()]
    whole = _WHOLE.search(last, value.end())
    if whole and _BEFORE_WHOLE.search(last, 0, whole.start()) and not _CHANCE.search(last):
        number = _NUMBER.match(last, whole.start())
        last = last[: whole.start()] + last[number.end() if number else whole.end() :]
    return before + last
