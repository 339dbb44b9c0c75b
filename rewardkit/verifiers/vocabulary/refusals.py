r"""How a writer says that it has no answer, in English: tables of phrases, read by `phrase_table`.

A refusal is a negated ability before a verb of solving and what is to be solved (`cannot` ...
`determine` ... `the value`), or a phrase that gives up alone (`no idea`). A person of the task who
cannot do something refuses nothing, so that it names its subject: the writer, or nobody.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.patterns import alternatives, phrase_table
from rewardkit.verifiers.vocabulary.phrases import ANSWER_LABELS, CONCLUSIONS_ELSEWHERE, STATING


def _one_of(table: str, **parts: str) -> str:
    return f"(?:{phrase_table(table, **parts)})"


_WRITER = _one_of(r"""
    # No subject, at the beginning of a clause.
    (?:\A|[.!?;:,(\n>\"] ?|[-–—] |\b(?:and|but|so|because|though|regret that) )
    \b(?:I|we|one|you|nobody|no one)(?:'(?:m|ve|d|ll|re))? ?
        (?:(?:am|are|was|were|have|has|had|been|be|must|still|just|really|also|simply|currently
        |sadly|honestly|unfortunately|therefore) ){0,3}
""")
_CANNOT = _one_of(r"""
    (?:cannot|can't|can not|could not|couldn't|won't|will not|would not)
    did not
    didn't
    have not
    haven't
""")
_UNABLE = _one_of(r"""
    (?:not (?:been )?|haven't been |hasn't been |wasn't |un)able to
    (?:incapable|not capable) of
    (?:do|did)(?: not|n't) (?:manage to|succeed in|know (?:how|enough) to|(?:see|understand) how to)
    (?:fail(?:ed)?|(?:refuse|decline)d?|(?:never|not) managed?) to
    haven't managed to
""")
_VERBS = _one_of(r"""
    solv(?:ed?|ing)
    get(?! (?:more|to [^t]|any))
    reach(?:ed)?
    arrive|draw|conclude|continue|proceed|handle|use
    answer(?:ing)?
    determin(?:e|ing)
    f(?:ind|ound|inding)
    comput(?:e|ing)
    calculat(?:e|ing)
    work|figure
    finish(?:ed)?
    complet(?:e|ed|ing)
    help|assist|respond|reply
    do(?= (?:that|this|it)\b)
    commit|tell|say|state|name|report|fill|derive|evaluate|provide|give|produce|offer|come up
    # What was given cannot be read.
    see|view|open|access|read|process|interpret|understand
""")
_SOLVE = phrase_table(
    r"""
    (?:even |actually |possibly |currently |yet |really )?{VERBS}\b(?: (?:with|to))?
        (?: (?:and|or) [a-z]+)?
    """,
    VERBS=_VERBS,
)
_NOUNS = _one_of(r"""
    answers?|solutions?|problem|question|exercise|task|result
    calculations?|computation|response|output|equations?|system|requests?|proof
    (?:right|final|exact) (?:value|number)
    image|picture|figure|diagram|photo|graph|file|table|attachment
    conclusions?|end|probability|(?:that (?:is|was) )?asked|one (?:that|you)
""")
_UNTRIED = phrase_table(
    r"""
    (?:done|do(?= (?:{OURS}))|work(?:ed)? (?:on|out|through)|look(?:ed)? at|attempt(?:ed)?
        |start(?:ed)?(?: (?:on|with))?|tr(?:y|ied)|touch(?:ed)?|consider(?:ed)?|stud(?:y|ied)
        |treat(?:ed)?|tackled?|deal(?:t)? with)
    """,
    OURS=r"yours|your|this|the\s(?:problem|question|task|exercise)",
)
_OURS = _one_of(r"""
    yours(?! truly)
    (?:your|this|the (?:actual|posed|given|real|present|set)) (?:own )?
        (?:problem|question|task|exercise)\b
    the (?:problem|question|task|exercise)\b(?= ?(?:[.,;:!?)\n]|\Z|here|yet|at all|itself))
    this one\b
    the (?:calculations?|computations?|work|maths?)\b(?=,? ?(?:[.;!?)]|\Z|(?:though|yet|at all)\b))
""")
"""The task that was set, and the work on it."""
_ENDS = _one_of(
    r"""
    # Nothing more is said, or a number.
    [.,;:!?()\n\d—–-]
    \Z
    \b(?:it|that|this|these|you|your|any|an?|the|my|our|its)(?: (?:is|one|out|up)\b| ?[.,;:!?()\n]
        | ?\Z| (?:[^\W\d_]+ ){0,2}?{NOUNS}\b
        | (?:in|within|after|with|from|because|for|without|here|due|by|at|yet|now|today)\b)
    (?:in|within|after|from|because|without|due|here|how|what|where|why|which|whether)\b
    (?:answers?|solutions?|problem|question|exercise|tasks?)\b
    """,
    NOUNS=_NOUNS,
)
_TASK = phrase_table(r"(?: (?:for you|out))? ?{ENDS}", ENDS=_ENDS)
"""What was to be solved: a thing of the task that a person in it might solve is none of these."""

UNABLE = phrase_table(
    r"""
    {WRITER}{CANNOT} {SOLVE}{TASK}
    {WRITER}{UNABLE} {SOLVE}{TASK}
    \bno way (?:(?:I|we) can|for (?:me|us) to) {SOLVE}{TASK}
    \b(?:impossible|isn't possible|not possible) for (?:me|us) to {SOLVE}{TASK}
    # It does not know.
    \bI (?:do not|don't|did not|didn't|cannot|can't) (?:really |even )?
        (?:know|understand|follow|remember|recall|get) ?
        (?:[.,;:!?\n]|\Z|(?:the|this|that|what|which|it|how|where|whether|enough)\b)
    \bwe (?:do not|don't) know (?:the answer|how to (?:solve|answer))\b
    \bnobody (?:can )?(?:knows?|tells?)\b
    (?:\A|\n)\W{0,4}(?:no|without an?) (?:answer|reply|response)
        (?: (?:given|here|from me|today|yet))?[.!](?!\w)
    # It has not tried.
    {WRITER}(?:did not|didn't|have not|haven't|never) (?:even |really |actually |yet |ever )?
        (?:{UNTRIED}) {OURS}
    \byours I (?:have not|haven't|did not|didn't) (?:{UNTRIED})\b
    \b(?:done|did) nothing (?:on|about|with|for) (?:{OURS}|mine\b)
    # It declines, or gives up.
    \bI (?:(?:must|have to|will|would) )?(?:decline|refuse|skip|abstain)
        (?: (?:this|that|it|to|question)\b|\W*\Z|[.,;])
    \bI(?:'ll| will| have to| must)? pass on\b
    \bI(?:'ll| will| have to| must| have)? (?:give|gave|given) up\b
    (?:\A|[.!,] )giving up\b
    \bI(?:'m| am| was| got| get) (?:completely |totally |now )?(?:stuck|at a loss|lost)\b
    \bI (?:[a-z]+ ){0,2}leave (?:it|this|that|(?:the )?question|(?:the )?problem) (?:\d+ )?
        (?:unanswered|unsolved|blank|open)\b
    \b(?:beyond|too (?:hard|difficult|complex|complicated|long|much|many|big|tedious|advanced) for)
        \s(?:me\b|my\b)
    \bas an (?:AI|artificial)\b
    \bas a (?:large )?language model\b
    \b(?:do|does|did)(?: not|n't) have access\b
    \b(?:sorry|apolog(?:y|ies|i[sz]e)|regret|afraid)\b[^.;\n\d]{0,40}
        \b(?:can(?:no|')t|cannot|unable|could not|beyond|missing|no (?:answer|idea)
        |(?<!has )(?<!have )(?<!is )(?<!are )no solution)\b
    # There is no answer, or no sense in the question.
    \b(?<!equation is )(?<!equations is )(?<!system is )(?<!inequality is )(?<!congruence is )
        (?:un(?:solvable|answerable)|(?:not|isn't|aren't) (?:solvable|answerable|determinable))\b
    (?:\A|[,.:] |\bso )no (?:answer|solution|output)s?(?: (?:was|were|c(?:an|ould) be|has been))?
        \s(?:found|available|reached|given|obtained)\b
    (?:\bno|(?:\bnot|n't(?: have)?) (?:an?|the [a-z]+)
        |(?:\A\W*|\b(?:have|got) (?:[a-z]+ly )?)(?:0|zero)) (?:idea|clue)\b
        (?! (?:[a-z]+ ){0,4}?(?:needed|required|necessary)\b)
    \bI (?:have(?: found)?|had|got|get|can offer) (?:none\b(?! left)
        |nothing(?! (?:more|else|further|to|but|left))
        |no (?:answer|solution|result|reply)s?)\b(?! key\b)
    \bI (?:do not|don't) have (?:an|any|the) (?:answer|solution|result)\b(?! key\b)
    \b(?:question|problem|task|statement|text)\s(?:(?:is|was|seems|looks
        |appears) (?:to be )?(?:\w+ly )?(?:(?:un|not )clear|ill-(?:posed|defined)
        |(?:self-)?contradictory|(?:badly|poorly|not (?:well|properly)|wrongly
        |incorrectly)\s(?:posed|worded|stated|written|defined)|flawed|broken|nonsense|nonsensical
        |underdetermined)|makes no sense|(?:does not|doesn't) make (?:any )?sense)\b
    \bnot clear to me\b
    \b(?:the|this|your) (?:\w+ )?(?:question|problem|task|exercise)\b[^.,;\d]{0,30}
        \s(?:is|remains) (?:left )?un(?:answer|solv)ed\b
    \bI(?:'ll| will)? leave (?:it|this|that|the (?:answer|question|problem|solution|task))
        \sto (?:you\b|(?:the|my) reader)(?! to\b)
    # It stops, or lacks what it takes.
    \bI(?:'ll| will| must| have to| shall| would| am going to)? (?:now |
        rather )?stop(?: (?:right )?here\b| at this point\b| now\b|\W*\Z)
    \bI(?:'m| am) stopping (?:right )?here\b
    \btoo (?:many|much|long|tedious|hard|difficult|complicated|laborious) to\s(?:do|check|list|try
        |go through|write|compute|calculate|work|count|carry|finish|sum|add)(?: (?:it|them|all|out
        |through|up|down|that|this|each|every))*(?: (?:here|now|by hand|case|one))*\W*\Z
    \btakes? too long\b
    \b(?:my|our) (?:knowledge|abilit(?:y|ies)|skills?|capabilit(?:y|ies))\b
    \bI(?:'d| would)? (?:prefer|rather) not\b
    \bI lack\b
    \b(?:requires?|needs?) a computer\b
    \b(?:I|we|one|this|it|that)(?:'d| would|'ll| will)? (?:need|require)s? (?:to use )?
        (?:a|my|some) (?:pocket |scientific )?(?:calculator|table)\b(?![^.]*\d)
    \bI(?:'d| would| will)? (?:need|have) to look (?:this|it|that) up\b
    \bI(?:'m| am) (?:not (?:\w+ )?good|bad) (?:at|with)\b
    \bwould take (?:me )?(?:hours|days|ages|forever|too long)\b
    \bout of time\b
    \b(?:I|we) never (?:got|came|made it|arrived|reached|get|found|saw)(?: to| at)?
        \s(?:the |an? |any )(?:very )?{LAST}\b
    \bbefore (?:I|we) (?:had |could )?(?:reach(?:ed)?|g[oe]t to|c[ao]me to|finish(?:ed)?)
        \s(?:the |an? |any ){LAST}\b
    \bmy (?:[a-z]+ )?(?:budget|time|context|patience|space) is (?:up|over|used up|exhausted
        |spent|gone)\b
    \b(?:answer|result|solution)(?: is\b| ?:) *
        (?:\W{0,3})(?:unknown|not (?:available|known)|unavailable|unclear|n/a)\b
    \bno conclusions?\b
    \bI (?:do not|don't) see (?:how|a way)\b
    (?:\bnot|n't) enough to (?:go on|tell|say|answer|decide|solve)\b
    # This is all that it can say.
    \b(?:all|the only thing) (?:that )?(?:I|we) (?:can )?(?:say|see|know|tell) is\b
    \b(?:I|we) (?:can )?only (?:say|know|see)\b
    # A program failed.
    \A\W*(?:error|exception|time(?:d | )?out|failure|aborted)\b(?! ?[:=]? ?\d)
    \btime is up\b(?! for\b)
    \b(?:calculation|computation|solver|derivation) (?:was |has )?
        (?:failed|aborted|stopped|timed out|interrupted|cancelled)\b
    """,
    WRITER=_WRITER,
    CANNOT=_CANNOT,
    UNABLE=_UNABLE,
    SOLVE=_SOLVE,
    TASK=_TASK,
    UNTRIED=_UNTRIED,
    OURS=_OURS,
    LAST="(?:end|answer|result|conclusion|finish|solution)",
)
"""That the writer itself cannot or will not."""

UNDETERMINED = phrase_table(
    r"""
    (?<!not )(?<!n\'t )\b(?:impossible|not possible|isn't possible|no way|infeasible) (?:to|of)
        \s{SOLVE}(?:{TASK}| from\b)
    \bno way (?:to know|of knowing|to be sure)\b
    \bno (?:single|unique|definite|one|sure) (?:number|answer|value|result) can be
        \s(?:given|named|stated|told|determined|found)\b
    (?<!not )\b(?:hard|difficult) (?:for (?:me|us) )?to (?:say|tell|know|determine)\b(?! apart)
    \b(?:cannot|can't|can not|could not|couldn't) be (?:\w+ly )?
        (?:determined|known|told|said|calculated|computed|deduced|worked out|figured out)\b
    \b(?:answer|solution|result|value|number) (?:is|was|remains) (?:then |thus )?(?:un(?:der)?|
        not (?:yet |uniquely |fully )?)
        (?:determined|fixed|specified)(?: (?:by|from|with|in)\b|[.;,:!]|\W*\Z)
    # Something is missing.
    \b(?:not enough|insufficient|not sufficient|too little) (?:\w{2,9} )?{FACTS}\b
    \b(?:lacks?|lacking|need|require|want|provide|give|send) (?:us |me |you )?(?:some )?
        (?:the |more |further |additional |missing |necessary |needed ){1,2}{FACTS}\b
    \b(?:more|further|additional) {FACTS} (?:is|are|would be) (?:needed|required|necessary)\b
    \b{FACTS} (?:is|are|was|were)
        \s(?:insufficient|missing|lacking|not (?:given|provided|enough|sufficient|available))\b
    \bplease (?:provide|send|share|upload|attach|show|give) (?:me |us )?(?:the|a|an|your|more)\s
    \b(?:image|picture|figure|diagram|graph|table|photo)\b[^.,;\n]{0,40}
        \s(?:is|are|was|seems to be)
        \s(?:missing|not (?:shown|given|visible|included|attached|available|provided))\b
    """,
    SOLVE=_SOLVE,
    TASK=_TASK,
    FACTS=r"(?:information|data|details?|context|input|facts?)",
)
"""That nobody could tell, or that something is missing without which nobody could."""

CONCLUDES = phrase_table(
    r"""
    \b(?:so(?! far)|thus|hence|therefore|thereby|consequently|(?<!only )gives?|giving|gave
        |gets?|got|getting|yields?|obtain(?:s|ed|ing)?|makes?|making|leaves?|leaving|equals?
        |conclude|comes? to|turns? out|must be|has to be|(?:find|see|found|reali[sz]e) that)\b
    \b(?:answer|result|value|total|sum|product|difference|solution|probability|maximum|minimum)
        \s(?:is|=|:|must be)
    \b(?:determines|fixes|pins down|settles) (?:the|its|it)\b[^.,:]{0,30}:
    (?:\bbut|[;,] yet) since\b
    (?:\bbut|[;,] yet) [^.\d]*\b(?:is|are|equals) [^.\d]{0,12}\d
    # Another way.
    [.;,:] (?:but |however,? |instead,? )?(?:using|applying|substituting|counting)\b
    \b(?:with|from|using) (?:the )?(?:second|other|both|latter|last|third)\b
    \btogether\s
    # An equation.
    [.;,:][^.;]*\b[a-zA-Z]\w?\s*=\s*\S*\d
    [.;,:]\D*\d[^.;]{1,40}=\s*\S*\d
    # The same elsewhere.
    \b{ELSEWHERE}\b
    \bas[ií] que\b
    {LABEL}[^.\n。]{0,20}?(?:[:：]| ?{STATING}(?![a-zà-ÿ]))
    所以|因此|因而|故|于是|得到|等于|一共|共有|总共|即
    だから|よって|したがって|ゆえに
    значит
    따라서|그래서|그러므로
    """,
    ELSEWHERE=alternatives(CONCLUSIONS_ELSEWHERE - {"así"}),
    LABEL=alternatives(ANSWER_LABELS),
    STATING=alternatives(STATING),
)
"""What a refusal goes on with where another way leads to an answer."""
