r"""How a writer turns from an answer that it has just given: words, and tables of phrases.

`SLIP` and `TURN` are single words, `MISTAKES` what a writer says to have done; `OWNS` says that the
answer is given up, or owns to what is wrong with it; `TURNS` may as well open a check of it.
"""

from rewardkit.verifiers.vocabulary.patterns import phrase_table

SLIP = (
    r"(?:sorry|whoops|oops|wait|hold\son|hmm+|actually|correction|erratum|errata|edit"
    r"|scratch\sthat)"
)
"""What a writer says who puts something else in the place of what was said."""
TURN = rf"(?:{SLIP}|no|but|however|yet|alas|sadly|unfortunately|on\sreflection)"
"""What a sentence begins with that may speak against the one before."""
_REDOING = r"(?:re-?(?:do|count|comput|calculat|check|read|examin|consider|think|work)\w*)"
MISTAKES = phrase_table(
    r"""
    mis(?:read|counted|calculated|judged|understood|took|placed|wrote|typed|quoted)
    (?:mixed up|swapped|overlooked|overcounted|undercounted|double[- ]?counted)
    (?:forgot(?:ten)?|missed|left out)(?! to (?:say|mention|note|state|add)\b)
    (?:made|make|see|found|spotted|spot|find|notice[ds]?) (?:a|an|my|the) (?:\w+ )?(?:mistake|error
        |slip|typo)
    """
)
"""What a writer has done who owns to a mistake."""
_ERRS = phrase_table(
    r"""
    {MISTAKES}
    (?:mixed|transposed|confused|omitted|erred|slipped|stopped (?:\w+ )?too)
    (?:dropped|lost)(?! to (?:say|mention|note|state|add that)\b)
    (?:doubled|halved|skipped|ignored|inverted|reversed|switched|meant|flipped)
    (?:counted|added|took|read|used|subtracted|divided|multiplied|wrote|put|boxed|got|had|computed)
        \s[^.;\n]{0,40}\b(?:wrong(?:ly)?|twice|double|complement|opposite|by mistake|the wrong way
        |in error)
    (?:counted|added|included|subtracted)\s[^.;\n]{1,40}\btwice
    read (?:[^.;\n]{1,20} )?as
    (?:was|am) (?:\w+ )?(?:wrong|mistaken|hasty|too (?:quick|fast|hasty))
    should(?: not|n't)? have
    take (?:it|that|this) back
    (?:(?:now|must|have to|hereby|would|will) ){1,2}(?:amend|change|revise|correct|replace|withdraw
        |retract)
    (?:change|revise|correct|replace|withdraw|retract|amend)d? (?:it|that|this|my|the)
    now (?:say|think|believe|get|find|box|choose)
    (?:used|took|put|entered|read|had) \S+ (?:where|instead of|in place of|for|while)
    prefer
    """,
    MISTAKES=MISTAKES,
)
OWNS = phrase_table(
    r"""
    \b(?:I|we)(?:'ve|'d)? (?:(?:have|had|also|simply|just|only|clearly|must have|accidentally
        |mistakenly|wrongly|then) ){0,2}(?:{ERRS})\b
    \bI(?:'m| am) (?:now )?(?:changing|revising|correcting|replacing|withdrawing|going with
        |switching)\b
    \bI(?:'d| would)? (?:now|rather) (?:take|say|answer|choose|pick|go|box|give)\b
    \b(?:changing|switching|revising|correcting)(?: (?:it|this|that|my answer))? to\b
    \b(?:that|this|it) (?:was|is) (?:premature|hasty|careless|sloppy|silly|nonsense|rash|stupid
        |upside down|the wrong way round|backwards|per \w+)\b
    \b(?:what was I thinking|silly me|my fault|shame on me|never mind|nevermind|wrong by)\b
    \b(?:has|contains|with|was|is) (?:a|an) (?:\w+ )?(?:error|mistake|slip)\b
    \bthe above (?:\w+ )?is wrong\b
    \bboxed (?:\w+ )?is (?:the|only|not|just|wrong)\b
    \b(?:corrected|edited|amended|revised)(?:,| to|:| it| this)
    \A\W*(?:which )?(?:must|has to|have to|needs to|should|is to
        |ought to) (?:still |then |yet )?(?:be (?:read|doubled|halved|multiplied|divided|reduced
        |increased|corrected|changed|replaced|squared|added|lowered|raised|swapped|inverted)|read)\b
    \A\W*is (?:only |just |merely )(?:half|a part|part|one|the first|the)\b
    \b(?:sign|unit|digits|numerator|denominator) (?:error|mistake|slip|swap|mix-up)\b
    \b(?:that|this|it) (?:used|uses|takes|took|has|had|gives|is) (?:the )?wrong\b
    \b(?:that|this|it|which|but this|but that) (?:overlooks|ignores|forgets|omits|misses
        |neglects|lacks|disregards|leaves out|overcounts|undercounts|double[- ]counts
        |counts [^.;\n]{1,40}\btwice)\b
    \b(?:that|this|it|the (?:answer|box|value|number|minus sign|sign))(?:'s| is
        | was) (?:\w+ly |only |just |still|all ){0,2}(?:wrong|incorrect|false|off by
        |not (?:quite )?(?:right|correct|it)|half of|a slip|a typo|a mistake)\b
    \btoo (?:early|soon|fast|quickly|hastily|hasty)\b
    \bby mistake\b
    \b(?:my|a) (?:slip of the pen|bad\b|mistake\b(?! is)|error\b(?! is)|apologies)
    \b(?:I apologi[sz]e|forgive me|excuse me|pardon me)\b
    \b(?:sign|factor|term|digits?|zero) (?:was|is|got|were) (?:lost|dropped|missing|wrong
        |swapped|forgotten)\b
    \b(?<!\bas )(?:that|this|it) should (?:have been|be|read|say)\b
    \b(?:on|after) (?:second thoughts?|(?:further )?reflection|closer inspection|rethinking)\b
    \b(?:thinking (?:it over|again|about it again)|come to think of it|or rather|make (?:that
        |it)(?= \S)|I mean[t]?)\b
    \b(?:scratch|strike|forget|disregard|ignore) (?:that|this|it)\b
    \b(?:question|problem|task|exercise)(?:, however,)? (?:is about|asks|asked|wants|wanted
        |was about)\b
    , which (?:was|is) (?:what was )?(?:asked|wanted|sought|required)\b
    \b(?:my|the) final (?:choice|decision) is\b
    \A\W*(?:is|was) (?:\w+ly )?(?:wrong|incorrect|off by|an? (?:slip|typo|misprint|mistake)
        |too (?:large|small|high|low|many|few|big|much|little))\b
    \A\W*but (?:that|this|it)(?:'s| is| was) (?:only |just )?(?:the|half|for|without|before)\b
    \A\W*(?:but|and|when I) (?:I )?(?:mean[t]?|wanted)\b
    \bplease (?:read|take|use)\b
    (?:\A|[.!?…\n;:,(–—]|\s-) ?\W*(?:sorry(?! (?:for|about|if|that)\b)|oops|whoops|correction
        |erratum|my bad)\b
    """,
    ERRS=_ERRS,
)
"""What leaves no doubt that the answer before it is given up."""
TURNS = phrase_table(
    r"""
    (?:\A|[.!?…\n;:,(–—]|\s-) ?\W*(?:(?:but|and|oh) )?(?:wait|hold on|hang on|hm+|oh|ah|argh|ugh
        |no(?=\W)|nope|nah|um|uh-oh|ouch|rats|yikes|darn|damn|d'oh|gosh|blast|actually
        |in (?:fact|truth|reality|hindsight)|rather(?! than)|careful|edit|update|then again
        |better)\b
    \b(?:let me|when I|if I|on|after|upon|by|a|however,?) {REDOING}
    \b(?:count|look|read|check|think|comput|add|work|calculat|go
        |do)ing (?:[^.,;\n]{0,30} )?(?:again|once more|over|closer|properly|carefully)\b
    \b(?:I|having) (?:look|count|check|comput|work)ed (?:[^.,;\n]{0,30} )?again\b
    \b(?:(?:on|upon|after) (?:a |further )?review\b|on checking|at (?:a|the) second (?:look
        |glance)|(?:a|another) (?:closer|second|further|new|fresh) look|in hindsight)\b
    (?:\A|[.!\n)}] ?)(?=[^!]*!)\W*[A-Z]\w*(?: \w+){0,3}! (?=\S)
    \b(?:does not|doesn't|did not|didn't) (?:check|work|fit|add up)\b
    \b(?:test|check|plugg?|substitut|try)ing\b
    \b(?:after all|instead(?! of))\b
    """,
    REDOING=_REDOING,
)
"""What may as well open a check of the answer before it."""
