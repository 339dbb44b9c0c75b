"""A name or a few words that a last sentence says of its subject, is about, or ends with.

`So Alice wins`, `It is a rhombus`. Read where the gold is such words, in the clause that concludes:
what leads to it (`Since the angles are not right, ...`), what it is not and what is beside it
(`, at 178 cm`) says nothing of it.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.contrasts import affirmed
from rewardkit.verifiers.extraction.prose.spoken import OPPOSITES, unstyled
from rewardkit.verifiers.extraction.text.cuts import last_start
from rewardkit.verifiers.extraction.wanted.last_words import last_words, says_role
from rewardkit.verifiers.vocabulary.alternatives import BECAUSE, SO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives, left_open_by
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, DOUBTS

_MAX_CHARS = 400
_LEADS_TO = as_pattern(
    rf"\A(?i:{BECAUSE}|given\sthat|seeing\sthat)\b[^.]*?,\s"
    r"(?=(?:the|this|that|it|we|they|he|she|its|each|both|all|[A-Z$\\]\S*)\s)"
    r"|\A(?:By|After|In|With|From|At)\s[^,.]{1,60},\s"
    r"|\A(?:Compar|Add|Comput|Calculat|Work|Subtract|Convert|Divid|Multiply|Count|Look)ing\s(?:[^,.]|[.,](?=\d)){1,90},\s"
)
_CONCLUDES = as_pattern(
    rf"(?:[,;:]|\s[—–-])\s(?:and\s|but\s)?(?:{SO}|consequently|meaning"
    r"|which\s(?:means|implies|shows)|it\sfollows)\b(?:\sthat)?,?\s|;\s(?=(?:it|they|this|that|the(?!\s(?:next|\d+\w\w)\b))\s)"
)
_CONCLUSION = as_pattern(rf"\A(?:{alternatives(CONCLUSIONS)}|indeed|clearly)\b,?\s", re.I)
_CONTRASTED = as_pattern(
    r"(?:,?\s(?:and|but)\snot|,\snot|,?\s(?:rather\sthan|instead\sof))\s(?:an?\s|the\s)?[\w'-]+"
    r"(?:\s[\w'-]+)?(?=[.!,]|\Z)"
)
_NEGATED = (
    ("not defined", "undefined"), ("does not converge", "diverges"),
    ("doesn't converge", "diverges"), ("does not diverge", "converges"),
)  # fmt: skip
_BESIDE = as_pattern(
    r"(?:,?\s(?:and|while|whereas)|;)\sthe\s(?:next|others?|rest|previous|following|remaining|\d+\w\w)\s.*"
    r"|,?\s(?:and|while|with)\s[A-Z]\w+\s(?:second|third|fourth|last|(?:is|was)\s(?:the|an?))\b.*"
    r"|\scompared\s(?:to|with)\b.*"
    r"|(?<=[a-z]),\s(?:i\.e\.,?\s|that\sis,\s|in\sother\swords,?\s)?an?\s(?:[a-z-]+\s)?[a-z-]+(?=[.!]?\Z)"
    r"|,\s(?:compared|followed|ahead|\w+ing)\b.*|,?\s(?:even\s)?though\b.*"
    r"|:\s(?:if|for|since|because|otherwise|only|s?he|his|her|it|they|all|both|each|every|no)\b.*|\s\((?!or\b|maybe|perhaps|not\b)[^()]*\)(?=[.!]?\Z)"
)
"""What is said of something else, or how it was found: `, compared with 9 km for Leo`."""
_IN_OTHER_WORDS = as_pattern(
    r"(\b(?:is|was|be)\s(?:(?:therefore|thus|then)\s)?(?:an?\s|the\s)?[\w-]+(?:\s[\w-]+)?),\s(?:(?:i\.e\.|that\sis|in\sother\swords),?\s)?(?:an?|(?:some)?one\swho|the\s(?:one|person|speaker)\swho)"
    r"\s[^,;.]{2,60}[.!]?\Z"
)
"""What explains the word before it: `a knave, a liar`."""
_ADDS = as_pattern(
    r"(?:\s(?:functions?|numbers?|integers?|lines?|angles?|triangles?|series|sequence|quadrilateral"
    r"|matrix|equations?|events?|sets?|system|relation|curve|graph|one|color|colour|condition))?"
    r"(?:,?\s(?!with\s(?:a\s)?(?:probability|chance))(?:of\s(?:addition|multiplication)|that|this|in|at|there|here|for(?!\sme\b)|to|on|by|with|across|over|about|along|around|through|then|again|who|than|everywhere|opening"
    r"|\$?\d)\b[^;,]{0,60})?[.!]*\s*\Z"
)
"""What may follow the words without saying anything else."""
_PREDICATE = as_pattern(
    r"(?:\b(?:is|was|are|were|(?:will|must|would|should|ha(?:s|ve)\sto)\sbe|we\s(?:have|get)|(?:diverges|tends|goes)\sto"
    r"|gives?|yields?|produces?|illustrates|uses?|falls?|becomes|remains|represents|describes|forms?"
    r"|(?:turns|rotates|spins|moves|opens|points|bends|faces|walks|sails|drives|travels|flies|heads|drifts|flows|blows|acts)(?!\s(?:is|are|was|were|forms?|on|in|of)\b)(?:\s(?:to|towards?)(?=\sthe\s))?"
    r"|(?:ist|est|es|è|é|wird|sera|será|sarà)(?:\s(?:also|daher|somit|donc|alors|quindi|portanto|entonces|logo))?"
    r"|(?:makes|leaves)\s(?:it|the\s\w+))|\b(?:it|that|he|she)['’]s)\s"
    r"(?:therefore\s|thus\s|then\s|always\s|called\s)?(?:on\s)?(?:(?:an?|the|eine?|une?|una|uma?|l[ae]|el|il|o|der|die|das)\s)?(?:[a-z]+est\s(?:for|on|in|with)\s)?("
    r"[^\W\d_]+(?:[\s'’-](?!(?:that|which|who)\s)[^\W\d_]+){0,3}?)"
    r"(?:\s(?:function|number|integer)s?)?[.!]?\s*\Z",
    re.I,
)
_VERDICT = as_pattern(
    r"\b(?:[Ii]t|(?:series|integral|sequence|limit|sum)(?:\s[^.,;]{1,60}?)?|[Tt]his)\s(diverges|converges|(?:(?<=must\s)|(?<=will\s))(?:con|di)verge)"
    r"(?:\s(?:absolutely|conditionally|uniformly|pointwise))?"
    rf"(?:\s\((?!or\b|maybe|perhaps)[^()]{{1,60}}\)|,?\s(?:by|{BECAUSE}|for|due\sto|to)\s[^.]*)?[.!]?\Z"
    r"|=\s([A-Z][a-z]{2,})[.!]?\Z"
)
_BECAUSE = as_pattern(rf",?\s(?:{BECAUSE})\s[^.]*")
_HOW = as_pattern(r"(?<=[a-z]),?\s(?:by|regardless)\s|:\s")
"""What goes on to say how somebody wins, where others are named."""
_AND_SO = as_pattern(
    r"\A([A-Z]\w+)\s(?=[a-z])(?:[^A-Z,;:]|[A-Z]\w+['’]s\b|(?<=\$)[A-Z])*\sand\s(?:so|thus|hence|therefore|then)\s((?:has|have|wins|always|can|gets|is)\b)"
)
"""What somebody does, before what comes of it: `Bo mirrors Al's moves and so wins`."""
_THAN = as_pattern(
    rf"(?<=\w)\sthan\s(?:any\s\w+|[A-Z]\w+(?:\s(?:and|or)\s[A-Z]\w+)?)\b|,?\s(?:{BECAUSE})\s"
)
"""Whom somebody is compared with, or why it is so."""
_LEADS_TO_NAME = as_pattern(
    r"\b(?:(?<!followed\s)(?<!preceded\s)by|due\sto|named\safter|called|as|have"
    r"|(?:belongs?|goes|went|awarded|attributed|credited|given)\sto|(?:theorem|work|law)\sof"
    r"|(?:land(?:s|ed)?|end(?:s|ed)?\sup|fall(?:s|ing)?|fell|place|starts?|begins?|occurs?|happens?"
    r"|arrives?|comes?|is|was|be|(?:most|least|\w+est)(?:\s\w+)?)\s(?:on|at|with|for)"
    r"|(?:place|ended|began|happened|occurred|started|born)\sin"
    r"|(?:goes|dates)\sback\sto|owe\s(?:\w+\s){1,3}to|comes|ist|war|wird|est|es|è|é|sera|será|sarà|reach(?:es)?|get(?:s|\sto)?|gives?|obtains?"
    r"|is|was|are|be|it['’]s|(?:peaked|sold|scored|rained|earned|held|celebrated|scheduled)\s(?:in|on|at)|go\s(?:with|for)|choose|pick)\s(?:(?:an?|the|eine?|une?|therefore|thus|then|again|indeed|also|daher|somit|donc|alors|quindi|entonces|portanto)\s){0,2}"
    r"(?:[A-Z][a-z]*\.?\s(?:d[eu]\s|von\s|van\s)?){0,3}\Z"
)
"""What leads to a name at the end of a sentence, with the names before it."""
_CONCEDES = as_pattern(
    r"\b(?:al)?though\b|\b(?:while|whereas|often|sometimes|wrongly|formerly|commonly)\b", re.I
)
_OTHER_NAME = as_pattern(r"\s[A-Z][a-z]+|\b(?:loses?|lost)\b")
_BEHAVIOURS = frozenset(("conver", "diverg"))
_IS_THE_ONE = (
    r"(?:is|are|was|has)\s(?:therefore\s|thus\s)?the\s(?:most|least|only|best|one|answer|\w+est|more|less"
    r"|(?:high|low|larg|small|bett|great|cheap|fast|slow|short|long|old|young|heavi|light|strong|weak|bigg|clos|wid|steep)er)\b"
    r"|(?:(?:always|can(?:\salways)?|will|must)\s(?:win|force\sa\swin)|wins|has\s(?:a|the)\swinning\sstrategy)\b"
)
_NOT_I = as_pattern(r"\bnot\b|\bI\b")
_OF_OTHERS = as_pattern(
    r"\A(?!(?:I|We|we)\b)[^,;:]{1,40}\b(?:thinks?|thought|says?|said|believes?|believed|claims?|claimed)\s(?:that\s)?(?:(?:it|this|that|the)\b|(?:s?he|they|[A-Z]\w*)\s(?:is|was|are|must)\b)"
    r"(?!.*[,;]\s(?:but|so|and)\b)"
)
"""What somebody else says of the subject."""
_HOW_OFTEN = ("always", "sometimes", "never")
_DENIED = left_open_by(
    rf"no|or|if|{alternatives(DOUBTS)}|(?-i:may)\s(?:be|have|well)|but|assume|whether|cannot|can\snot|doubt|hardly"
    "|unlikely|deny|refuse|wrong"
)
_COME_BEHIND = as_pattern(
    r"\s*(?:(?:Then|Next)\s(?:comes?|came|follows?|is|are)|[A-Z]\w+\s(?:come|came|is|was|finish|end|get|got|take|took|place)\w*\s"
    r"(?:in\s)?(?:the\s)?(?:second|third|next|last))\b[^.!?\n]*[.!]?\s*\Z"
)
"""Who is not the first: `Bob comes second and Carol third.`"""


def said_of_subject(words: str, text: str) -> str | None:
    """Return what the last sentence of a text says where a few words are asked for, or a name.

    >>> said_of_subject("Li", "The tallest is Li, at 178 cm."), said_of_subject("red", "It is tan.")
    ('Li', 'tan')
    >>> said_of_subject("rhombus", "As no angle is right, it is a rhombus and not a square.")
    'rhombus'
    """
    sentence = _IN_OTHER_WORDS.sub(r"\1", _last_sentence(text))
    if sentence.strip(" .!").lower() == words.lower() or says_role(words, sentence):
        return words
    if _OF_OTHERS.search(sentence):
        return None
    if words.lower() in _HOW_OFTEN:
        often = set(_HOW_OFTEN).intersection(re.findall(r"\w+", _clause(sentence).lower()))
        return often.pop() if len(often) == 1 and not _NOT_I.search(sentence) else None
    clause = _clause(sentence, words)
    if clause.strip(" .!*").lower() == words.lower() and clause != sentence:
        return words  # `Monday fails the hint, so Tuesday.`
    behaves = words[:6].lower() in _BEHAVIOURS
    if (says := _verdict(clause)) and (behaves or says[0].isupper()):
        return words if says[:6] == words[:6].lower() else says
    if re.match(rf"(?:the\s)?{re.escape(words)}\s(?:{_IS_THE_ONE})", clause, re.I):
        return None if _DENIED.search(clause.replace(" no matter ", " ")) else words
    if words.istitle() and (name := _about(words, sentence) or _leads_to(words, sentence)):
        return name
    says = _predicate(_up_to(words, clause), words)
    if says and behaves and words[:6].lower() in says.lower():
        return words
    ends = last_words(words, sentence)
    return ends if ends and (says is None or says.endswith(ends)) else says


def before_others(text: str) -> str | None:
    """Return a text up to a last sentence that says who comes behind the first; None without one.

    >>> before_others("Li wins. Bo comes second and Jo third."), before_others("Li wins. Bo lost.")
    ('Li wins.', None)
    """
    start = last_start(text)
    return text[:start].rstrip() if start and _COME_BEHIND.match(text, start) else None


def verdict(text: str) -> str | None:
    """Return what the last sentence of a text says that a series does, `converges`, or None."""
    return _verdict(_last_sentence(text))


def _last_sentence(text: str) -> str:
    line = affirmed(text.strip()[-_MAX_CHARS:]).rsplit("\n", 1)[-1].replace("i.e. ", "i.e., ")
    return unstyled(line[last_start(line) :])


def _clause(sentence: str, words: str = "") -> str:
    """Return the clause of a sentence that concludes, without what is beside its claim."""
    clause = _CONCLUDES.split(_LEADS_TO.sub("", sentence))[-1]
    clause = _BESIDE.sub("", clause if " not " in words else _CONTRASTED.sub("", clause))
    for negated, plain in _NEGATED:
        clause = clause.replace(negated, plain)
    return _CONCLUSION.sub("", clause)


def _up_to(words: str, clause: str) -> str:
    """Return a clause up to words that end it but for what adds nothing to them."""
    place = clause.lower().rfind(words.lower())
    quality, _, noun = words.rpartition(" ")
    if place < 0 and quality:  # `triangle ABC is isosceles`
        of_it = re.search(rf"\b{re.escape(noun)}\b.*\b{re.escape(quality)}\b", clause, re.I)
        return f"{clause[: of_it.end()]} {noun}" if of_it else clause
    end = place + len(words)
    return clause[:end] if place > 0 and _ADDS.match(clause, end) else clause


def _predicate(clause: str, words: str) -> str | None:
    found = _PREDICATE.search(_BECAUSE.sub("", clause))
    if found is None or found[1].lower() in OPPOSITES:
        return None
    if _DENIED.search(clause.replace(words, "")):
        return None
    said = clause[found.start(1) :].rstrip(" .!")
    turned = re.sub(r"^(?:facing|heading|pointing|looking)\s(?:due\s)?", "", said.lower())
    same = turned == words.lower() or said.lower() == f"true for {words.lower()}"
    return words if same else found[1]


def _verdict(sentence: str) -> str | None:
    found = _VERDICT.search(sentence)
    if found is None or _DENIED.search(sentence, 0, found.end(1 if found[1] else 2)):
        return None
    return found[1] or found[2]


def _about(name: str, sentence: str) -> str | None:
    """Return the name that a sentence is about, and no other: `So Alice wins`."""
    clause = _clause(sentence.replace(" no matter ", " regardless "))
    clause = _AND_SO.sub(r"\1 \2", clause)
    rest = _THAN.split(_HOW.split(clause, maxsplit=1)[0], maxsplit=1)[0]
    if not rest.startswith(f"{name} ") or _DENIED.search(clause) or _OTHER_NAME.search(rest, 1):
        return None
    return name


def _leads_to(name: str, sentence: str) -> str | None:
    """Return the name that a sentence leads to: `The proof is due to Carl Gauss`."""
    last = _up_to(name, _BESIDE.sub("", sentence)).rstrip(" .!*")
    if re.search(rf"(?:\bit['’]s|t was|t is) {re.escape(name)} who ", sentence):
        return None if _DENIED.search(sentence) else name
    if not last.endswith(name):
        return None
    clause = last[: -len(name)].rsplit(", ", 1)[-1]
    leads = _LEADS_TO_NAME.search(clause)
    denied = _DENIED.search(clause) or _CONCEDES.search(clause)
    return name if leads and not denied else None
