"""The option that a last sentence settles on in any language, as `Vậy đáp án đúng là B` does.

Asked where the gold is an option and nothing else names one, a letter that stands alone beside a
word that chooses says enough, wherever in the sentence both stand.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.last_sentences import sentences
from rewardkit.verifiers.extraction.prose.contrasts import affirmed
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.alternatives import BECAUSE, SO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Sought

_GOLD = as_pattern(
    rf"(?:{TEXT_COMMAND}\s*\{{\s*)?(?:\({OPTION_LETTER}\)|\([a-j]\)(?=\s*\}}?\Z)|{OPTION_LETTER}(?:[.):]|(?=\s*\}}?\Z)))"
    r"[^\n]{0,200}"
)
_STYLE = as_pattern(TEXT_COMMAND + r"\s*\{([^{}]*)\}|[*`$\"“”„«»_]|\\[()\[\] ]")
_LATIN = "A-Za-z0-9\u00c0-\u1ef9"
_LETTER = (
    rf"\s?(?<![{_LATIN}'’.\\^({{])(?:\((?:{OPTION_LETTER}|[a-j])\)|[a-j]\)|(?!I\s[a-z]|I['’]){OPTION_LETTER})"
    rf"(?![{_LATIN}^(=+]|['’]s\b)"
)
"""A letter alone: no `I`, no point and no unknown of a formula."""
_ALONE = as_pattern(rf"(?!\A\W*[AE]\s(?!is\b|it\b|and\b|or\b|&)[^\W\d_])\W?({_LETTER})")
_ELSEWHERE = rf"(?i:{alternatives((*phrases.ANSWER_LABELS, *phrases.CHOOSING_ELSEWHERE))})"
_NAME = (
    rf"(?:{alternatives(phrases.CONCLUSIONS_ELSEWHERE)}\s)?(?:(?:the|la|le|el|a|o|il|die|de|het)\s)?"
    rf"(?:(?:option|choice|letter|alternative|answer|{_ELSEWHERE}\w*)\s?){{0,2}}"
)
_LEADS = (
    rf"(?:(?i:\b(?:is|be|are|est|es|é|è|ist|là|adalah|to|jest|er|är|este|only|that(?=\s\W?\w[).:]*\s+\S)|leaves|leaving|match|matches"
    rf"|(?:go|going|went|stick)\s(?:with|for)|left\swith"
    rf"|{SO}|makes|choosing|picking|selecting|{alternatives(phrases.CHOOSING)})\s)|['’]s\s|[:：—–→⇒>]"
    rf"|[是为はにを은는이가]|(?:είναι|هي|هو)\s|{_ELSEWHERE}\w*\s?)"
)
_FITS = r"\s(?:satisf|work|fit|match|hold|remain|meet|agree|the\s(?:only|correct|right|best))\w*"
_CLAIM = as_pattern(
    rf"{_LEADS}\s?{_NAME}{_LETTER}"
    rf"(?:(?:\s?[:.)]|(?<=\)))\s+(?:[A-Z(\d$]|[a-z]\b).*|{_FITS}.*|(?:\s?['’]?\w{{1,12}})?\W*)?(?=\Z|:)"
    rf"|(?:\A\W*(?:(?i:{SO}|and)\s)?|\b(?i:option|choice|answer)\s){_LETTER}"
    r"\s(?:is|must\sbe|it\sis)(?:\s(?:therefore|thus|the))*(?:\s(?:only|correct|right|best|answer|one|what)\b|\W*\Z)"
    rf"|\b(?i:option|choice|answer)\s{_LETTER}\scorrectly\s"
    rf"|{_ELSEWHERE}\w*\s{_LETTER}\s(?:qui\s)?(?:est|es|é|è|ist|là|jest)\s"
)
"""A letter that something leads to, or that is said to be the one."""
_HEAD = as_pattern(rf"\W{{0,3}}({OPTION_LETTER})[.):]\)?\s\S")
"""An option with what it says, on a line of its own."""
_NEXT_HEAD = as_pattern(rf"[.;,]\s\(?{OPTION_LETTER}[:)]\)?\s\S")
"""Another option with what it says behind it: they are listed."""
_BARE = as_pattern(rf"\W{{0,3}}({OPTION_LETTER})\W{{0,3}}")
"""An option alone on a line, which chooses it behind a sentence."""
_BOLD = as_pattern(rf"(?<=[.!])\s+(?P<style>\*{{1,2}})\(?({OPTION_LETTER})\)?\.?(?P=style)\.?\Z")
"""An option in bold type behind a whole sentence."""
_AFTER_ITS_TEXT = as_pattern(
    r"(?:(?:So|Thus|Hence|Therefore),?\s)?(?:(?:[Tt]he|[Aa]n?|[Ii]t['’]s|[Tt]hat['’]s|[Tt]his\sis)\s)?"
    r"(?!(?i:in|on|at|by|from|for|to|of|with|let|see|not|points?|vertex|angles?|sides?|cases?|figure|table|sets?|events?|given|maybe|perhaps|dear|ok|hi|hello|sorry|well|no|\w+ly|wrong|guess|otherwise|else|then|earlier|first|hint|grade|appendix|chapter|page|section|parts?|plan|question|problem|exercise|option|choice|vitamins?|class|type|group|rejected|excluded|eliminated|discarded|unsure|undecided|confused)\b)"
    rf"(?=\w{{2}}|\d)\w[\w'’.-]{{0,30}}(?:\s[\w'’-]{{1,20}}){{0,3}}(?:,\s|\s(?=\())(?:option\s|choice\s)?\(?({OPTION_LETTER})\)?\.?"
)
"""An option behind what it says, and nothing else: `Argon, A.`"""
_SAID = as_pattern(r"(?:\w{2,}|[$\d%}])[*\"”’')\]]*[.!](?:[*\"”’')\]]|\s)*\Z")
"""How a sentence ends before it."""
_NAMED = as_pattern(rf"(?:\A|[(,]|\b(?:option|choice|answer)|{_LEADS})\W*{OPTION_LETTER}\.\Z")
"""How a sentence ends where the text of an option follows."""
_CLAUSE = as_pattern(
    rf"[,;，；、]+\s*(?!\(?{OPTION_LETTER}\)?(?:,|\s(?:and|&|or)\s))|\s\((?!(?:{OPTION_LETTER}|[a-j])\))|\s?[—–]+\s?+(?!\(?{OPTION_LETTER}\b)|\s-\s"
    rf"|\s(?=\(?(?:{BECAUSE}|while|whereas|{alternatives(phrases.REASONS_ELSEWHERE)}"
    r"|car|vì|pois)\b)|(?=因为|由于|而不是|不是)"
)
_ASIDE = as_pattern(
    rf"\(?(?:{BECAUSE}|while|whereas|for|given|if|when|after|before|looking|checking|testing|trying"
    rf"|{alternatives(phrases.REASONS_ELSEWHERE)}|car|da|vì|pois|因为|由于)\b",
    re.I,
)
_RELATIVE = as_pattern(
    r"\s(?:that|which)\s(?:is|are|does|do|can|has)(?:n['’]t|not|\s(?i:not))\s[^,;]*?(?=\sis\s)"
)
"""What is asked for where it is something that is not so: `the one that is NOT true is B`."""
_DENIES = as_pattern(
    rf"\b(?:(?i:{alternatives(phrases.NEGATIONS)})(?!\senough)|too\s\w+|no\ses|unlike|instead|than|wrong\s\w+|except"
    r"|(?:first|initially|originally)\s(?:thought|guess|pick|chose|said|took)\w*"
    r"|(?:tempting|common|popular|incorrect)\s(?:answer|choice|option)|rul(?:e|ed|ing)\sout|eliminat\w+"
    rf"|exclud\w+|discard\w*|reject\w*)\b|n['’]t\b|\b{alternatives(phrases.DENIALS_ELSEWHERE)}\b|不|没|非|错|錯"
    rf"|違|ない|ません|아니|틀|ليس|خطأ|неправ|неверн|\b{OPTION_LETTER}\b.*\b(?:{alternatives(phrases.FAULTS)}|fails?|errors?)\b"
)
_UNSURE = as_pattern(
    rf"\b(?:{alternatives((*phrases.DOUBTS, *phrases.DOUBTS_ELSEWHERE))}|or|either|if|whether"
    r"|might|may|could|guess\w*|let|check\w*|test\w*|try\w*|consider\w*|examine|look\w*|says?|said|claims?|thinks|thought|students?"
    r"|people|others?|suppose|assum\w+|doubt\w*|reference|gold|official|expected|no\sidea|random\w*"
    r"|wait|actually|second\sthoughts?)\b|[?？或]|可能|也许|أو|ربما",
    re.I,
)
_CHOOSES = as_pattern(
    rf"\b(?:{alternatives((*phrases.ANSWER_NAMES, *phrases.CHOOSING))}s?|key(?=\s?(?:is\b|:))"
    r"|my\sletter|the\sletter\s(?:is|I\s\w+\sis)|correct|right|best|pick|go(?:ing)?\s(?:with|for)|left|leaves|leaving|remain\w*|only|match\w*|fits?|agrees|it\sis|it['’]s|(?:must|has\sto)\sbe"
    rf"|choosing|chosen|(?:{SO})\s\(?{OPTION_LETTER})\b"
    rf"|[→⇒>]\s?(?:option\s)?\(?{OPTION_LETTER}\)?\W*\Z|{_ELSEWHERE}",
    re.I,
)
_BESIDE_ITS_VALUE = Sought(
    rf"\b(?:correspond(?:s|ing)?\sto|match(?:es|ing)?(?:\swith)?|agrees?\swith|(?:correct|right)\s(?:option|choice|answer)\sis:?)"
    rf"\s(?:the\s)?(?:answer\s)?(?:(?:option|choice|alternative)\s)?[\W]{{0,3}}(?:boxed\{{)?\(?((?-i:{OPTION_LETTER}))(?![\w'’])"
)
_BLANKS = as_pattern(r"[\s$]|\\(?=\\)|\\[()\[\]]")
_MAX_BOLD, _NEAR_END, _NEAR_VALUE = 12, 1200, 400
_WRONG_ELSEWHERE = (
    r"(?:fausses|fals[ao]s|incorrect[ao]s|incorret[ao]s|errad[ao]s|sbagliat[ei]|scorrett[ei]"
    r"|errat[ei])"
)
_OTHERS = as_pattern(
    rf"\W*(?:(?:{alternatives(phrases.JOINING_ELSEWHERE)}|and|but)\s)?(?:[^\W\d_]{{1,14}}\s){{0,2}}"
    rf"(?P<letters>{OPTION_LETTER}(?:,\s{OPTION_LETTER})*,?\s(?:{alternatives(phrases.JOINING_ELSEWHERE)}|and|en)\s{OPTION_LETTER})"
    r"\s[^\W\d_]+\s(?:[^\W\d_]+\s){0,2}"
    rf"(?i:{alternatives((*phrases.DENIALS_ELSEWHERE, *phrases.FAULTS))}|{_WRONG_ELSEWHERE})\W*"
)
"""What is said of the options that are not chosen: `Les réponses A et C sont fausses.`"""


def is_option(gold: str) -> bool:
    """Return whether a gold answer is an option, with or without what it says."""
    return _GOLD.fullmatch(gold) is not None


def chosen(text: str) -> str | None:
    """Return the one option that the last sentence of a text settles on, or None.

    >>> chosen("Vậy đáp án đúng là B."), chosen("C is wrong, so the key is (D).")
    ('B', 'D')
    >>> chosen("The answer is B or C."), chosen("Let us check option B.")
    (None, None)
    >>> chosen("La réponse D est la bonne. Les réponses A, B et C sont fausses.")
    'D'
    """
    text = affirmed(text.strip())
    if others := _OTHERS.fullmatch(sentences(text)[-1].strip()):
        text = text[: text.rfind(others["letters"])].rpartition(".")[0]
        return letter if (letter := chosen(text)) and letter not in others["letters"] else None
    if bold := _BOLD.search(text, max(0, len(text) - _MAX_BOLD)):
        return bold[2]
    text = _STYLE.sub(r"\1", text)
    *before, last = re.split(r"\s*\n\s*", text)[-2:]
    if before and (bare := _BARE.fullmatch(last)):
        said = sentences(before[0])[-1]
        if _SAID.search(said) and not _DENIES.search(said):
            return bare[1]
    if (head := _HEAD.match(last)) and not _NEXT_HEAD.search(last, head.end()):
        listed = any(map(_HEAD.match, before))
        return None if listed or _UNSURE.search(last) else head[1]
    last = _RELATIVE.sub(" chosen", last)
    last = next(s for s in reversed(_sentences(last)) if s.strip() or s == last)
    named = _AFTER_ITS_TEXT.fullmatch(last.strip())
    if named and not (_UNSURE.search(last) or _DENIES.search(last)):
        return named[1]
    claims = [c for c in _CLAUSE.split(last) if not (_ASIDE.match(c) or _DENIES.search(c))]
    said = ", ".join(claims)
    if _UNSURE.search(said) or not _CHOOSES.search(said):
        return None
    letters = {letter.strip(" ()").upper() for claim in claims for letter in _ALONE.findall(claim)}
    return letters.pop() if len(letters) == 1 and any(map(_CLAIM.search, claims)) else None


def beside_its_value(value: str, text: str) -> str | None:
    """Return the one option that a text says its value to be, or None.

    >>> beside_its_value("(1, -3)", "The center is (1,-3), which corresponds to option C.")
    'C'
    >>> beside_its_value("(1, -3)", "The point (0, 2) corresponds to option C.") is None
    True
    """
    near = text[-_NEAR_END:]
    said = list(_BESIDE_ITS_VALUE.finditer(near))
    if len({option[1] for option in said}) != 1:
        return None
    start = near.rfind("\n", 0, said[-1].start()) + 1
    sentence = sentences(near[start : said[-1].start()])[-1]
    before = near[max(0, said[-1].start() - _NEAR_VALUE) : said[-1].start()]
    if _DENIES.search(sentence) or _UNSURE.search(sentence):
        return None
    return said[-1][1] if _BLANKS.sub("", value) in _BLANKS.sub("", before) else None


def _sentences(line: str) -> list[str]:
    """Return the sentences of a line; the stop of an option, `D. None of these`, ends none."""
    found: list[str] = []
    for sentence in sentences(line):
        if found and _NAMED.search(found[-1]) and not _ALONE.search(sentence):
            found[-1] += " " + sentence
        else:
            found.append(sentence)
    return found
