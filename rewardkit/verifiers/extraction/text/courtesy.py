"""What is said around an answer and says nothing of it: greetings, wishes, a letter behind it.

`Dear Ms Hall, ... Best wishes, Tina`, `It is Wednesday. The answer is B`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import GRADERS
from rewardkit.verifiers.vocabulary.sought import holds_one

_GREETING = as_pattern(
    rf"(?=[DHSMTP])(?!Dear\s(?:[a-z]+\s)?{alternatives(GRADERS)}s?\b)"
    r"(?:(?:Dear|Hi|Hello|Hey)\s[^,.!?\n\d]{1,30}|Sir|Madam|Teacher|Professor|Hi|Hello)[,!]\s+(?=\S)"
)
_SIGNS = (
    "ishes", "egards", "yours", "Yours", "incerely", "heers", "hank", "ave a ", "e know if",
    "e know whe", "ell me", "ope th", "ope it", "hesitate",
    "ood luck", "you understand", "ake sense", "s that clear", "s this clear", "orry ",
    "pologi", "xcuse", "orgive", "ardon", "ntschuldig", "ésol", "erdón", "cusa",
)  # fmt: skip
"""One of these is in every such wish; of most texts, none is in the end."""
_WORD = r"[^\W\d_]+"
_APOLOGY = (
    r"(?:(?:I['’]m\s|I\sam\s)?(?:(?:so|very|really)\s)?sorry\s(?:for|about)|(?:my\s)?apologies\sfor|I\sapologi[sz]e\sfor"
    r"|(?:please\s)?(?:excuse|forgive|pardon)|entschuldig\w*|sorry\sfür|désolée?\s(?:pour|de)|perdón\spor|scusa\w*)\s"
    rf"(?!(?:{_WORD}\s)*(?:wrong|incorrect|missing|incomplete|unfinished|previous|earlier|first|last|false|no|not|falsche|mauvaise|incorrecta|sbagliata)\b)"
    rf"(?:{_WORD}\s){{0,4}}?(?:explanation|text|derivation|reply|response|post|english|language|handwriting|writing|spelling|notation"
    r"|format|formatting|layout|typing|delay|length|verbosity|detour|digression|rambling|mess|wait"
    r"|erklärung|herleitung|rechtschreibung|deutsch|explication|français|orthographe|explicación|español|spiegazione|italiano)s?\b"
    rf"(?:\s{_WORD}){{0,3}}[.!]*\s*\Z"
)
"""What excuses how it is written, and not what."""
_CLOSING = as_pattern(
    r"(?<=[.!?)\w$}*\]])(?<!\bI)\s+(?:(?:best|kind|warm)\s(?:wishes|regards)|(?:yours(?=,|\n|\s(?:truly|sincerely|faithfully|ever)\b)|sincerely|regards|cheers)\b"
    r"|thanks?(?:\syou)?(?:\s(?:so|very)\smuch)?\sfor\s(?:reading|your|the)|thank\syou|thanks"
    r"|have\sa\s(?:nice|good|great|lovely|wonderful|pleasant)\s|good\sluck\b"
    r"|(?:please\s)?(?:don['’]t|do\snot)\shesitate\b|(?:please\s)?(?:let\sme\sknow|tell\sme)\s(?:if|whether)\s"
    r"|(?:I\s)?hope\s(?:this|that|it)\s(?:helps|is\s(?:clear|helpful))"
    r"|(?:did|do)\syou\sunderstand(?:\s(?:it|this|that))?\?|does\s(?:it|this|that)\smake\ssense\?|is\s(?:this|that)\sclear\?)"
    r"(?:[^\d$=?]|(?<=step\s)\d|(?<=problem\s)\d|(?<=question\s)\d|(?<=part\s)\d){0,80}\Z"
    rf"|(?<=[.!)\w$}}*\]])(?<!\bI)\s+{_APOLOGY}",
    re.I,
)
_MAX_NEAR = 160
_NAMES_LETTER = as_pattern(
    r"(?<=[\w%$)*}][.!\n%\s])(?P<lead>\s*|\\n)"
    r"(?:(?:[Ss]o|[Tt]hus|[Hh]ence|[Tt]herefore),?\s)?[Tt]he\s(?:correct\s|right\s|final\s)?"
    rf"(?:answer|option|choice)\s?(?:is\b|:)\s?:?\s?(?:[Oo]ption\s|[Cc]hoice\s)?\(?({OPTION_LETTER})\)?[.\s]*\Z"
)
_OPTION = as_pattern(
    rf"(?<![\w(\\])(?:\({OPTION_LETTER}\)|{OPTION_LETTER}[.)])\s|\b[Oo]ption\s{OPTION_LETTER}\b"
)
_ASKS_MORE = as_pattern(r"\?\s*\Z|\b(?:or|either|maybe|perhaps|not\s(?:sure|known))\b", re.I)
_LAST = 80
_NEAR = 300


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


def without_letter_behind(gold: str, text: str) -> str:
    """Return a text without its last sentence where that only names the letter of an option.

    What the letter stands for nobody can tell to whom no option is shown; what the sentence before
    states is the answer where the gold is no letter.

    >>> without_letter_behind("Wednesday", "The last day is Wednesday. The answer is B.")
    'The last day is Wednesday.'
    >>> without_letter_behind("12", "A) 10 B) 12\\\\nSo 12 fit. The answer is A.")
    'A) 10 B) 12\\\\nSo 12 fit. The answer is A.'
    """
    bare = gold.strip("()[]{}. ")
    if len(bare) < 2 and not bare.isdigit():
        return text
    end = text.rstrip(" .)\n")
    if end[-1:] not in "ABCDEFGHIJ" or not end:
        return text
    named = _NAMES_LETTER.search(text, max(0, len(text) - _LAST))
    if named is None:
        return text
    before = text[: named.start()]
    if _OPTION.search(text, 0, named.start()) or _ASKS_MORE.search(before[-_NEAR:]):
        return text
    return before.rstrip()
