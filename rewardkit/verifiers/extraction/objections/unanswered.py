"""Does the text leave its own task without an answer?

It solves another one that is like it (`5 times 6 is 30. Yours is done likewise.`), or what it says
last leaves the choice to its reader, has no answer to `this one`, is left without a pick after the
one it had is out, repeats the task in quotation marks, or is the other case of two; or nothing but
an example has an answer, or one side of a limit that does not exist.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.taken_back import last_sentence, may_answer
from rewardkit.verifiers.extraction.endings.unsettled import gives_up
from rewardkit.verifiers.extraction.objections.place import Place
from rewardkit.verifiers.extraction.text.plain import places_of, stands_in
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.patterns import last_of
from rewardkit.verifiers.vocabulary.sought import Sought

_YOURS_TO_CHOOSE = Sought(
    r"(?:\A|[.;:,!]\s)(?:so\s|just\s|please\s|you\s(?:may\s|can\s)?|feel\sfree\sto\s)*(?:pick|choose|take|select|decide\son)"
    r"\s(?:(?:the|whichever|whatever|any|either|which)\b[^.\d]*\b(?:you|yourself)\b(?:\s(?:like|prefer|want|need|find|think|believe|deem|fancy)\b[^.\d]*)?|your\s(?:own\s)?(?:pick|brackets?|favou?rite|convention|answer|reading|choice|version|interpretation|poison))"
    r"(?:[;,]\s[^.\d]*)?\W*\Z"
    r"|(?:\A|[.;:,!]\s)(?:so\s|just\s|please\s|you\s(?:may\s|can\s)?)*(?:pick|choose|take|use|select|decide)\s(?:accordingly|as\s(?:appropriate|needed|applicable)"
    r"|(?:the\s(?:one|value|case)|whichever|whatever|what)\s(?:that\s|which\s)?(?:fits|applies|suits|is\s(?:right|meant|appropriate|intended|asked))\b[^.\d]*)\W*\Z"
    r"|\bboth\s(?:count|are|serve|stand|go)\b[^.\d]*\bmy\s(?:final\s)?answers?\W*\Z"
    r"|\byou\s(?:choose|pick|decide)\s(?:which|what)\b[^.\d]*\W*\Z|,\swhichever\syou\s(?:like|prefer|want)\b[^.\d]*\Z"
    r"|\bi(?:'ll|\swill)?\s(?:won't|will\snot|can't|cannot|can\snot|do\snot|don't|refuse\sto|decline\sto)?\s?(?:commit|decide|settle)\s?(?:myself\s)?(?:(?:to|on|for|between)\s)?(?:neither|either|any|one|a\ssingle\s[a-z]+)\b(?:\sof\s(?:them|these|those|the\stwo))?\W*\Z"
    r"|\bi\s(?:won't|will\snot|can't|cannot|refuse\sto|decline\sto)\s(?:commit|decide|choose)\W*\Z"
)
_THIS_ONE = (
    r"\((?:this(?:\s(?:one|problem|question|task))?|yours?|ours?"
    r"|the\s(?:one|present|actual|current|asked|real)\b[^()]*)\)"
)
_UNANSWERED_HERE = Sought(
    rf"{_THIS_ONE}(?:'s)?\W*(?:(?:the\s|my\s)?answer\W*)?(?:is\s|was\s|i\s|still\s|has\sbeen\s)*(?:unknown|unanswered|unsolved|open|undecided|left\b|blank|skipped|skip|empty|omitted|nothing|none\sgiven|no\s(?:idea|answer|attempt|clue|solution)"
    r"|not\s(?:solved|done|attempted|answered|known|tried)|(?:don't|do\snot)\sknow|can't\b|cannot\b|\?+)[^.\d]*\W*\Z"
)
"""`Problem 8 (this one): left blank.`"""
_WANTED = (
    r"(?:what\s(?:(?:we|i|you|one)\s(?:want|need|seek|look\sfor|are\s(?:after|looking\sfor|asked))|is\s(?:asked|wanted|sought|needed|looked\sfor))"
    r"|(?:wanted|asked|sought|looked\sfor|in\squestion|unknown))\b"
)
_LITTLE = r"(?:only|merely|just|nothing|little|no\smore|not\smuch|solely|simply)"
_KNOW = r"(?:know|known|tell|say|said|learn|told|given|stated)"
_ONLY_KNOWN = Sought(
    rf"\b(?:is|are|was)\s{_WANTED}[^\d]{{0,40}}\b(?:{_LITTLE}\b[^\d]{{0,40}}\b{_KNOW}|{_KNOW}\b[^\d]{{0,30}}\b{_LITTLE})\b[^\d]*\Z"
    rf"|\b(?:of|about|for|on)\s(?:the\s(?:second|other|latter|wanted|unknown)(?:\s[a-z]+)?|(?:that|this)\sone|it),?\s(?:[a-z]+\s){{0,3}}(?:{_LITTLE}\s{_KNOW}|{_KNOW}\s{_LITTLE})\b[^\d]*\Z"
)
"""`That of the second is what we want, and of it we know only that it is bigger.`"""
_NOTHING_LEFT = Sought(
    r"(?:\bi(?:'m|\sam)?\s[^.;\d]*|\bleav(?:es|ing)\sme\s[^.;\d]*|(?:\A|[.;!]\s|,\s(?:and|so)\s)(?:with\s|there\sis\s)?)\b(?:without|no|not?\sany|don't\shave|nothing|none)\b\s?(?:an?\s|any\s)?(?:(?:other|another|further|alternative)\s?)?"
    r"(?:pick|answer|choice|letter|option|candidate|value|else|left|one|guess|in\sits\splace|instead)?(?:\s(?:left|to\s(?:give|offer|name)|in\sits\splace|instead))?\W*\Z"
)
_IS_OUT = as_pattern(
    r"\s(?:(?:is|has\sbeen|gets|was)\s(?:now\s|thus\s|therefore\s|then\s|clearly\s)?(?:out|gone|excluded|impossible"
    r"|eliminated|ruled\sout|discarded|wrong|incorrect|off\sthe\stable|refuted|rejected|dropped)\b"
    r"|can't\sbe\b|cannot\sbe\b|fails\b|contradicts\b|falls\saway\b)"
)
_TASK_QUOTED = as_pattern(
    r"[\"“](?:(?:please|now|let's)\s)?(?:find|determine|simplify|compute|calculate|evaluate|differentiate|integrate|solve|prove|show|let|given|what|how|which|where|when|if|express|expand|factori[sz]e|factor|sketch|suppose|consider)\s[^\"“”]*[\"”]\W*\Z",
    re.I,
)
_OTHER_CASE = as_pattern(
    r"(?:\A|[.;!]\s)(?:in\scase|assuming|should|supposing)\s(?!of\b)[^.:;,\d]{3,60}[:,]\s[^.:;]{0,30}\d[^.:;]{0,15}[.;]\s(?:in\scase\s(?:not|it|they|otherwise)\b[^.:;,\d]*|if\snot|otherwise|else|should\s(?:it|they)\snot\b[^.:;,\d]*)[:,]\s[^.:;]{0,30}\d[^.:;]{0,15}[.]?\Z"
)
"""`In case zero counts: 36. In case not: 35.`"""
_MAX_CHARS = 400
_TASK = r"(?:problem|question|task|exercise|example|case|situation|puzzle)"
_SIMILAR = r"(?:similar|easier|simpler|smaller|analogous|comparable|related)"
_OTHER = Sought(
    r"\b(?:here\sis|this\sis|consider|take|look\sat|had|have|were|explain\sit\swith|with|solve|try|start\swith|think\sof|imagine|in|for|suppose)"
    rf"\s(?:an?|another|the\sfollowing|one|some)\s(?:[a-z]+\s)?{_SIMILAR}\s{_TASK}s?\b"
    rf"|(?:\A|[.!?]\s)\W*(?:(?:an?|the|one|another)\s)?{_SIMILAR}\s{_TASK}\s?:"
    r"|\bas\san?\s(?:example|model)\s?[:,]|\bcompare\s(?:it|this|that|the\s[a-z]+)\s(?:with|to)\b"
    r"|\bwith\s(?:smaller|easier|easy|simpler|simple|other|different)\snumbers\b"
    r"|\b(?:miniature|toy|small|simplified|smaller|simpler|easier)\s(?:version|variant)\sof\b"
)
_FOREIGN = Sought(
    r"(?:\A|[.!?:]\s|\b(?:here\sis|this\sis|that(?:'s|\sis)|i\s(?:found|have|give|know|show)(?:\syou)?)\s)\W*(?:an?\s|the\s|my\s)?(?:full\s|complete\s|worked\s)?"
    r"(?:solution|answer|working)\s(?:of|to|for)\s(?:(?:an?other|an?\s(?:different|unrelated|other)|some\sother)\s"
    rf"{_TASK}|(?:somebody|someone)(?:\selse)?'s\s{_TASK})\b"
)
"""`Here is the solution of another exercise`, whatever is said of the own one."""
_OWN = r"(?:your|our|the\s(?:original|actual|real|given|present|posed))"
_BACK = as_pattern(
    rf"\b(?:here(?!\sis)|now|back|{_OWN}|in\sthis\s{_TASK}|for\sthis\s{_TASK}|the\s{_TASK}\b|we\sget|general(?:ly)?)\b"
)
"""Where a text comes back to its own task."""
_ALIKE = Sought(
    rf"\b(?:{_OWN}\s[a-z]+|yours|ours|the\s(?:number|one|value|case)\s(?:in|of|from)\s(?:the|your|our|this)\s{_TASK})\b[^.]*"
    r"\b(?:same|likewise|alike|similarly|analogously|just\sso|like\sthat|other|another|different|bigger|larger|smaller|more|harder)\b"
    rf"|\b(?:same|likewise|other|different|larger|smaller)\b[^.\d]*\b(?:in|of|from|for)\s(?:the|your)\s{_TASK}\b[^.\d]*\W*\Z"
    r"|\b(?:this|(?:today's|the)\s(?:problem|task|question|exercise)|ours?|yours?)\sis\s(?:of\s)?the\ssame\s(?:kind|type|sort)\b"
    r"|\bdo\s(?:it|so|this)\s(?:like\s(?:this|that)\s|likewise\s|in\sthe\ssame\sway\s|the\ssame\sway\s)(?:for|with)\s(?:the|your|our)\b"
    rf"|\b(?:the|this|your)\s{_TASK}\sis\s(?:quite\s|very\s)?(?:similar|analogous|alike|like\s(?:it|that|this))\b"
    r"|\bfollow\s(?:it|this|that)\s(?:for|with)\s(?:the|your|our)\b"
    r"|\bthe\s(?:harder|bigger|larger|real|full|actual|given)\sone\b[^.\d]*\b(?:same|likewise|alike|similarly|like\sthat)\b"
    r"|\bis\s(?:treated|solved|considered|done|handled|looked\sat)\sfirst\b"
    r"|\bthis\sone\s(?:is|works|goes)\s(?:[a-z]+\s)?(?:similar|alike|the\ssame|likewise)\b"
    rf"|\bnow\s(?:[a-z]+\s){{1,2}}the\s(?:number|value|one)s?\s(?:of|in|from)\s(?:the|your)\s{_TASK}\b"
    r"|\b(?:use|apply|take)\sthe\ssame\s(?:rule|method|way|formula|idea|trick)\b"
    rf"|\b(?:in|of|from|for)\sthe\s{_TASK}\b[^.]*\b(?:same\s(?:way|manner)|likewise|similarly|alike)\b"
    r"|\bbut\s[^.\d]*\b(?:is|was|has|are|were)\s(?:another|a\sdifferent|different|other)\b"
    r"|\b(?:do|go\son|continue|proceed)\s(?:the\ssame|like\s(?:that|this)|likewise|so)\s(?:with|for|on)\s(?:the|your|our|all)\b"
    rf"|\bthe\ssame\s[a-z]+\s(?:works|holds|applies|goes|can\sbe\sused)\s(?:for|to|with|in|on)\s(?:{_OWN}|the\s(?:number|one|case)\s(?:in|of))"
)
"""Behind a value, that the task itself is solved like the one before: `Yours is done likewise.`"""
_MAX_BEHIND = 250
_SHOWS = Sought(
    r"\b(?:examples?|instance|samples?|template|format|style|notation|illustrat\w+|demonstration|(?:should|must|would|could)\s(?:be\s[a-z]+\s|be\s)?(?:look\s)?like"
    rf"|model\s(?:answer|solution)|ways?\sto\swrite|i\swould\s(?:write|put|box)|how\san?\s[^.\d]*\slooks?|{_SIMILAR}(?!\sto\b)|such\sas|exemple|ejemplo|esempio|exemplo|beispiel\w*|voorbeeld|пример\w*)\b|例|예를"
)
"""What shows a value that is no answer."""
_HEADS = as_pattern(r"[^.!?\d]{0,40}:")
"""Behind it, that all to the next task is the example."""
_STOP = as_pattern(r"[.!?]\s|[。！？\n]")
_ASKED_HERE = Sought(
    rf"\b(?:your|this|(?:today's|present|actual|original|real|given|posed|current|own))\s(?:own\s)?{_TASK}\b|\b{_TASK}\s(?:itself|at\shand|posed|given|set|as\s(?:it\s)?(?:is\s)?stated|that\s(?:was|is|you))\b"
    r"|(?<!not\s)(?<!n't\s)\b(?:asked|yours|in\squestion|(?:one|that)\s(?:you|(?:that\s)?was)\s(?:posed|set|gave|given))\b"
    rf"|\b(?:solve|answer)\s(?:the\s{_TASK}|it|this)\W*\Z|\bknow\sthe\sanswer\W*\Z"
    r"|(?:ce|le)\sproblème\sposé|cette\squestion|diese\s(?:frage|aufgabe)|(?:el|este)\sproblema\splanteado|esta\spregunta|本题|此题|这道题|この問題|этот\sвопрос|эту\sзадачу"
)
"""The task that was set."""
_OF_MORE = as_pattern(
    r"\b(?:why|so|(?<!sorry,\s)but|other|another|else|second|further|more|next|book|key|shorter|simpler|kürzer\w*|schöner|besser|mieux|mejor|proof|prove|check|verify)\b|\A\W*i\s(?:\S+\s){1,2}(?:see|view|open|read)\b"
)
"""What a writer may not know who has answered."""
_NO_LIMIT = Sought(
    r"\b(?:limit|sequence)\s(?:(?:does\snot|doesn't|fails\sto)\s(?:exist|converge)|diverges)\b|\b(?:is|has)\sno\slimit\b"
)
_TWO_SIDES = Sought(
    r"\bthe\s(?:right|left)\b.*\b(?:right|left)\b|\beven\b.*\bodd\b|\bodd\b.*\beven\b|\bsubsequence\b.*\b(?:another|other|subsequence)\b|\balong\b.*\balong\b"
)
_DECIDES = as_pattern(
    r"\b(?:both|so|thus|hence|therefore|but|however|answer|asked|want\w*|question|agree|equal|same|if|might|may|think)\b"
)
"""What decides for one side of a limit that does not exist."""


def is_unanswered(value: str, text: str) -> bool:
    """Return whether a text ends without an answer to its own task, whatever it said before.

    >>> is_unanswered("20", "Problem 3: 20. Problem 4 (the one you asked): left blank.")
    True
    >>> is_unanswered("B", "**B** — no, B is impossible. So B is out. I have no other pick.")
    True
    >>> is_unanswered("4x", 'I read: "Find f where f(x) = 4x".'), is_unanswered("5", "It is 5.")
    (True, False)
    """
    low = text.strip()[-_MAX_CHARS:].lower().replace("’", "'").replace("**", "")
    if _YOURS_TO_CHOOSE.search(low) or _UNANSWERED_HERE.search(low) or _OTHER_CASE.search(low):
        return True
    value = value.strip(" .!?*$()").lower()
    if not value:
        return False
    last = last_sentence(low)
    if has_digit(value) and not has_digit(last) and _ONLY_KNOWN.search(last):
        return True
    limit = "limit" in low or "sequence" in low
    limit = limit and " " not in value and stands_in(value, last)
    if limit and _NO_LIMIT.search(low) and not _DECIDES.search(low) and _TWO_SIDES.search(last):
        return True
    if low.endswith(('"', '".', "”", "”.")) and (quoted := _TASK_QUOTED.search(low)):
        return len(value) > 1 and stands_in(value, low[quoted.start() :])
    out = len(value) == 1 or has_digit(value)
    if not out or not (left := _NOTHING_LEFT.search(low)):
        return False
    said = low[: left.end()]
    return any(_IS_OUT.match(said, at + len(value)) for at in places_of(value, said))


def has_none_here(text: str) -> bool:
    """Return whether a text gives up in the end on its own task, or on all but an example.

    >>> has_none_here("It would be 24. For the present problem I have no answer.")
    True
    >>> has_none_here("It is 24. I have no other answer."), has_none_here("I have no answer.")
    (False, False)
    """
    last = last_sentence(text)
    last = last[last.rstrip(" 。").rfind("。") + 1 :]
    before = "" if has_digit(last) else text.rstrip()[-_MAX_CHARS : -len(last)].strip().lower()
    if not before or not gives_up(last) or _OF_MORE.search(last := last.lower()):
        return False
    if _ASKED_HERE.search(last):
        return True
    if (shows := last_of(_SHOWS.finditer(before))) is None:
        return False
    own = (_BACK if _HEADS.match(before, shows.end()) else _STOP).search(before, shows.end())
    return own is None or not may_answer(before[own.end() :])


def is_of_another_task(said: Place) -> bool:
    """Return whether a value answers another task that is like the one that was set.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> is_of_another_task(place_of("30", "A similar problem: 5 times 6 is 30."))
    True
    >>> is_of_another_task(place_of("30", "In the problem, 5 times 6 is 30."))
    False
    """
    near = f"{said.earlier[-_MAX_BEHIND * 2 :]}{said.before}"
    foreign = last_of(_FOREIGN.finditer(near))
    if foreign is not None and not _BACK.search(near, foreign.end()):
        return True
    if "answer" in said.before or (said.value and said.value in said.before):
        return False
    behind = f"{said.after}{said.stop} {said.behind}"[:_MAX_BEHIND]
    if _ALIKE.search(behind):
        return True
    other = last_of(_OTHER.finditer(near))
    return other is not None and not _BACK.search(near, other.end())
