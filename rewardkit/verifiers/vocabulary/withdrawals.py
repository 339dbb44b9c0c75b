r"""How a writer gives an answer up without another one: tables of phrases, read by `phrase_table`.

Who is spoken of decides: the answer itself (`this`, `that box`, `my result`), or the writer's own
trust in it. What is said of another value, or of how one gets there, gives nothing up.
"""

from rewardkit.verifiers.vocabulary.patterns import phrase_table

_ITSELF = (
    r"(?:that|this|it|(?:(?:my|the|this|that|what(?:ever)?)\s(?:(?:final|boxed|above|last"
    r"|previous|first|old|earlier|whole|entire)\s)?"
    r"(?:answer|result|value|number|box|solution|figure|line|choice|option|claim|(?:I"
    r"|we)\s(?:wrote|said|boxed|put))))"
)
_VOID = (
    r"(?:withdrawn|retracted|revoked|cancell?ed|ignored|disregarded|discarded|rejected"
    r"|struck(?:\sout)?|crossed\sout|deleted"
    r"|scrapped|void|obsolete|superseded|invented|(?:all\s)?made\sup|thrown\saway|thrown\sout"
    r"|taken\sback|not\sto\sbe\s(?:trusted|used|counted|taken))"
)
NO_ANSWER = (
    r"(?:a\s(?:joke|placeholder|guess|lie|dummy(?:\s\w+)?|stub|bluff|filler|decoy|test\svalue"
    r"|shot\sin\sthe\sdark)"
    r"|(?:only\s|just\s|mere\s)?(?:placeholder|filler)|guesswork|nonsense|rubbish|garbage|random"
    r"|a\srandom\s\w+)"
)
WITHDRAWALS = phrase_table(
    r"""
    # The reader is told to leave it.
    \b(?:do not|don't|never) (?:count|take|use|trust|quote|grade|mark|consider|accept|believe
        |rely on|read|submit
        |hold me to) {ITSELF}\b(?: (?:as|for|too|into|seriously|at)\b[^\d]*)?\W*\Z
    (?:\A\W*|\bplease |[,;:–—] (?:so |and |but )?|\bjust )(?:ignore|disregard|forget|scratch
        |strike|delete|discard) {ITSELF}(?: (?:above|again|please|completely|entirely|altogether))?
        (?:\W*\Z|[,;.:] (?:I|as|since|because|(?:it|there|the \w+)
        \s(?:was|were|has|had|does|doesn't|fails|contains))\b[^\d]*\Z)
    \b(?:treat|regard|consider|count|mark) (?:this|it|that|the question|this question|
        my answer)(?: as)? (?:un(?:answered|solved)|skipped|blank|void|open|wrong|no answer)\W*\Z
    # It is said to be none.
    (?:\A\W*(?:(?:no|wait|but|and|actually|sorry|oops|hmm|well|however),? )*|[,;] (?:but|and
        |yet) ){ITSELF}(?:'s|
        \s(?:is|was|has been|should be|must be|may be|can be|needs to be|has to be))
        \s(?:\w+ly |only |just |hereby |all |no more than |nothing but |now |meant as |purely |
        to be ){0,2}(?:{VOID}|(?:an? (?:\w+ )?)?{NONE})\b[^\d]*\Z
    \b(?:my|the) (?:(?:\w+ )?answer|result|box|value) (?:of )?\S+ (?:is|was|has been|should be
        |must be)\s(?:\w+ly |hereby |now )?{VOID}\W*\Z
    # The writer has no trust in it, or gives it up.
    \bI(?:'m| am) (?:no longer|not(?: at all| really| even| quite)?|far from|hardly|anything but)
        \s(?:convinced|sure|certain|confident|happy|satisfied)(?: (?:of|about|with|by
        |in) {ITSELF}| that {ITSELF} is (?:right|correct|true|so))?\W*\Z
    \bI (?:\w+ly |hereby |now |must |have to |would |do ){0,2}(?:disown|revoke|dismiss|drop
        |abandon|cancel|regret|distrust|doubt|reject|retract
        |withdraw|take back|give up(?: on)?) {ITSELF}\W*\Z
    \b(?:I|we) (?:(?:then|now|also|just|only|have|had|do|must|to) ){0,2}(?:notice[ds]?
        |reali[sz]ed?|knows?|knew|see|saw|fear|suspect|admit|sense|feel|found|find|am afraid)
        (?: that)? {ITSELF}(?:'s| is| was| must be| can't be| cannot be)
        \s(?:\w+ly |still |just |all ){0,2}(?:wrong|incorrect|false|not (?:right|correct|true|so
        |it)|off|mistaken|flawed|right|correct(?<=be\scorrect)|right(?<=be\sright)|impossible
        |nonsense)\b[^\d]*\Z
    (?:\A|[,;:–—.] |\b(?:but|and|though|although|yet|which) )I(?:(?:'m| am) not(?=\s[a-z]+ing\s)
        |\s(?:no longer|do not|don't|can't|cannot|never|would not|wouldn't|make no))\s
        (?:really |actually |even |myself ){0,2}(?:think|believe
        |trust|vouch for|stand by|stand behind|hold|defend|mean|recommend|bet on|rely on|claim
        |swear by|swear to|put my name to|say|assert|suggest)(?:ing)?\s?(?:(?:that )?{ITSELF}
        (?:(?:'s| is| was)\s(?:right|correct|true|so|(?:the|my) (?:\w+ )?(?:answer|result|value
        |solution|number|one)))?|so)?(?: (?:any longer|any more|anymore|now|myself))?\W*\Z
    \bI (?:no longer|do not|don't) (?:claim|assert|give|offer|name|state|maintain|propose) (?:any
        |an?|the|my) (?:\w+ )?(?:value|answer|number|result)s?\b
        (?![^.]*\b(?:asked|others?|else)\b)[^.\d]*[.!]?\Z
    \bI (?:now |hereby )?(?:give|offer|claim|name|state) no (?:value|answer|number|result)s?
        \b(?![^.]*\b(?:asked|others?|else)\b)[^.\d]*[.!]?\Z
    \bI have (?:my |some |serious |strong |grave |many )?doubts(?: (?:about|as to|
        on) {ITSELF})?\W*\Z
    \b{ITSELF} (?:feels|looks|seems|sounds|smells) (?:\w+ )?(?:wrong|off|incorrect|suspicious|
        fishy)\b(?!.*\b(?:but|not)\b)[^\d]*\Z
    \A\W*(?:(?:most |very |quite |almost )?(?:likely|probably|surely|certainly|possibly)|perhaps
        |maybe)\s(?:wrong|incorrect|not (?:right|correct|true))\W*\Z
    \btrust me not\b
    \b(?:that|this|which) is what [^.\d]{1,40}\b(?:would|might|could) (?:have )?(?:say|said|think|
        thought|answer|answered|guess|claim)\b[^\d]*\Z
    \bleave the (?:question|problem|matter) (?:open|unanswered|unsolved)\b
    \A\W*(?:is|was) the answer to (?:another|a different|yesterday|some other|my old|
        the (?:previous|last|wrong|other|first))\b
    # Something is wrong with it.
    \bthere (?:is|must be|seems to be|was) (?:an?|some) (?:\w+ )?(?:error|mistake|slip|flaw
        |bug) (?:in {ITSELF}|somewhere|in (?:there|here))\b[^\d]*\Z
    \bI (?:must|may|might|probably|seem to|think I|fear I)(?: have)? (?:made|gone|slipped|got
        |have made|went) [^.\d]{0,30}\b(?:error|mistake|slip|wrong)\b[^\d]*\Z
    [,;] (?:so|hence|thus|therefore|which means|and so) (?:that |this |it |my \w+ |the (?:answer
        |result|value) )(?:must|has to|can only) be (?:wrong|incorrect|false|a mistake)\W*\Z
    \Athe (?:check|test|proof|sum|total|verification) (?:does not|doesn't|did not
        |didn't) (?:work(?: out)?|add up|agree|match|fit|come out|hold|succeed)\b[^\d]*\Z
    # Who asserted it retracts within the sentence.
    ,? which (?:I|we) (?:now |must |have to |hereby ){0,2}(?:retract|withdraw|take back|disown
        |reject|doubt|regret|(?:know|think|fear|believe|see)(?: now)? (?:is|was|to be) (?:wrong
        |incorrect|false|a mistake|mistaken))\W*\Z
    , which (?:contradicts|violates|cannot be|can't be|is (?:impossible|absurd|wrong|nonsense
        |a contradiction|not possible|incorrect|false))\b[^\d]*\Z
    \A(?:(?:well|no|only|but|or|and|yet|alas),? |except (?:that )?
        |apart from the fact that )+(?:it|that|this)(?:'s not| is not| isn't| was not| wasn't)
        (?: (?:so|right|it|true|the case|correct|really))?\W*\Z
    """,
    ITSELF=_ITSELF,
    VOID=_VOID,
    NONE=NO_ANSWER,
)
"""What a last sentence says that gives up the answer before it."""

GIVEN_UP = phrase_table(
    r"""
    \b(?:ich behaupte (?:ja )?nicht|je ne prétends pas|no (?:afirmo|digo)|non (?:affermo|dico)
        |não afirmo|не утверждаю)\b[^.;\d]*\b(?:antwort|lösung|ergebnis|réponse|solution|résultat
        |respuesta|solución|resultado|risposta|soluzione|risultato|resposta|solução|ответ)
        \b[^.;\d]*\W*\Z
    # It is guessed from nothing.
    \A\W*(?:an?|any) (?:random|blind|wild|rough|pure|lucky|mere) (?:guess|pick|choice|shot)
        \s(?:would|could|might|may) be (?!right|correct|wrong|true|enough|in\b)[^.]*\W*\Z
    # The value that is given up is named.
    \bI(?:'d| would)? (?:\w+ly |hereby |now |must |have to |would |do |want to |wish to |
        like to ){0,3}(?:withdraw|retract|take back|disown|reject|revoke
        |dismiss|abandon|doubt|deny|discard)(?! (?:it|that|this)\b) (?:(?:the|my|that
        |an?) )?(?:\w+ )?(?:(?:answer|result|value|number|claim|guess|option)(?: of
        |:)? )?\S{0,3}\d\S*(?:\s[a-z]+)?\W*\Z
    \b(?:my|the) (?:\w+ )?(?:answer|result|guess|value|number)(?: of
        |:)? \S{0,3}\d\S*(?:\s[a-z]+)? (?:is|was|has been|should be|must be)
        \s(?:\w+ly |hereby |now )?{VOID}\W*\Z
    \bif only\b[^.]*\d[^.,]*\W*\Z
    \d\S* (?:would|might|could) (?:have been|be) (?:\w+ )?(?:nice|good|great|tempting|lovely
        |neat)\b[^\d]*\Z
    \d\S*, (?:but|yet|while|whereas) (?:the|my|our|everyone|everybody|all|others?)(?: \w+)? (?:book
        |key|teacher|solution|others|else|calculator|tutor|class|answer|friends?)?\s?(?:has|have
        |says?|gives?|gets?|got|claims?|finds?|disagrees?|wants?|expects?)\b[^\d]*\Z
    \bI got \S{0,3}\d\S*,? (?:but|and) (?:I )?(?:know|think|fear|suspect|believe) (?:it|that
        |this)(?:'s| is) (?:wrong|not right|incorrect|off)\W*\Z
    """,
    VOID=_VOID,
)
"""What a last sentence says that names the value that it gives up."""

NOT_SO = (
    r"\A\W*(?:to\sbe\s)?(?:not\s(?:really|quite|right|correct|so|it|exactly|my\s[^.\d]{1,30}"
    r"|to\sbe\s\w+)|(?:that(?:'s|\sis)\s|this\sis\s|it(?:'s|\sis)\s)?"
    rf"(?:wrong|incorrect|nonsense|rubbish|no\sgood|{_VOID}|ignore|{NO_ANSWER}))(?:,?\s(?:I"
    rf"|as\sI|though|however|alas|sadly)\b[^.\d]{{0,20}})?\W*\Z"
)
"""What says so right behind a mark, in a word or two: `(incorrect)`, `Not my real answer.`"""

WRONG_ELSEWHERE = phrase_table(
    r"""
    (?:das|es) (?:stimmt (?:so )?nicht|(?:ist|war) (?:falsch|nicht richtig|ein fehler))
    c'est (?:faux|une erreur|incorrect)
    ce n'est pas (?:correct|juste|ça)
    ce que j'ai (?:encadré|écrit|mis)(?: plus haut)? (?:est|était) (?:faux|incorrect)
    was (?:ich|oben)\b[^.,\d]{1,40}, (?:ist )?(?:falsch|nicht richtig)
    (?:es[lt]?o|lo que (?:he )?(?:escrito|puesto|recuadrado|puse|escribí)(?: arriba)?)
        \s(?:está mal|es (?:incorrecto|un error)|no es correcto)
    (?:questo )?(?:è (?:sbagliat|errat)|non è corrett)[oaie]?
    (?:isso )?(?:está errad|não (?:está|é) (?:cert|corret))[oa]?
    это (?:неверно|неправильно|не так|ошибка)
    """
)
"""What calls an answer wrong in other languages."""
