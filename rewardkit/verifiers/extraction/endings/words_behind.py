"""What stands behind an answer at the end of a response and says nothing of it.

A chat's courtesies, remarks and checks, signs that a proof ends, and other values: what others
answer (`Most people say 10`), what fails (`3; neither 2 nor 4 works`), what is worked out of it
(`**49**; its double is 98`). What is said of a value that the answer has named is left as it is.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.asides import without_asides
from rewardkit.verifiers.extraction.endings.notes import aside_from, without_form
from rewardkit.verifiers.extraction.endings.others import WRONG_ANSWER, others_from
from rewardkit.verifiers.extraction.prose.behind import without_remarks
from rewardkit.verifiers.extraction.prose.wholes import VALUE
from rewardkit.verifiers.extraction.text.cuts import last_start
from rewardkit.verifiers.extraction.text.restated import without_restatement
from rewardkit.verifiers.vocabulary.alternatives import YES_OR_NO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Sought
from rewardkit.verifiers.vocabulary.turns import SLIP

_PROVED = as_pattern(
    r"(?<!\s)\s*+\$?\s*+(?:\\(?:blacksquare|square|qed|Box)\b|[∎■□]|(?<=[.\s])Q\.?E\.?D\.?)\s*\$?\s*\Z"
)
_SURE = Sought(
    r"(?<=[.!\n])\s*I(?:['’]m|\sam)\s(?:[a-z]+\s)?(?:100|9\d(?:\.\d+)?)\s?%\s(?:sure|certain|confident)"
    r"(?:\s(?:of|about|in)\s(?:this|that|it|my|the)(?:\s[a-z]+)?)?[.!]*\s*\Z"
)
"""What says of an answer that it is certain, behind it."""
_ENDS_PROOF = ("square", "qed", "QED", "E.D.", "Box", "∎", "■", "□")
_COMPARED = Sought(
    r"(?<=[\w€$£%]),\s(?:which|that)\s(?:is|are|was|makes?\sit|means)\s(?:[$€£]\s?)?\d[\d.,]*\s"
    r"(?:[\w€$£%]+\s){0,2}(?:less|more|fewer|cheaper|higher|lower|longer|shorter)(?:\sthan\s[^\d]*)?\W*\Z"
    r"|(?<=[\w)}$]),\swhich\s(?:can(?:not|['’]t)|is\snot|isn['’]t)\s(?:be\s)?(?:further\s)?(?:simplif|reduc|factor|shorten)[^.,;\d]*[.!]?\Z"
)
"""How a value compares or is written: `64 €, which is 16 € less`, `which can't be reduced`."""
_CONCEDED = Sought(
    r"(?<=\b[A-J])[*)]*,?\s(?:(?:even\s|al)?though|even\sif)\s(?:I\s(?:must\s|have\sto\s)?(?:admit|confess|grant|concede)\s(?:that\s)?)?"
    r"(?:(?:option|choice)\s)?\(?(?-i:[A-J])\)?\s(?:looked|seemed|was|appeared|sounded|came)\s(?:(?!as\b)[a-z]+\s){0,2}?(?:good|right|correct|plausible|tempting|close|attractive|possible|promising|near)\b"
    r"(?![^.!?\n]*\b(?:too|also|equally|as\swell|still|better|so)\b)[^.!?\n\d]*[.!]?\s*\Z"
)
"""What is granted behind an option: `E, though I admit that C looked good for some time`."""
_SAID_BY_ANOTHER = Sought(
    r"(?:\A|(?<=[.!?\n]\s)|(?<=\n))(?:My|The|A|An|One|Our|Some)\s[^.!?,\n\d]{1,60}"
    r"\b(?:says?|said|has|gets?|got|claims?|gives?|gave|thinks?|answers?|answered)\s\S{0,3}\d[\d.,]*,\s(?:but\s"
    r"|(?:which\s(?:must|has\sto|can\sonly)\sbe|which\sis|obviously|clearly|surely|no\sdoubt)\s(?:[a-z]+ly\s)?an?\s(?:misprint|typo|printing\serror)[:;]\s(?=[^.!?\n]*=)(?=[^.!?\n]*\d[.!]?\Z))"
    r"(?=[^.!?\n]*=|(?:I|we)\s(?:get|got|find|found|obtain|have|make\sit)\s(?:\w+\s)?\S{0,3}\d[^.!?\n]*[.!]?\Z)"
)
_AGREES = as_pattern(
    r"(?:\A|(?<=[.!?\n]\s)|(?<=\n))[A-Z][a-z]*\s(?<!I\s)(?<!We\s)[^.!?,\n\d]{0,60}"
    r"\b(?:says?|said|gets?|got|gives?|gave|has|answers?|answered)\s(?P<value>\S{0,3}\d[\d.,/]*(?<=\d)\S{0,2}?),\sand\s"
    r"(?=(?:(?:I|we)\s(?:also\s)?(?:get|got|find|found|obtain|have|make\sit)|my\s(?:own\s)?(?:computation|calculation|count|working|result|derivation)\s(?:also\s)?(?:gives|gave|yields|says|is))"
    r"\s(?P=value)(?:,?\s(?:as\swell|too|also))?[.!]?\s*\Z)"
)
"""What another says that the writer found as well: `The book says 9, and I get 9 too.`"""
_FUNCTION_MEANT = as_pattern(
    r",\s(?:where|in\swhich|here)\s\$?\\?(?:ln|log|lg|exp|arc[a-z]{3}|sin|cos|tan)(?:_\{?\w{1,3}\}?)?\$?\s(?:means|denotes|stands\sfor|refers\sto|is)\s(?:the|an?|its)\s[^?\n]*\Z"
    r"|,\s(?:where|with)\s(?:as\susual\s)?\$?\\?(?:e|i|pi|phi|varphi|π|φ)\$?\s(?:means|denotes|stands\sfor|is|being)\s(?:Euler['’]s|the\s(?:imaginary|golden|circle|base|usual|well-known))\s[^?\n]*\Z"
)
"""Which function a name means, behind a value: `where $\\ln$ means the natural logarithm`."""
_METHOD = Sought(
    r"(?<=[\w)}$%]),\s(?:by|using|via|from|with|through|applying|after)\s(?:(?:the|an?)\s)?(?:[\w'’-]+\s){0,3}"
    r"(?:rules?|theorem|lemma|identity|formula|law|substitution|substituting|parts|criterion|inequality|method)\b"
    r"(?![^.!?\n]*\b(?:so|thus|hence|therefore|gives?|yields?|gets?|obtains?|is|are|equals?|becomes|which|not|but|finds?)\b)"
    r"[^.!?\n]*[.!]?\s*\Z"
)
"""How a value was found, behind it: `, by the product rule with $u = x$ and $v = e^x$`."""
_ATTAINED = Sought(
    r"(?<=[\w)}$%]),\s(?:(?:and\s(?:it\s)?|which\s)(?:is\s|can\sbe\s)?)?"
    r"(?:attained|reached|achieved|assumed|realised|realized|as\s(?:shown|seen|witnessed))\s(?:(?:only|e\.g\.|for\s(?:example|instance)),?\s)?"
    r"(?:for|at|when|by|if|with|in)\b(?![^.!?\n]*\b(?:so|thus|hence|therefore|not|but|answer)\b)[^.!?\n]*[.!]?\s*\Z"
)
"""What a largest or least value belongs to: `, attained by $\\{1, 2\\}$`."""
_COURTESY = Sought(
    r"(?<=[.!?。)*\w])\s+(?:(?:(?:please )?let me know|(?:please )?feel free|would you like"
    r"|if (?:you (?:have|need|want)|(?:any|some)thing\b)"
    r"|please don['’]t hesitate"
    r"|I(?! also\b[^\n]*\d)(?: can|['’]d be happy to)? (?:hope|also|explain|show"
    r"|walk))\b[^\n$=]*\Z"
    r"|(?:is there anything|what do you think|does (?:that|this) make sense|(?:stop|correct) me if"
    r"|(?:does|did|has|have) (?:that|this|it|I) (?:answer|help|clear)\w*|do you see (?:why|how)"
    r"|(?:is|was) (?:that|this|it) (?:the (?:answer|one) |what )?(?:that )?you (?:were |are )?"
    r"(?:look|want|need|mean|ask|search)\w*|(?:all )?clear now"
    r"|(?:beantwortet|hilft) (?:das|dir|ihnen)|(?:est-ce que )?(?:cela|ça) (?:répond|[tv]\S* ?aide)"
    r"|¿(?:responde|(?:[tl]e )?ayuda)|ho risposto|questo (?:risponde|aiuta)|isso (?:responde|ajuda)"
    r"|do you (?:have|need|want)|good luck|you['’]re welcome|thanks? (?:you )?for"
    r"|any (?:other|more|further) questions|need anything|anything else|shall I"
    r"|(?:do you )?want me to"
    r"|(?:(?:I['’]m|I am|always) )*(?:happy|glad|here) to (?:help|assist|explain)|just ask|ask away"
    r"|(?:always )?remember|keep in mind|don['’]t forget to"
    r"|(?:great|good|nice) (?:job|work|question)|well done)\b[^\n\d]*\Z)"
)
"""What a chat ends with, which says nothing of the answer."""
_NICE = (
    r"(?:nice|cool|neat|good|great|easy|simple|quick|lovely|beautiful|elegant|funn?y?|clever"
    r"|amazing|wonderful|lucky|sad|strange)"
)
_TO_READER = as_pattern(
    r"\s*(?:[*_(]{0,2})(?:(?:Is|Are|Was|Were|Does|Do)n['’]t\s[^.!?\n\d]*\?|[A-Z][^.!?\n\d]*,\s(?:is|are|was|were|does|do)n['’]t\s(?:it|that|they)\?"
    rf"|(?:How\s{_NICE}|What\san?\s[a-z]+)\b[^.!?\n\d]*[?!]|(?:(?:(?:Very|Really)\s)?(?i:{_NICE})|Not\s(?:so\s|too\s)?(?:bad|hard)|Congrat\w+|Bravo|Hooray|Enjoy)\b[^.!?\n\d]*[.!]"
    r"|I\s(?:really\s|just\s)?(?:love|like|enjoy|adore)\s[^.!?\n\d]*[.!]"
    r"|(?:You\s(?:can|could|may|might|will)|Always|Never)\s[^.!?\n\d]*[.!]"
    r"|[A-Z][^.!?\n\d]*,\s(?:of\scourse|after\sall|by\sthe\sway|as\salways|as\susual|incidentally)[.!]?"
    r"|(?:By\sthe\sway|Incidentally|In\s(?:practice|reality|real\slife)),?\s[^.!?\n\d]*[.!])[\s)*_:;]*\Z"
)
"""A last sentence to the reader or of things in general: `Isn't that neat?`, `..., after all.`"""
_SAYS_MORE = as_pattern(
    r"\b(?:but(?!\s(?:the\s\w+|we)\s[^.!?]*\b(?:neglect|ignore|disregard)\b)|however|if|wrong|right|correct|answer|sure|guess\w*|number|value|made|know|tell|check\w*|alternative\w*|instead|too|less|more|fewer|also|mind|round|double|add|lie|joke"
    rf"|not|{alternatives(NUMBER_WORDS)})\b|n['’]t\s(?!(?:it|that|they)\?)",
    re.I,
)
_BEGUN = Sought(
    r"(?<=[.!?])\s+(?:"
    r"(?:this|that|it|which|the (?:result|answer|value)) can (?:also |easily |now )?be"
    r" (?:seen|verified|checked|confirmed|shown|derived)"
    r"|(?:we|you|one) (?:can|could|may) (?:also |easily )?(?:check|verify|confirm)"
    r"|to (?:put (?:this|that|it) in(?:to)? perspective|see why|illustrate)"
    r"|to (?:(?:double-?)?check|verify|confirm)|as an? (?:[a-z]+ )?check"
    r"|(?:just )?for (?:comparison|reference|context)|by the way|incidentally)\b"
    r"(?![^.!?\n]*\b(?:need|must|but|wait|not|however|instead|mistake|wrong|so)\b)"
    r"[^.!?\n=$\d]*(?<=[a-z,])\Z"
)
"""A remark on the answer before it that is cut off."""
_REMARK = as_pattern(
    r"\n\n[\s(*_#>-]{0,9}+(?:verification|verifying|sanity check"
    r"|(?:(?:double|cross)[- ])?check(?:ing)?"
    r"|note(?!\sthat\b[\s\S]*\n\n[^\n]*\b(?:find|get|obtain|conclude|equals)\b)"
    r"|n\.\s?b|remark|p\.\s?s|proof|explanation"
    r"|(?:as an?(?: \w+)?|quick) check|to (?:double[- ])?(?:check|verify)|comment|observation"
    r"|fun fact|tips?|key (?:takeaway|point|idea|fact)s?|takeaways?)\b",
    re.I,
)
_REMARK_IN_BRACKETS = as_pattern(
    rf"\s\((?:{WRONG_ANSWER}\b|as a check|check|verification|note|n\.\s?b\."
    r"|(?:[^(),\d]{1,40},\s)?(?:in|by) contrast\b(?=[^()]*\b(?:the answer|it|that|this)\s"
    r"(?:is|would be) )"
    r"|the other\b[^()]*\b(?:extraneous|rejected|discarded|invalid|negative)"
    r"|(?:and|but|while) (?:the|its)\b[^()]*\bwould be\b"
    r"|(?:for (?:instance|example)|e\.g\.),? (?=[^()]*=)"
    r"|(?:which is |it is )?(?:attained|reached|achieved|taken|assumed|reali[sz]ed|obtained) "
    r"(?:only |e\.g\. )?(?:for|at|when|by|if|with|in)\b"
    r"|(?:we (?:reject|discard)|rejecting|discarding)\b)[^()]*\)[.\s]*\Z",
    re.I,
)
_IN_BRACKETS = as_pattern(
    r"(?<=[.!\n])\s\((?=[A-Z\d][^()]*[a-z][^()]*\.\)|[A-Z][^()]*\d)(?=[^()]*\d)(?![^()]*\b(?:or|maybe|perhaps|if|not|might|could)\b)[^()?]{10,200}\)[.\s]*\Z"
    r"|(?<=[.!])\s\((?=[A-Z])(?![^()]*(?:\b(?:or|if|not|no|wrong|guess|sure|answer|continued|yet|later|assum\w+|mistaken?)\b"
    r"|n['’]t))[^()\d?]{10,200}\)[.\s]*\Z"
)
"""A whole sentence in brackets behind the one that answers."""
_UNREAL_IN_BRACKETS = as_pattern(
    r"(?<=[.!])\s\((?=[A-Z\d])(?=[^()]*(?:\bwould\b|['’]d\b|\bfails?\b|\bviolates?\b))"
    r"(?![^()]*\b(?:answer|but\sth(?:at|is)|wrong|maybe|perhaps|correct|actually|sorry|then|or|not\ssure|my|I)\b)[^()?]{10,200}\)[.\s]*\Z"
)
"""The same of what would be, or of what fails: `(In a leap year it would be a Tuesday.)`"""
_SUPPOSED = as_pattern(r"\?|\b(?:suppose|assum\w+|if|say|maybe|perhaps|or|were|had)\b", re.I)
_CHECKED = Sought(
    r"(?<=\d)\$?,\s(?:and|which)\s(?:\$?\d+\$?\s)?is\sindeed\s[a-z\s]{3,60}[.!]?\s*\Z"
    r"|(?<=\d)\$?,\s(?:and|as|since)\s(?:indeed\s|(?:(?:a\s(?:quick\s)?|the\s)?check(?:s|ing)?|substitut(?:ing|ion)|plugging"
    r"|verif(?:ying|ication)|testing)\s(?!fails)[a-z\s,:]{2,80}:?\s)\$?[\d\s+*/×·.()-]{3,40}=\s?[-\d.]+\$?[.!]?\s*\Z"
)
"""What shows an answer to be right: `, and indeed 15 + 17 + 19 = 51`."""
_DIVIDED = Sought(
    r"(?<=\d)(\$?)\s(?:(?:when|if|on|upon|after)\s[^\n]*?\b(?:divided|division)\sby\s"
    r"|modulo\s)\$?[\d^{}]+\$?(?=[.!]?\s*\Z)"
)
"""By what a number was divided that leaves a remainder, behind it."""
_VERDICT = as_pattern(rf"[\s*_]*(?:{YES_OR_NO})\b[*_]*[.,!:;]", re.I)
_FACE = as_pattern(r"\s[:;]-?[)D]+[.!]?\s*\Z")
_NEAR_END = 150
_MAX_REMARK = 400
_TAKES_BACK = as_pattern(
    rf"\b(?:answer|{SLIP}|instead|mistaken?|should\s(?:be|have)|not\ssure|error|hence|therefore"
    r"|the\s(?:correct|right|true|actual)\s[a-z]+\s(?:is|must|should|has|equals))\b"
    r"|\n\W*(?:so|thus)\b[^\n]*\d",
    re.I,
)
"""What a remark says that is more than a remark, a conclusion on a line of its own as well."""
_PICTURE = as_pattern("[\u2700-\u27bf\U0001f000-\U0001faff\ufe0f\\s]")
_PICTURES = as_pattern(rf"(?<=\w)[.!]?\s*{_PICTURE.pattern}+\Z")
"""Ticks and faces behind an answer."""


def without_words_behind(tail: str) -> str:
    """Return the end of a response up to where it has answered.

    >>> without_words_behind("So x = 7. Let me know if you have questions!")
    'So x = 7.'
    """
    if tail.rstrip("$ \n").endswith(_ENDS_PROOF):
        tail = _PROVED.sub("", tail)
    tail = without_form(tail)  # which begins like a courtesy
    last = tail.rfind("\n") - 1  # a courtesy is the last line, or ends it
    if courtesy := _COURTESY.search(tail, max(0, last)):
        tail = tail[: courtesy.start()]
    if begun := _BEGUN.search(tail, max(0, len(tail) - _MAX_REMARK)):
        tail = tail[: begun.start()]
    start = last_start(tail)
    if (
        start
        and _TO_READER.match(tail, start)
        and VALUE.search(tail, max(0, start - _NEAR_END), start)
    ):
        tail = tail if _SAYS_MORE.search(tail, tail.find(" ", start + 1)) else tail[:start].rstrip()
    tail = _without_remark(_SURE.sub("", tail) if "%" in tail[-60:] else tail)
    near = tail[-_NEAR_END:]
    end = _CHECKED.sub("", _SAID_BY_ANOTHER.sub("", _COMPARED.sub("", without_restatement(near))))
    end = _CONCEDED.sub("", end)
    if ", and " in end and (agrees := _AGREES.search(end)):
        end = f"{end[: agrees.start()]}It is {agrees['value']}."
    if ", where " in end and (meant := _FUNCTION_MEANT.search(end)):
        end = f"{end[: meant.start()]}."
    end = _ATTAINED.sub(".", _METHOD.sub(".", end))
    if "remainder" in end or "congruent" in end:
        end = _DIVIDED.sub(r"\1", end)
    tail = tail[:-_NEAR_END] + end
    tail = without_remarks(tail)  # a tick ends a check
    pictured = not tail.isascii() and _PICTURE.match(tail[-1:])
    if pictured and not tail.rstrip()[-1:].isalnum():
        tail = _PICTURES.sub("", tail)
    return _FACE.sub("", tail) if tail[-1:] in (")", "D") else tail


def _without_remark(tail: str) -> str:
    """Return a text up to a remark behind its answer, `Note: ...`, that takes nothing back."""
    near = max(0, len(tail) - _MAX_REMARK)
    remark = _REMARK.search(tail)
    if remark is None and tail.endswith((")", ").")):
        at = tail.rfind("(") - 1  # nothing in them is in brackets again
        if at >= near:
            if _UNREAL_IN_BRACKETS.match(tail, at):
                return tail if _SUPPOSED.search(tail, last_start(tail[:at]), at) else tail[:at]
            remark = _REMARK_IN_BRACKETS.match(tail, at) or _IN_BRACKETS.match(tail, at)
    if remark is None:
        aside = aside_from(tail)
        others = aside if aside >= 0 else others_from(tail)
        return tail[:others] if others >= 0 else without_asides(tail)
    start = -1 if _TAKES_BACK.search(tail, remark.end()) else remark.start()
    said = start >= 0 and (VALUE.search(tail, max(0, start - 200), start) or _VERDICT.match(tail))
    return tail[:start] if said else tail
