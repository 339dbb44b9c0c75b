"""English words by their role in a sentence that may claim a value: who speaks, of what, and how.

They are classes of words rather than phrases, so that they hold in sentences that nobody foresaw.
"""

from rewardkit.verifiers.vocabulary.patterns import phrases, words
from rewardkit.verifiers.vocabulary.phrases import PARTS_OF_TEXTS, STEPS_OF_PROOFS

SPEAKERS = words("""i me my mine myself we our ours you your yours let let's lets one's i'm i've
    i'll i'd we'll we've we're we'd you'll you've you'd you're""")
"""Who writes and who reads."""
WRITER = words("one i i'm i've i'll i'd we we'll we've we're we'd me")
OTHERS = words("he she they him who")
"""Of whom a task speaks."""
ARRIVING = words("""get gets got have has had obtain obtained find found need needs needed require
    conclude reach reached arrive arrived land landed count counted deduce see know compute computed
    calculated end left meant become becomes settle choose pick go sure certain confident make makes
    say leaves spend spent pay paid cost costs earn earned save saved sold bought owe answer result
    total sum value choice conclusion expect determine determined infer""")
"""What those do who come to a value, and what they say of it."""
TAKING = words("take keep accept select retain")
"""What a writer does with one of several values that were found: `we take x = 3`."""
OF_THE_TEXT = (
    frozenset(PARTS_OF_TEXTS)
    | frozenset(STEPS_OF_PROOFS)
    | words("""paragraph slide proof argument reasoning derivation explanation handwriting textbook
        literature olympiad contest exercises task prompt statement grader evaluator judge examiner
        marker verifier assistant user approach approaches strategy strategies technique techniques
        idea ideas tokens instructions confidence difficulty response verdict rubric reward deserve
        prompt sketch diagram message""")
) - words("table note line part page volume step figure equation lecture identity identities")
"""Parts of a text and of its making, who is given it and who grades it."""
OF_BOOKS = words("""chapter chapters section sections textbook textbooks contest contests exercises
    instructions message slide reward user assistant judge""")
"""Of them, what a task may tell of as well: `Each chapter has 24 pages.`"""
OF_ITS_MAKING = words("""solution solutions method methods step steps case cases attempt attempts
    try tries part parts line lines word words page pages problems questions points figure equation
    equations table""")
"""What a text has of its own, but the things of a task may have as well."""
DOING = words("""take write consider pick start begin recall compare type see multiply add subtract
    divide note notice look compute find solve use apply set put choose draw guess say imagine
    suppose assume plug substitute square double replace remember think read go wait ask show prove
    verify give enter round express keep observe denote call treat determine evaluate calculate mark
    plot reflect rotate grade accept output print return""")
"""What a sentence without a subject tells somebody to do."""
NUMBERED = frozenset(PARTS_OF_TEXTS) | words("slide case version candidate attempt round")
"""What the number right behind it is the name of."""
PLAIN = words("""the is are was of by as and for has have he she they it with were that this from
    his her there we you can each not after before then must shall would could should does did only
    when my your than""")
"""One of these is in almost every English sentence."""

SAYING = phrases("""say, says, said, suggest, suggests, suggested, claim, claims, claimed, think,
    thinks, thought, believe, believes, believed, reckons, guesses, insists, swears, wrote,
    answers""")
"""What people do who claim a value that need not be right."""
BELIEVING = words("""say said think thought believe believed guess suspect feel claim argue suggest
    reckon bet answer expect sure certain confident convinced positive state recall remember""")
"""What a writer does who holds something for true; of others it says what they hold."""
SEEING = words("""see sees finds checks verifies notices find found conclude get got know have
    deduce infer confirm verify check obtain show prove""")
"""What who works it out does, and what anybody can do: `it is easy to see that`."""
HOLDING = words("""means mean implies imply shows gives give follows tells tell us me proves yields
    suggests indicates confirms concluding meaning clear obvious evident true verified confirmed
    established proved shown seen known concluded determined computed verifies guarantees ensures
    reveals demonstrates makes fact conclusion seems appears gets out agree doubt question like
    case""")
"""What leads from a clause to what it shows to be so."""
NOT_IN_EARNEST = words("""suppose supposing assume assuming pretend pretending imagine if whether
    unless wish hope maybe perhaps possibly""")
"""What makes a supposition, a wish or a doubt of the clause behind it."""
ADVERBIAL = words("""so thus hence therefore then and but now for in with by from at on as since
    because when while after before given to of also still finally again here overall yet under
    without upon consequently ultimately indeed actually accordingly which where through""")
"""What a phrase begins with that stands beside a main clause, or leads to one."""
SAYING_ELSEWHERE = phrases("""sagt, sagte, meint, meinte, glaubt, glaubte, behauptet, denkt, dit,
    pense, pensait, croit, affirme, prétend, dice que, dice che, dijo, piensa, cree, opina, afirma,
    sostiene, diz, disse, acha, achou, crede, ritiene, ha detto, dicen, dizem, dicono, man sagt,
    on dit, говорят, говорит, сказал, сказала, сказали, считает, думает, утверждает""")
SOURCES = phrases("""manual, key, textbook, website, forum, post, solutions, chegg, chatgpt,
    wikipedia, internet, gpt, gemini, claude""")
"""Where a writer may look an answer up."""
SHOWING = words("clock watch scale scales thermometer sign display label meter timer dial screen")
"""What says how much it is, and is right."""
STATING_VERBS = words("""is are was were be been am isn't has have had will would can must could
    equals equal becomes become became makes make made gives give gave gets get got gains gain takes
    take took costs cost needs need needed requires require holds hold held contains contain covers
    cover weighs weigh measures measure earns earn earned pays pay paid saves save saved spends
    spend spent leaves leave left remains remain remained receives receive lasts last uses use used
    yields yield totals produces produce drives drive travels travel runs walks ate eats eat reads
    scores score scored sells sell sold buys buy bought keeps keep kept reaches reach serves serve
    feeds feed fills fill seats seat owes charges collects gathers lives live obtain obtains find
    finds found numbers number amount amounts brings bring brought comes came stays stay stayed ends
    end ended rises rose fell falls drops grew grows went goes land simplifies simplify evaluates
    works work meets meet converges reduces shares share suffice suffices fit fits satisfies satisfy
    wins won loses lost add adds sum sums results lands play plays corresponds correspond
    encloses enclose""")
"""Verbs of counts, `5 remain`, and of amounts, `it costs 5`."""
IRREGULAR_PASTS = phrases("""did, cut, ran, rode, drew, swam, wrote, gave, built, flew, threw,
    caught, shot, hit, dug, sang, drank, fed, sent, taught, saw, wove, stole, wore, broke, hung,
    swept, drove, made, grew, chose, hid, lent""")
"""What somebody did to so many things: `She drew 5 cards`."""
EVENTS = (
    r"(?:ends?|begins?|starts?|opens?|closes?|arrives?|leaves?|lands|falls?|fell|r[io]ses?|risen|rings?"
    r"|grows?|grew|shr[aiu]nks?|(?:in|de)creases?|changes?|declines?|turns?|goes|went|runs?|ran|drop(?:s|ped)|climbs|gets|got|meets?|takes\splace|is|was|are|were"
    r"|doubles|triples|quadruples|halves|jumps|shoots|lets\sout|hits?|strikes?|crosses|flies|moves|travels|stops?|differs?|[a-z]+ed)"
)
"""Verbs of what happens at a time or changes by an amount: `rose by 5`, `ends at 5`."""

FRAME = words("""copyright version limit deadline isbn confidence grade score marks points
    difficulty level rating attempt attempts tokens passed exit characters""")
"""What a text has around it; a line of these words and a number says nothing else."""
OPENING_ASIDES = words("""since because as given when while although though if unless whereas
    setting using substituting taking writing letting assuming supposing considering""")
"""What a clause begins with that is none of its own."""
