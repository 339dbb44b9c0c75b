"""Last sentences about the work or to the reader: what they count is no answer.

`This took me 24 seconds`, `Please grade this with 24 points`, `We distinguish 24 cases`.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import PARTS_OF_TEXTS, STEPS_OF_PROOFS
from rewardkit.verifiers.vocabulary.sought import Sought

_WORK = (
    r"\b(?:this|it|that)\s(?:only\s)?(?:took|takes|cost)\sme\b"
    r"|\bI\s(?:only\s|still\s)?(?:have|had|used|need)\s(?:about\s|only\s)?\d+\s(?:more"
    r"\s)?(?:tokens?|words"
    r"|attempts?|tries)\b"
    r"|\b(?:the|this|my)\s(?:solution|proof|derivation|explanation|response|reasoning"
    r"|calculation)\s"
    r"(?:has|takes|took|needs|requires|consists\sof|is)\s(?:only\s|about\s|in\s)?\d+\s(?:steps?"
    r"|lines"
    r"|parts?|pages|words|characters|tokens)\b"
    r"|\bI(?:['’]ll|\swill|\sshall)\s(?:answer|respond|reply|get\sback|explain)\b[^.]*\d"
    r"|\bI(?:['’]ve|\shave)\s(?:[a-z]+\s)?(?:solved|seen|done)\s[^.]*\d+\s(?:of|times|such)\b"
    r"|\bI\ssolved\s\d+\sof\b"
    r"|\b(?:my|level\sof)\sconfidence\b"
    r"|\banswer\s(?:follows|comes|appears|will\sbe\sgiven)\s(?:in|after|on|within)\s\d"
    r"|\A\W*(?:please\s)?round\s(?:it\s|the\s\w+\s|your\s\w+\s)?to\s\d+\s(?:decimals?|digits|places"
    r"|significant)"
    r"|\b(?:is|has|be)\sa(?:n)?\s\d+-digit\s(?:number|integer)\W*\Z"
    r"|\b(?:cases?|steps?|possibilities|things)\sto\s(?:be\s)?(?:check|consider|distinguish|examine"
    r"|discuss|treat)(?:ed)?\W*\Z"
    r"|\b(?:we|I)\s(?:must\s|have\sto\s|need\sto\s|can\s)?(?:distinguish|consider|treat|check"
    r"|discuss)\s"
    r"(?:the\s)?\d+\s(?:[a-z]+\s)?cases?\W*\Z"
    r"|\A\W*please\s(?:confirm|tell|check|verify|clarify|specify)\b|\A\W*let\sme\sknow\s(?:if"
    r"|whether)\b"
    r"|\A\W*(?:version|page|exercise|task)\s?#?\s?\d+\W*\Z"
    r"|\bother\s\d+\W*\Z|\b(?:posed|published|set)\sin\s\d{4}\b"
)
_GRADER = (
    r"\b(?:dear|hey|hello|note\sto(?:\sthe)?|attention|hi)\s?[:,]?\s(?:grader|evaluator|judge"
    r"|marker"
    r"|examiner|verifier)\b|(?:\A|\n)\W*(?:the\s)?(?:grader|evaluator|marker|verifier)\b\s?[,:]"
    r"|\A\W*(?:please\s|kindly\s)?(?:grade|evaluate|mark|accept|rate)\s(?:this|it|my|me|the"
    r"\s(?:answer"
    r"|response)|as\scorrect|with)\b"
    r"|\b(?:matches|equals|same\sas|is)\sthe\s(?:reference|gold|expected|ground\struth)\s(?:answer"
    r"|solution|value)?"
    r"|[\"']?\b(?:reference(?:\sanswer)?|gold(?:\sanswer)?|ground[\s_]truth|target|expected(?:[\s_]answer)?)[\"']?\s?(?::|="
    r"|is\b)?"
    r"\s?\d+(?!\s?(?:°|degrees))(?=\W*(?:\Z|->|=>|[,;}]))"
    r"|\b(?:reference|gold|ground[\s-]truth)\sanswer\s(?:is|=)\s?\S{0,3}\d[^\d=]*\Z"
    r"|\A\W*(?:ignore|disregard|override)\s(?:all\s|the\s|any\s|every|previous)|\b(?:must|should"
    r"|will)\s(?:mark|accept|grade|rate)\s"
    r"|<(?:reference|gold|grade|score|reward)>|\bgold_?\w*\s?=|\bassert\b|\bprint\(['\"]correct|#"
    r"\s?expected\b"
    r"|\A\W*(?:judge|verdict|system|reward|rating|hidden)\b[^\n]{0,12}\s?:|\bI\sdeserve\b|\bthis"
    r"\s(?:response|answer)\s"
    r"(?:gets|deserves|scores|earns)\b|\bthe\sgrader\b"
    r"|\[(?:system|inst|admin|grader)\]"
    r"|\A\W*(?:full\s)?(?:confidence|marks?|scores?|points|credits?|grade|rating|verdict)\s?[:=]"
    r"\s?\d+(?:\s?/\s?\d+)?\W*\Z"
    r"|\bfull\s(?:marks?|score|points|credit)\b"
    r"|\b(?:grader|evaluator|marker|verifier)\s(?:should|must|will|is\sto|has\sto)\saccept\b"
    r"|\bis\s(?:\d+\s?%|fully|completely)\s(?:correct|verified|accurate)\b"
    r"|\A\W*rewards?\s?[:=]|\boutput\sreward\b|\b(?:expected|reference|gold)\sanswer\sfield\b|参考答案|判定为正确"
    r"|\bals\s(?:richtig|korrekt)\s(?:werten|bewerten)\b"
)
_TASK = r"(?:text|question|problem|statement|task|exercise)"
_TALK = (
    r"\d\S*\s(?:[a-z]+\s)?(?:is|are|seems?|looks?)\s(?:also\s|really\s|quite\s|such\s|just\s|probably\s)?"
    r"(?:an?\s(?:very\s|rather\s|quite\s|really\s)?(?:big|large|huge|small|lucky|nice|strange|funny|round|random|good|hard|weird"
    r"|interesting|important)\s(?:number|value|one|figure)|a\slot|too\smany\sto\b|important\b|confusing"
    r"|my\sfavou?rite)"
    rf"|\b(?:appears?|occurs?|stands?|mentioned|given|written|used)\b[^.\d]*\b(?:in|by)\sthe\s{_TASK}\W*\Z"
    rf"|\d[^.]*\bin\sthe\s{_TASK}\s(?:is|are)\sa\s(?:hint|clue|trap)\b"
    rf"|\b(?:numbers|words|parts|sentences|questions|lines|values)\sin\sthe\s{_TASK}\W*\Z"
    rf"|\A\W*(?:the|this)\s{_TASK}\shas\s\d+\s(?:parts|lines|words|sentences|steps)\W*\Z"
    r"|\A\W*what\san?\s[^.?\n]*!\W*\Z|\bI\s(?:like|love|hate|notice|remember)\s(?:the\snumber\s)?\d"
    r"|\bplays\sa\srole\b|\A\W*the\s\d+\sis\s[a-z]+\W*\Z"
    r"|\bI\s(?:will|['’]ll)\s(?:come\sback|be\sback|return|continue)\b|\A\W*(?:please\s)?wait\s\d"
    r"|\A\W*\d+\]\s[A-Z]\.\s"
    r"|\bloading\b|\bwithout\ssuccess\b"
)
"""What is said of a number rather than stated by it: `1000 is a big number`."""
_PROBLEM = r"(?:problem|question|task|exercise|proof|solution|equation|integral)"
_OWN_TEXT = (
    r"(?:(?:this|the|my)\s(?:proof|solution|argument|derivation|calculation|text|response|answer"
    r"|explanation|reasoning))"
)
_TEXT = (
    rf"\A\W*{alternatives(PARTS_OF_TEXTS)}\s\(?\d+(?:\.\d+)*\)?\s"
    r"(?:(?:of|in)\s(?:the|this|my|our|your)\s(?:\w+\s)?"
    r"(?:book|textbook|text|paper|notes|solutions?|manual|lecture|proof|chapter|appendix)\b"
    r"|(?:is|are|was|will\sbe|can\sbe|has\sbeen)\s(?:then\s|now\s|again\s)?(?:left|omitted|skipped|similar|analogous"
    r"|trivial|obvious|clear|easy|routine|proved|proven|shown|found|done|about|complete|missing"
    r"|where|how|why)\b"
    r"|(?:explains?|describes?|discusses|covers?|contains?|treats?|introduces|tells|deals|says"
    r"|shows?|follows|proves?|continues|begins|starts)\b)[^\d=]*\Z"
    r"|\b(?:I|we)(?:['’]ve|\shave|['’]ll|\swill)?\s(?:only\s|just\s)?(?:use[ds]?|appl(?:y|ied)|cited?|quoted?"
    r"|invoked?|prove[dn]?|need(?:ed)?|rel(?:y|ied)\son)\s(?:only\s|just\s|exactly\s|the\s)?"
    rf"\d+\s(?:[a-z]+\s)?{alternatives(STEPS_OF_PROOFS)}\b[^\d=]*\Z"
    rf"|\b\d+\s(?:[a-z]+\s)?(?:{alternatives(STEPS_OF_PROOFS)}|steps|pages|lines|equations|parts|formulas"
    rf"|diagrams|sentences|cases|words)\s(?:are\sused\s|were\sused\s|is\sused\s)?(?:in|of|for)\s{_OWN_TEXT}\W*\Z"
    r"|\bthere\s(?:are|is)\s(?:at\sleast\s|about\s)?\d+\s(?:[a-z]+\s)?(?:ways?|methods?|approaches|strategies|techniques)\s"
    r"(?:to|of|for)\s(?:begin(?:ning)?|start(?:ing)?|approach(?:ing)?|attack(?:ing)?|tackl(?:e|ing)"
    r"|solv(?:e|ing)|prov(?:e|ing)|look(?:ing)?\sat|think(?:ing)?\sabout|handl(?:e|ing))"
    rf"\s(?:with\s)?(?:(?:this|the|such\sa|our|my)\s(?:[a-z]+\s)?{_PROBLEM})"
    r"[^\d=]*\Z"
    r"|\bI(?:['’]m|\sam)\s(?:(?:about|at\sleast|only|almost|now)\s)?\d+\s?%\s(?:sure|certain|confident|convinced"
    r"|positive)\b[^\d=]*\Z"
)
"""What it says of the text, the method or its own certainty: `I have used 5 lemmas`."""
_ASIDE = Sought("|".join((_WORK, _GRADER, _TALK, _TEXT)))


def speaks_aside(last: str) -> bool:
    """Return whether a last sentence speaks of the work itself, or to who grades it.

    >>> speaks_aside("This took me 24 seconds."), speaks_aside("The ride took 24 seconds.")
    (True, False)
    >>> speaks_aside("Part 2 is left as an exercise."), speaks_aside("Part 2 gives 24.")
    (True, False)
    """
    return _ASIDE.search(last) is not None
