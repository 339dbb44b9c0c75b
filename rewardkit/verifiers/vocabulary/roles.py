"""English words by their role in a sentence that may claim a value: who speaks, of what, and how.

They are classes of words rather than phrases, so that they hold in sentences that nobody foresaw.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.phrases import PARTS_OF_TEXTS, STEPS_OF_PROOFS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SPEAKERS = _words(
    "i me my mine myself we our ours you your yours let let's lets one's i'm i've i'll i'd we'll"
    " we've we're we'd you'll you've you'd you're"
)
"""Who writes and who reads."""
OTHERS = _words("he she they him who")
"""Of whom a task speaks."""
ARRIVING = _words(
    "get gets got have has had obtain obtained find found need needs needed require conclude reach"
    " reached arrive arrived count counted deduce see know compute computed calculated end"
    " left meant become becomes settle choose pick go sure certain confident make makes is are"
)
"""What those do who come to a value, and what they say of it."""
OF_THE_TEXT = (
    frozenset(PARTS_OF_TEXTS)
    | frozenset(STEPS_OF_PROOFS)
    | _words(
        "paragraph slide proof argument reasoning derivation explanation notation handwriting"
        " textbook literature olympiad contest exercises task prompt statement grader evaluator"
        " judge examiner marker verifier assistant user approach approaches strategy strategies"
        " technique techniques idea ideas tokens instructions confidence difficulty response"
        " verdict rubric reward deserve prompt"
    )
) - _words("table note line part page volume step figure equation lecture identity identities")
"""Parts of a text and of its making, who is given it and who grades it."""
OF_ITS_MAKING = _words(
    "solution solutions method methods step steps case cases attempt attempts try tries part parts"
    " line lines word words page pages problems questions points figure equation equations table"
)
"""What a text has of its own, but the things of a task may have as well."""
DOING = _words(
    "take write consider pick start begin recall compare type see multiply add subtract divide note"
    " notice look compute find solve use apply set put choose draw guess say imagine"
    " suppose assume plug substitute square double replace remember think read go wait ask show"
    " prove verify give enter round express keep observe denote call treat determine evaluate"
    " calculate mark grade accept output print return"
)
"""What a sentence without a subject tells somebody to do."""
NUMBERED = frozenset(PARTS_OF_TEXTS) | _words("slide case version candidate attempt round")
"""What the number right behind it is the name of."""
PLAIN = _words(
    "the is are of to and for has have he she they it with at was were that this on by an from be"
    " so his her there we you can will each not after before then must shall would could should"
    " does did only when my your than"
)
"""One of these is in almost every English sentence."""

SAYING = (
    "say", "says", "said", "suggest", "suggests", "suggested", "claim", "claims", "claimed",
    "think", "thinks", "thought", "believe", "believes", "believed",
)  # fmt: skip
"""What people do who claim a value that need not be right."""
SHOWING = _words("clock watch scale scales thermometer sign display label meter timer dial screen")
"""What says how much it is, and is right."""
