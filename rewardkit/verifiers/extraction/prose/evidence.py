"""What shows that a clause states the value that it holds: its place in the clause.

The value is what a verb leads to (`it costs 24`, `she gathers 24 eggs`), the count that a verb is
said of (`24 eggs are left`), all that is said (`24 eggs`), or a time or a change at the very end
(`it ends at 5`, `it rose by 5`). What only stands somewhere in a sentence is not stated: `She sold
clips to 24 of her friends`, `Once upon a time 24 knights rode out`.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.roles import EVENTS, IRREGULAR_PASTS, STATING_VERBS

_PLACES = (
    r"(?:to|with|by|in|on|at|for|from|after|before|over|under|into|since|as|than|like|through"
    r"|during|between|among)"
)
_VERB = rf"(?:\b{alternatives(STATING_VERBS)}\b|'(?:s|ll|d|re|ve)\b)"
_SIGNS = r"[^\w\s]{0,4}\s*[^\w\s]{0,3}\Z"
_AFTER_VERB = as_pattern(
    rf"{_VERB}(?:\s(?!(?:{_PLACES}|or|but|which|who|that|when|if|while)\b)[\w'.$%^{{}}/×*-]+,?){{0,6}}?"
    rf"(?:\s(?:of|about|up\sto|down\sto|up\swith|left\swith))?\s*{_SIGNS}"
    rf"|{_VERB}(?:\senough)?\s(?:at|by|to|into|on|in|for)\s{_SIGNS}|\b(?:brings?|brought|tends?|raise[sd]?|puts?|works?\sout|c[oa]mes?(?:\sout)?|goes|turns?\sout|leaves?|left)\b[^,]*\s(?:to|at|as|with)\s{_SIGNS}"
)
"""`costs`, `saves her`, `has an area of`, `are 12 dogs and`."""
_OBJECT = as_pattern(
    rf"[a-z](?:\W+(?:[a-z]+(?:s|ed)|{alternatives(IRREGULAR_PASTS)})|s\s(?!{_PLACES}\b|and\b|or\b|of\b)[a-z]{{3,}})(?:\s(?:only|exactly|just|about|all|up))?(?:\sa\stotal\sof)?"
    rf"\s*{_SIGNS}"
)
"""`The farmer gathers`: the value comes right behind a verb, whichever it is."""
_THEIRS = as_pattern(rf"\b(?:he|she|they|it)(?:\s(?!{_PLACES}\b)[a-z]+){{1,5}}\s*{_SIGNS}")
_MODAL = as_pattern(r"\b(?:can|will|needs?|must|would|should|(?:has|have|had)\sto)\b|'ll\b")
_WITH = as_pattern(
    rf"\bwith\s(?:an?\s)?(?:probability|chance|slope|speed|rate|radius|degree|value|remainder|average)\s(?:of\s)?{_SIGNS}"
    rf"|\b(?:start|starts|started|began|begun|begins?)\s(?:out\s)?with\s(?:an?\s[a-z]+\sof\s)?{_SIGNS}"
)
_TAKES = as_pattern(rf"[a-z]\s(?:in|within)\s(?:only\s|just\s|about\s)?{_SIGNS}")
_MOVES = as_pattern(rf"\b[a-z]{{3,}}(?:s|ed)\b[^,]*\s(?:at|with)\s(?:a\sspeed\sof\s)?{_SIGNS}")
_SPEED = as_pattern(r"\s?(?:\\text\{\s?)?(?:k?m/(?:s|h|min)|cm/s|mph|kph|ft/s|knots)\b")
"""How fast something is: `The stone hits the ground at 20 m/s`."""
_TIME = as_pattern(r"\s(?:second|minute|hour|day|week|month|year)s?\b(?!\s(?:of|and|or)\b)")
"""What takes so long: `both pipes fill the pool in 15 minutes`."""
_HAPPENS = as_pattern(
    rf"\b{EVENTS}\b[^,]*\b(?:at|on|by|to|into|in|after|within)\s(?:the\s)?(?:day\s|page\s)?(?:[a-z]{{3,9}}\s)?{_SIGNS}"
    rf"|[a-z]{{3,}}(?:s|ed|ing)\sat\s(?:an?\s(?:[a-z]+\s){{1,2}}of\s)?{_SIGNS}"
)
_AT_END = as_pattern(
    r"\W*(?:(?!of\b)(?:%|[a-z.]{1,12})\W*){0,3}(?:(?:to\sthe|due)\s[a-z]+\W*)?(?:,.*)?\Z"
)
_PERSON = as_pattern(r"\b(?:he|she|they|it)\b")
_THE = as_pattern(r"\W*the\s\W*\Z")
_KNOWN_COUNT = as_pattern(
    r"(?:st|nd|rd|th)\b|(?:\s[a-z-]+){1,3}\s(?:are|were|have|remain|will|can)\b"
)
_SUFFICES = as_pattern(
    r"\W*(?:[a-z]+\s)?(?:works?|suffices?|(?:is|are)\senough|fits?|satisf(?:y|ies))\b"
)
_COUNT_OF = as_pattern(
    rf"\W*(?:%\W*|percent\s)?(?:of\s(?:the|them|these|those|his|her|their|all)\b"
    rf"|(?:[\w'-]+,?\s){{0,6}}?(?:{_VERB}|[a-z]+ed\b)|more\s[^,]*\bthan\b)"
)
_VERB_IN = as_pattern(rf"\s{_VERB}|\s[a-z]+ed\b")
_ONLY_BEFORE = as_pattern(
    r"(?:\b(?:the\s(?:value|number|other)|value|number|only|all|exactly|just|but|and|then|other|about|approximately|roughly|nearly|almost|around)\s*|\W)*\Z"
    r"|.*\b(?:and|but|while)\s\W*\Z|\W*of\sthe\s\d+\s[a-z]+\s\W*\Z"
)
"""What may stand before the count that a clause begins with."""
_RESULT = as_pattern(
    r"\A\W*all\s|\ban?\s(?:increase|decrease|rise|drop|gain|loss|difference|saving)\sof\s"
    r"|\b(?:no\sother|left|remain(?:s|ing)?|total|altogether|in\sall|result|each|solution|we\sfind)\b"
)
_WORDS = as_pattern(r"[a-z]{2,}")
_IN_OTHER_WORDS = as_pattern(
    rf"\W*(?:[a-z]{{2,}}ing\b(?!\sto\b)[^,]*|(?:an?|at|to|or|for\san?)\s(?:(?:[a-z]+\s){{1,2}}(?:of|at)\s)?{_SIGNS})"
)
"""A clause behind another one: `..., earning 24`, `..., an index of 24`, `..., at 24`."""
_IN_BRACKETS = as_pattern(r"\s?\([^()]*\)")
_WHY = as_pattern(r",?\s(?:because|since)\s")
_MAX_PHRASE = 8
"""So many words behind a value may be what it counts and nothing else."""


def shows_value(before: str, after: str, *, first: bool = True) -> bool:
    """Return whether a clause, around its value, states it; both sides in small letters.

    `first` says whether it is the first clause of its sentence.

    >>> shows_value("it costs ", " dollars"), shows_value("she sold clips to ", " of her friends")
    (True, False)
    >>> shows_value("only ", " eggs remain"), shows_value("once upon a time ", " knights rode out")
    (True, False)
    """
    after = _IN_BRACKETS.sub("", after)
    if _ONLY_BEFORE.match(before):
        if not first:
            return True
        named = _WHY.split(after, maxsplit=1)[0]
        phrase = len(_WORDS.findall(named)) <= _MAX_PHRASE and not _VERB_IN.search(named)
        return phrase or _COUNT_OF.match(after) is not None
    if _RESULT.search(before) or _RESULT.search(after):
        return True
    if _AFTER_VERB.search(before) or _OBJECT.search(before) or _THEIRS.search(before):
        return True
    if _MODAL.search(before) or (not first and _IN_OTHER_WORDS.match(before)):
        return True
    if _SUFFICES.match(after) or (_THE.match(before) and _KNOWN_COUNT.match(after)):
        return True
    if _MOVES.search(before) and _SPEED.match(after):
        return True
    if _TAKES.search(before) and _TIME.match(after):
        return True
    if _AT_END.match(after) is None:
        return False
    if _WITH.search(before):
        return True
    return _PERSON.search(before) is not None or _HAPPENS.search(before) is not None
