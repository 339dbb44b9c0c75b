"""Is it only one of the numbers that are described?

It is a part of what the answer is the value of (`the area of a square with side 12`), what
something relates to (`n is coprime to 35`), a property of the answer (`it ends in 9`), or labelled
as something else (`Last updated: March 17.`).
"""

from __future__ import annotations

from rewardkit.verifiers.extraction.objections.place import SIGNS, Place, behind_name
from rewardkit.verifiers.extraction.prose.denials import is_negated
from rewardkit.verifiers.vocabulary.alternatives import SHARE, WORK
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.roles import STATING_VERBS
from rewardkit.verifiers.vocabulary.sought import Beginning, Parts, Sought
from rewardkit.verifiers.vocabulary.units import UNITS

_VERB = (
    r"(?:is|are|was|were|be|equals?|gives?|makes?|gets?|costs?|has|have|had|takes?|took|needs?|weighs?|measures?|lasts?|holds?"
    r"|leaves?|left|pays?|paid|earns?|becomes?|remains?|contains?|comes?\sto|amounts?\sto|meets?|ends?|arrives?)"
)
_VERBLESS = rf"(?:(?!\b{_VERB}\b)[^,:=])*"
_LED = as_pattern(
    rf"(?:[=:≈→,;]|\b(?:{_VERB}|namely|i\.e\.|so|thus|hence|therefore)(?:\s(?:exactly|just|only|about))?)[\s$\\(\"*-]*\Z"
)
"""What leads to a value right before it."""
_IN_WORDS = as_pattern(
    rf"\W*(?:(?:how|what|when|where|who|whether|why)\s|to\s(?:{WORK}|{SHARE})\b"
    r"|(?:found|obtained|got|gained|reached|calculated|computed|derived|worked\sout)\s(?:by|from|if|when)\s[a-z]+ing\b)"
)
_HAS_VERB = as_pattern(rf"\b{_VERB}\b")
_OF = r"(?:the|an?|his|her|its|their|[a-z]+'s)\s[a-z]+"
_SUPPOSED = as_pattern(
    rf"\W*{_OF}[^\d]*?(?:,?\s(?:if|given|assuming|provided)|,\swhere)\s[^,]*\Z"
    rf"|\W*{_OF}[^\d]*\swith\san?\s[a-z]+\sof\s*\Z|\W*{_OF}[^:=]*,\s[^,:=]*\bbeing\s\W*\Z"
)
"""`the age of Tom, given that his brother is 17`."""
_STATED_BEHIND = as_pattern(
    r".*?\s(?:if|given|assuming|provided)\s(?:that\s)?(?:he|she|it|they|we|you|one)\s(?!says?\b|said\b|knows?\b|thinks?\b)"
    r"[a-z]+\s[^,\d]*\d[^,]*\s(?:is|are|was|(?:will|would|must)\sbe)\s\W*\Z"
)
"""`the age that he reaches if he lives for 17 more years is`: a clause with a verb of its own."""
_NOUN_OF = (
    r"the\s(?:[a-z]+\s)?(?!(?:increase|decrease|rise|drop|change|reduction|growth|loss|gain|total"
    r"|end|start|begin\w*|arrival|departure)\b)[a-z]+"
)
_NESTED = as_pattern(
    rf"\W*{_NOUN_OF}\sof\s(?:[a-z]+\s)[^,:=.]*?\s?\bwhose\s[^,:=]*\Z"
    rf"|\W*{_NOUN_OF}\sof\s(?!both\b|all\b)[a-z]+ing\s{_VERBLESS}\b(?:from|in|with|of)\s\W*\Z"
    rf"|\W*{_NOUN_OF}\sof\s(?:an?|the|all|both|[a-z]+s|{alternatives(NUMBER_WORDS)})\s{_VERBLESS}\b(?:that|with|by|after|for|needed|of|in|from|among|between|side|length)\s{_VERBLESS}\Z"
    r"|\W*the\s[a-z]+\s(?:that\s(?:it|he|she|they|comes?|lies|stands)|needed|required\s(?:for|by)|it\stakes)\b[^,:=]*\Z"
    r"|\W*the\s[a-z]+(?:\s[a-z]+)?\sof\s[a-z]\s(?:on|over|in|for|from|at)\s\W*(?:[a-z]\s?=\s?)?\Z"
    rf"|\W*{_OF}{_VERBLESS}\s(?:with|for)\s[a-z]\s?=\s*\Z"
    rf"|\W*the\s(?:price|cost)\sof\s{_VERBLESS}\sat\s\W*\Z|\W*the\sdistance\s(?:from|to)\s{_VERBLESS}(?:[a-z]\s?=\s*)?\Z"
)
"""`the area of a square with side 12`, `the time needed for 70 km`, `the maximum of f on [0,1]`."""
_OPERAND = as_pattern(
    r"\W*(?:the|an?)\s(?:[a-z]+\s)?(?:quotient|product|sum|difference|multiple|half|double|third|root)\sof\s\W*\Z"
)
_OTHER_OPERAND = as_pattern(r"\W{0,3}\s(?:and|by|over|from)\s[^\d=:]*\Z")
_FUNCTION_OF = as_pattern(
    r"\W*(?:the\s)?(?:[a-z]+\s)?(?:derivative|integral|antiderivative|inverse|reciprocal|factori[sz]ation|roots?|zeros?|power\sset|complement|graph|square|cube|logarithm|(?:number\sof|sum\sof\sthe)\s(?:divisors|factors"
    r"|digits))\sof\s\W*\Z"
)
_OF_POINT = as_pattern(
    r"\W*the\s(?:[a-z]+\s)?(?:distance|image|reflection|length|slope|norm)\s(?:of|from|to|between)\s(?:the\s)?(?:point\s)?\W*\Z"
)
_COUNTED_OF = as_pattern(
    r"\W*(?:the\s)?(?!(?:total|sum|amount|value|number|group|set|result|maximum|minimum|difference|product|whole|rest)\sof\s\W*\Z)"
    r"(?:[a-z]+\s){1,3}(?:of|for)\s\W*\Z|\W*[a-z]+s\s(?:among|from|between)\s\W*\Z|\W*the\s[a-z]+\sof\s(?:the\s)?(?:first|last|next)\s\W*\Z"
)
_NOUN = as_pattern(
    r"\s(?:(?:odd|even|prime|natural|positive)\s)?([a-z]{3,}s)(?:\s(?:in|of|for|at|on|with)\b[^\d=:]*)?\W*\Z"
)
"""`the price of 12 pens`, but not `the weight of 12 grams`."""
_NAMES_NOUN = as_pattern(r".*\bthe\s|\W*[a-z]+s\s(?:among|from|between)\s")
_MEASURED = as_pattern(
    r"(?:points?|dollars?|euros?|cents?|pounds?|marks?|votes?|percents?|degrees?|units?)"
)
_SHIFTED = as_pattern(
    rf"(?:[^,:=]*\s|\W*)(?:\d+|an?|half\san?|{alternatives(NUMBER_WORDS)})\s(?:[a-z]+\s)?(?:later\sthan|earlier\sthan|after|before|more\sthan"
    r"|less\sthan|fewer\sthan)\s\W*\Z|\W*(?:(?:some\stime\s)?(?:later|earlier)\sthan|(?:some\stime\s)?(?:after|before))\s\W*\Z|[^,:=]*\d[^,:=]*\sin\s(?:the|a)\sratio\s(?:of\s)?\W*\Z"
)
"""`two hours after 18:45`, `39 in the ratio 5:8`."""
_AFTER = as_pattern(r"\W*after\s\W*")
_LASTS = as_pattern(r"\s(?:second|minute|hour|day|week|month|year|step|round|move|turn|throw)s?\b")
"""What is a time itself behind `after`: `after 16 days`, but not `after 18:45`."""
_A_WORD = as_pattern(r"\W*(?:[a-z]+\W*)?")
"""The month of a day, or nothing."""
_WITH_UNKNOWN = as_pattern(
    r"\W{0,3}\s(?:divided\sby|times|plus|minus|over|multiplied\sby)\s(?:the|his|her|its|their|what|how)\b[^\d=:]*\Z"
    rf"|\W{{0,3}}\s(?:plus|minus)\s(?:\d+|an?|{alternatives(NUMBER_WORDS)})\s[a-z]+\W*\Z"
)
_RELATED = Sought(
    rf"\b(?:not\sexceeding|including)\s{SIGNS}|"
    r"\banswer\shas\s(?:an?\s|the\s(?:digit|number|figure)\s)?\W*\Z"
    r"|\b(?:digit|factor|divisor|part|square|half|double|unit)s?\sof\s(?:the|my|our|this)\sanswer\s(?:is|are|has)\s\W*\Z|"
    r"\b(?:[a-z]|answer|number|result|value|they|solutions?|integers?|digits)\$?\s(?:(?:is|are|must\sbe|is\salso)\s)?congruent\sto\s(?:\S+\smod\s)?"
    rf"{SIGNS}|\b(?:co-?prime|(?:relatively\s)?prime|proportional|adjacent|parallel|perpendicular"
    rf"|orthogonal|analogous|conjugate|tangent)\sto\s(?:the\s(?:number|point|line)\s)?{SIGNS}"
    rf"|\b(?:divisible|bounded(?:\s(?:above|below|from\sabove|from\sbelow))?)\sby\s{SIGNS}"
    rf"|\bdivides?\s{SIGNS}|(?:\bnot|\bnever|n't)\s(?:[a-z]+\s){{1,3}}(?:at|through|in)\s(?:the\spoint\s)?{SIGNS}"
    r"|\b(?:number|answer|result|value|integer|[a-z])\s(?:shares\s[^.]*\s|rhymes\s|(?:begins|starts|ends)\s)"
    rf"(?:with|in)\s(?:the\sdigits?\s)?{SIGNS}"
    r"|\b(?:answer|result)\s(?:has|leaves|gives)\s(?:an?\s|the\s)?(?:last\sdigit|first\sdigit|digits?|remainder"
    rf"|digit\ssum|parity)\s(?:of\s)?{SIGNS}"
    rf"|\b(?:value|number|answer|result)\slies\s(?:near|close\sto|around)\s{SIGNS}"
    r"|\banswer\s(?:is|will\sbe)\s(?!equal|rounded|given|found|said|known|shown|taken|close|up|out|down)[a-z]+\s(?:in|to|from|on|with|of)\s"
    rf"(?:the\s(?:number|form|figure)\s)?{SIGNS}|\banswer\s(?:will|would|should)\slook\slike\s(?:this:?\s)?{SIGNS}"
    rf"|\b(?:multiple|divisor|(?<!\bby\sa\s)(?<!scale\s)factor|reciprocal|complement)\sof\s{SIGNS}"
)
"""What a value relates to, or is a property of: `The number is coprime to 35.`"""
_RELATES = Beginning(
    r"[$\\)}*]{0,3}\s(?:divides\s\$?[a-z]\$?\W*\Z|(?:and\s\S{1,9}\s)?(?:have|has|share)\s(?:the\ssame|no|a)\s(?:common|parity"
    r"|sign|number\sof|factor|divisor)|(?:is|as)\san?\s(?:lower|upper)\sbound\b)"
)
_OF_ANSWER = Beginning(
    r"\W*(?:(?:so|thus|hence|therefore|now),?\s)?(?:the|my|our)\s(?:[a-z]+\s)?(?:answer|solution)\s(?!to\b|of\b|for\b)(?![^:=]*(?:n't|'s|\bconsists)\b)(?![^:=]*\b(?:is|are|was"
    r"|be|equals?|comes?|becomes?|works|turns|amounts|evaluates|simplifies|reduces|gives?|yields?|has|rounds?|reads|remains"
    r"|obtained|gets?|found|should|must|would|will|stays|stands)\b)[a-z][^:=]*\Z"
)
"""What is said of the answer that is not what it is: `The answer involves`."""
_ORDINAL = Beginning(
    r"\s?(?:\^?\{?\s?(?:\\text\{)?)?(?:st|nd|rd|th)\b\}{0,2}\s(?:smallest\s|largest\s|odd\s|even\s)?"
    r"(?:prime|fibonacci|lucas|catalan|triangular|square|cube|perfect|root|power|harmonic|composite|multiple"
    r"|odd|even|natural|positive|bell)\b"
)
_BEFORE_IT, _BEHIND_IT = Parts(_RELATED, _OF_ANSWER), Parts(_RELATES, _ORDINAL)
_FROM = as_pattern(
    r"\b(?:from|through|reflect(?:ing|s)?|rotat(?:ing|es?)|shift(?:ing|s)?|mirror(?:ing|s)?|translat(?:ing|es?)|mov(?:ing|es?)|point)\s"
    r"(?:the\s(?:[a-z]+\s)?)?(?:point\s)?\$?\Z"
)
_OTHER_POINT = as_pattern(
    r"\$?\s(?!.*\b(?:not|or|because|since)\b)[^()=]*\b(?:gives?|yields?|to|at|is|becomes?|as|us|get|obtain)\s\$?\([^()=]*,[^()=]*\)"
)
"""A point that a sentence leads to behind the one that it begins with."""
_DESCRIBES = as_pattern(
    r"\W*(?:(?:the\s(?!(?:same|only|unique|smallest|largest|number|integer|value|set|point|interval|fraction"
    r"|ratio|pair|option|letter|word|year)\s\W{0,3}\Z)[a-z]+|what|how|when|where|whatever|whichever|double|triple|obtained|found|to\sbe)\s(?:[^,:;=()≈]*"
    r"\b)?(?:of|from|to|by|with|after|before|when|for|than|in|at|through|that|who|how|that\s(?:is|has|have)|who\s(?:is|has))"
    r"\s(?:[a-z]+ing\s)?(?:(?:the|an?|his|her|radius|side|length|height|number)\s){0,2}|how\s(?:many|much)\s(?:[a-z]+\s){1,3}"
    r"|(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+)\s(?:minute|hour|day|week|month|year)s?\s(?:after|before)"
    rf"|the\sday\s(?:after|before))\s){SIGNS}"
)
"""A description of something that no value ends: `the cost of`."""
_STATES = as_pattern(
    rf"(?<!\bwho)(?<!\bthat)(?<!\bwhich)\s{alternatives(STATING_VERBS)}\s"
    rf"|\b(?:equal|equals|amounts|comes|simplifies|up|out)\sto\s{SIGNS}"
)
"""What leads within it to the value."""
_VALUE_OF = as_pattern(
    rf"\b(?:vertex|point|cent(?:er|re)|focus|midpoint|origin|corner|intersection|maximum|minimum)\sat\s{SIGNS}"
    r"|\b(?:value|total|amount|maximum|minimum|limit|remainder|answer|number|integer|fraction|figure|score|age|ratio|speed|price"
    rf"|average|mean|median|sum|count)\sof\s{SIGNS}"
)
_FIRST_NOUN = as_pattern(r"\W*the\s[a-z]+\s")
_BOOKKEEPING = as_pattern(
    r"\W*(?:(?:last|first|date|time)\s)?(?:(?:updated|created|edited|modified|revised|posted|published|printed|uploaded|submitted|accessed|retrieved|generated)(?:\s?:|\s(?:on|at)\b)"
    r"|(?:copyright|(?:word|character|token|page)\scount|(?:reading|elapsed)\stime|attempt|time\s?stamp|due\sdate)\s?:)[^.:;=]*\Z"
)
"""What a text says of itself, its day or its length."""
_FALSE = as_pattern(
    r"\W*(?:(?:an?|the|this|one|common|typical|popular|frequent|widespread|another)\s)*"
    r"(?:(?:false|wrong|incorrect|untrue|mistaken|erroneous|bogus|invalid|fake|refuted)\s(?:claim|statement|assertion|solution|answer|result|conclusion|argument|belief|theorem|lemma)"
    r"|myth|misconception|fallacy|not\strue|untrue|falsehood|lie)\s?:\s.*(?:\b(?:is|are|equals?|gives?|has|have)\b|=)[^.]*\Z"
)
"""Only a whole claim is refused so: `Wrong statement: C` names the one that is looked for."""
_UNKNOWN_SCALE = Beginning(
    r"\W{0,3},?\s(?:(?:written|said|given|counted|read|expressed)\s)?in\s(?:(?:an?|some)\s)(?:(?:[a-z]+\s){0,2}?(?:base|unit|modulus|scale|number\ssystem|currency)s?\b[^.]*(?:\bnot\b|n't\b|\bother\sthan\b|\bunknown\b|\bunnamed\b|\bsecret\b)"
    r"|(?:unknown|unnamed|unspecified|undisclosed|secret|hidden)\s(?:base|unit|modulus|scale|number\ssystem|currency)\b)"
)
"""`33 in some base that is not ten`, which nobody can read."""


def is_described(said: Place, *, marked: bool) -> bool:
    """Return whether a value is no more than a part of how the answer is described.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> is_described(place_of("6", "The answer is the area of a square with side 6."), marked=True)
    True
    >>> is_described(place_of("144", "The area of a square with side 12 is 144."), marked=True)
    False
    """
    before, after = said.before, said.after
    if _BEFORE_IT.may_be_in(before) and (_RELATED.search(before) or _OF_ANSWER.match(before)):
        return True
    if _BEHIND_IT.may_be_in(after) and (_RELATES.match(after) or _ORDINAL.match(after)):
        return True
    if said.value.startswith("(") and _OTHER_POINT.match(after) and _FROM.search(before):
        return True
    named = behind_name(before)
    rest = before[named:]
    if marked and said.value and is_negated(rest):
        return True
    if not (named or (marked and not said.earlier.strip())):
        return False
    if not rest.strip(" *$"):
        return _WITH_UNKNOWN.match(said.after) is not None
    if named and _SUPPOSED.match(rest) and not _STATED_BEHIND.match(rest):
        return True
    if named and _DESCRIBES.match(rest) and not _states(rest):
        return True
    if _NESTED.match(rest):
        return "whose" in rest or not _LED.search(rest) or rest.rstrip().endswith("=")
    if _LED.search(rest):
        return False
    if _IN_WORDS.match(rest):
        return named > 0 or not _HAS_VERB.search(rest)
    if _OPERAND.match(rest):
        return _OTHER_OPERAND.match(said.after) is not None
    if _SHIFTED.match(rest) and not (_AFTER.fullmatch(rest) and _LASTS.match(said.after)):
        return _A_WORD.fullmatch(said.after) is not None and (
            named > 0 or not _HAS_VERB.search(rest)
        )
    if said.value.startswith("(") and _OF_POINT.match(rest):
        return True
    return _FUNCTION_OF.match(rest) is not None or _is_of_so_many(rest, said.after)


def _is_of_so_many(rest: str, after: str) -> bool:
    """Return whether a value counts what the answer is of: `the price of 12 pens`."""
    noun = _NOUN.match(after) if _NAMES_NOUN.match(rest) and _COUNTED_OF.match(rest) else None
    return noun is not None and not (noun[1] in UNITS or _MEASURED.fullmatch(noun[1]))


def _states(rest: str) -> bool:
    """Return whether a description leads to a value of its own: `the cost of the pens is`."""
    noun = _FIRST_NOUN.match(rest)
    states = noun and (_STATES.search(rest, noun.end() - 1) or _VALUE_OF.search(rest))
    return states is not None


def is_labelled_otherwise(said: Place) -> bool:
    """Return whether a label names a value as no answer, or its base is left unknown.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> is_labelled_otherwise(place_of("17", "Last updated: March 17."))
    True
    >>> is_labelled_otherwise(place_of("0", 'False claim: "the sum is 0".'))
    True
    >>> is_labelled_otherwise(place_of("17", "The date of the fair: March 17."))
    False
    """
    return (
        _BOOKKEEPING.match(said.before) is not None
        or _FALSE.match(said.before) is not None
        or _UNKNOWN_SCALE.match(said.after) is not None
    )
