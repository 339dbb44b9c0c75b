"""What prose says where an answer belongs: what the main clause of its last sentence states.

`Austin picked a total of 24 bags of fruit.` says 24. What a sentence says beside its statement is
put aside in this order: mark-up and the turns of an invented dialogue; sentences before the last
one that states a number; a clause that says of what, when or why (`Of the 24 pieces, ...`,
`..., since each costs $3`); and the phrases behind the stated number (`for $20`, `in 3 hours`).
A sentence that doubts or refuses states nothing.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.behind import TAKES_BACK, without_reasons, without_remarks
from rewardkit.verifiers.extraction.prose.clauses import stated_in
from rewardkit.verifiers.extraction.prose.comparisons import compares
from rewardkit.verifiers.extraction.prose.conclusions import concludes
from rewardkit.verifiers.extraction.prose.in_words import STATED_IN_WORDS, number_in_words
from rewardkit.verifiers.extraction.prose.wholes import VALUE
from rewardkit.verifiers.extraction.text.formulas import FORMULA, inside
from rewardkit.verifiers.extraction.text.number_words import with_counts, with_parts, with_two_units
from rewardkit.verifiers.extraction.text.plain import without_money, without_tags, without_turns
from rewardkit.verifiers.vocabulary.characters import CJK
from rewardkit.verifiers.vocabulary.patterns import alternatives, last_of
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, DOUBTS
from rewardkit.verifiers.vocabulary.sought import NEAR, Sought
from rewardkit.verifiers.vocabulary.units import RATES

_MAX_CHARS = 1500
"""Of prose, its end is read."""
_MAX_SENTENCES = 8
"""So many sentences without a number may follow the one that states it."""
_WORD = re.compile(r"(?<![\\\w])(?:[^\W\d_]{2,}|[\u0900-\u0dff]{2,})")
_CONCLUDED = re.compile(rf"\W*{alternatives(CONCLUSIONS)}\b", re.I)
_SPEAKS = Sought(r"\b(?:equals?|negative)\s")
_CJK = re.compile(f"[{CJK}]")
_SENTENCE_END = re.compile(
    r"[.!?;,\n？。！](?:(?<=[\n。！?？])"
    r"|(?<!\b[eE]\.g\.)(?<!\bi\.e\.)(?<!\d\s[ap]\.m\.)(?<!\bvs\.)(?<!\bM[rs]\.)(?<!\bMrs\.)(?<!\bDr\.)(?<=[^\W\d_][.!])(?=\s|$|[A-Z])"
    r"|(?<=[\d)\]}$%*\"'][.!])(?=\s|$)|(?<=;)\s|(?<=\.\.\.)(?=\s[A-Z])"
    r"|(?<=,)\s(?=but\s(?:since|because|as)\s[^.]*\d|and\s(?:since|because|as)\s[^.,]*,\s[^.]*\d)"
    r"|(?<=,)\s(?=and\s[^,.=]{0,80}\b(?:it|there|he|she|they|we|the\s[a-z]+)\s(?:[a-z]+\s){1,5}at\s\d{1,2}:\d\d"
    r"|but\s[^.=]{0,80}\bat\s\d{1,2}:\d\d)"
    r"|(?<=,)\s(?=(?:and\s)?(?:so|thus|hence|therefore)\s(?!that\b)"
    r"|and\s[^,.=]{0,60}\b(?:he|she|they|we)\s[a-z]+\s[^,.=]{0,30}\d))"
)
"""It begins with the signs that it may be, or every place would be tried."""
_AND_SO = re.compile(r"(?<=\w)\sand\s(?=(?:thus|hence|therefore)\s[^.=]*\d)")
_HEDGE = Sought(
    rf"\b(?:{alternatives(DOUBTS)}|(?<!\bno\s)(?<!\bany\s)(?<!\ba\s)doubt"
    rf"|answer would be\b[^.]*\bif|might|may be"
    r"|could be(?!\s(?:made|built|formed|filled|packed|sold|bought|seated|served|fed|baked|cut"
    r"|painted|planted|created|produced|assembled|given|sent|drawn|washed|covered|purchased|prepared)\b)"
    r"|assum(?:e|ing)|suppose"
    r"|either(?!\s[\w-]+-\s?or\s)(?=[^.]*\d[^.]*\bor\b|[^.]*\bor\s(?:[a-z]+\s){0,2}\S{0,2}\d)"
    r"|either(?<!\bin\seither)(?<!\bof\seither)(?<!\bwith\seither)(?<!\bgot\seither)(?<!\bhave\seither)"
    r"(?<!\bhas\seither)(?<!\bthat\sare\seither)(?<!\bwhich\sare\seither)(?<!\bwho\sare\seither)(?<!\(either)(?<!\blike\seither)(?!\s[\w-]+-\s?or\s)"
    r"(?<![a-z]ed\seither)(?=[^.]*\bor\b)|(?:(?<!\beach )one of|any of)"
    r" (?:these|those|them|the (?:following|answers|options|numbers|values)|\W?\d)|not only)\b"
    r"|\b(?:not|n't|cannot|unable to|impossible to|no way to)\s+(?:(?:at all|really|quite|too|so"
    r"|entirely|fully|completely|totally|be)\s+)*"
    r"(?:sure|certain|determined?|known?|say|tell|answer(?:ed)?|solved?|found|calculated?|enough)\b"
    r"|n't (?:know|determine|tell|say|find)\b|\bnot (?:enough|sufficient)\b|[?？]\s*\Z"
    r"|\b(?:no idea|no clue|or any|anything(?<!\bto\sanything)|whatever)\b|\bno way (?:it|that)\b"
    r"|\bwrong to (?:say|conclude|think|assume|answer|claim)\b"
    r"|(?:但|可)(?:这|那|它)?(?:其实)?(?:是)?(?:错|不对)|では(?:ありません|ない)|じゃない"
    r"|\b(?:(?<!other\s)(?<!others\s)(?<!\d\s)(?<!winning\s)(?<!number of\s)candidates?"
    r"(?!\s(?:[a-z]\b(?!\s?[=:])|who|got|gets|receive[ds]?|w[oi]ns?|lost|pass(?:ed)?|fail(?:ed)?"
    r"|scored|voted))|(?<!only )(?<!only remaining )(?<!\d\s)(?<!\bof\sthe\s)possibilit(?:y|ies)"
    r"|possibilities(?=\s?:|\s(?:are|is|remain|include)\b)|one of the possibilities"
    r"|(?:guess(?:es)?|options|choices|error)\s?:)"
    r"|\(or (?:maybe |perhaps )?\$?\d[\d.,]*(?:\)|,| or| if| when| depending)|\bjust guessing\b"
    r"|\bif I had to\b|\b(?:a|some) number (?:around|near|like|close)\b"
    r"|\b(?:quizás?|quizas|tal vez|peut-être|vielleicht|wahrscheinlich|forse|talvez)\b"
    r"|\b(?:es\s(?:posible|probable)\sque|puede\sque|potrebber?o?|podrían?|pourrai(?:en)?t"
    r"|könnten?|poderiam?|pode\sser)\b"
    r"|à\smoins\squ|\ba\smenos\sque\b|\bes\ssei\sdenn\b|\ba\smeno\sche\b|\bschwanke\b"
    r"|\bj['’]hésite\b|\bdudo\sentre\b|\bindecis[oa]\b"
    r"|\b(?:no\spuede(?:n)?\sser|ne\speut\spas\sêtre|kann\snicht|non\spuò\sessere|não\spode\sser"
    r"|не\sможет\sбыть)\b"
    r"|возможно|может быть|我猜|不太?确定|n'est (?:[^\W\d_]+ment )?pas|\bno es\b|\bnicht\b"
    r"|\bnon è\b|\bне\b|或|吗|也许|可能|不是|では(?:ない|あり)|아니"
    r"|,\sI\s(?:guess|reckon)\W*\Z|\d(?:\s[a-z]+)?\sor\sso\W*\Z|ربما|ليست?\b|لعل|؟|शायद|संभवतः|नहीं|\s(?:या|أو)\s(?=\d)|क्या\s"
)
_ASSUMING = re.compile(r"\A\W*(?:So|Then)?,?\s*Assuming\b[^,?]{1,120}?(?<!\d),\s(?=.*\d)")
"""A premise before the main clause is no doubt."""
EXAMPLE = Sought(
    r",?\s?\(?\b(?:for example|for instance|such as|e\.g)\b|,\s(?:like|say),?\s(?=\S?\d)"
)
"""What leads to values that are no statement."""
_UNKNOWN = re.compile(r"(?:\b(?:not|cannot|unable|impossible|no)\b|n't)(?!\s(?:sure|certain)\b)")
_SEEMS = re.compile(
    r"(?:might|may|could|maybe|perhaps)\s[^.;,\d]{0,40}?\b(?:tempted|tempting|seems?|looks?|appears?|think|expect|argue|easier|surpris\w+|object|wonder|worry)\b",
    re.I,
)
"""A doubt of what is not the answer, or of how it is found: `You might expect 72; however, ...`."""
_OVERCOME = re.compile(r"[,;]\s(?:but|yet|however)\b|:\s(?=it\b)")
"""Behind what nobody can know, that something else leads to the answer: `..., but x + y = 7.`"""
_OTHER_DOUBT = Sought(
    r"\A\W*(?:(?:I|we)(?:['’]m|['’]re|\sam"
    r"|\sare)\s(?:(?:an?\s)?[a-z]+\s){0,2}?(?:not\s(?:\w+\s){0,2}(?:sure|certain)|uns?certain"
    r"|unsure|confused)"
    r"\s(?:(?:at\sfirst\s)?(?:how|if|whether|why|which)|an?|the|there|about|of|by)\b"
    r"(?![^,]*\b(?:answer|right|correct|this|it)\b)|there\s(?:may|might"
    r"|could)\sbe\b)[^.?]{3,100}?,\sbut\s(?=[^.]*\d)"
)
"""A doubt about something else than the value: `There may be a faster way, but ...`."""
_EQUALS = re.compile(
    r"\b(?:(?<!\bor\s)equals?|is equal to|(?:come|evaluate|converge|reduce|amount)s? to"
    r"|simplif(?:y|ies) to"
    r"|which comes out (?:at|to)|which (?:gives|(?:would|will) give)(?: us)?)\b(?: exactly)?"
    r"|,\swhich\sis\sthe\ssame\sas\b|,\sgiving\b(?:\sus)?(?=\s[-−$]{0,2}\d\S*(?<![\d,]),?(?:\s|\Z)|\s[-−$]{0,2}\d\S*\Z)"
)
_RATE = Sought(
    r"(?<=[a-z])(?:\s?[:;–—-]|,?\swhich\sis|\s\[)\s?(?:that\sis\s"
    r"|at\s)?\$?\d[\d.,]*\s(?:[a-z]+\s){0,2}?(?:each|per|every|apiece)\b[^.=\n]*(?=[.\]!]*\s*\Z)"
)
"""What a total is made of, behind it: `150 eggs: 25 each day for 6 days`."""
_STEP = re.compile(r"\A\W*[Ss]tep\s\d+\s?[:.)]\s++(?=\D*[a-zA-Z]{2}\D*\d)")
"""What numbers a sentence: `Step 3: Therefore, 280 are left`."""
_BRACKETS = re.compile(r"(?:[a-z]\s*(?:=|\\in)\s*)?(?:\\left)?(?:\\\{|[(\[][^()\[\]]*,)")
_IS_FORMULA = re.compile(
    r"\b(?:is|are|equals|be|becomes|gives|get|to|of)\s+(?:then\s|thus\s|just\s|simply\s)?\Z"
)
_POWERED = re.compile(
    r"\^(?:(?<=[\s/·*⋅\d][kcdmn]m\^)|(?<=[\s/·*⋅\d](?:ft|in|yd|mi)\^)|(?<=[\s/·*⋅\d][ms]\^))"
    r"\{?(-?[123])\}?(?!\w)"
)
"""Of a unit, the power is no value: `25 kg m/s^2`."""
_UPRIGHT = r"\{{(?:\\(?:text|mathrm)\{{)?({})\}}{{1,2}}"
_RATE_OF_UNITS = re.compile(
    r"(?<=\d)\s?\\[dt]?frac" + "".join(_UPRIGHT.format(alternatives(names)) for names in RATES)
)
"""A unit per another as a fraction: `50\\frac{km}{h}`."""
_RAISED = str.maketrans("-123", "⁻¹²³")
_NEGATIVE = Sought(r"\bnegative\s(?=\d)")
_BELOW_ZERO = Sought(
    r"(?<![\d.-])(\d[\d.]*(?:\s?°\s?[CF]?|\sdegrees(?:\s[a-z]+)?)?)\sbelow\szero\b"
)
_NAMED = Sought(
    r"\banswer(?:\s(?:to|for|of)\b[^.\n]{1,120}?)?\s*(?:is|would be(?![^.]*\bif\b)|:|=)"
)
"""What names the answer among the sentences of a longer text."""


def is_prose(text: str) -> bool:
    """Return whether a text speaks rather than calculates."""
    if (not text.isascii() and _CJK.search(text)) or _CONCLUDED.match(text):
        return True
    word = _WORD.search(text, 0, 400)
    second = word and _WORD.search(text, word.end(), 400)
    return second is not None or _SPEAKS.search(text, 0, 400) is not None


def is_hedged(sentence: str) -> bool:
    """Return whether a sentence doubts what it says."""
    sentence = _without_premise(sentence)
    hedge = _HEDGE.search(sentence)
    if hedge is None:
        return False
    seems = _SEEMS.search(sentence, hedge.start()) is not None
    beside = seems or _UNKNOWN.search(hedge[0]) is not None
    overcome = _OVERCOME.search(sentence, hedge.end()) if beside else None
    if overcome is None or _HEDGE.search(sentence[overcome.end() :]):
        return True
    if seems:
        return VALUE.search(sentence, overcome.end()) is None
    return not concludes(sentence, overcome.start())


def doubts(text: str) -> bool:
    """Return whether a text doubts what was said before it, or takes it back."""
    return is_hedged(text) or TAKES_BACK.search(text) is not None


def statement(text: str, *, is_tail: bool = False) -> str | None:
    """Return the quantity that prose states in the end, or None where it states none.

    The tail of an `Ending` is without remarks and reasons, and its numbers are in digits.

    >>> statement("Austin picked 13 and 11 bags. So that is a total of 24 bags of fruit.")
    '24'
    >>> statement("Janet could save 2 albums for $20."), statement("It might be 24.")
    ('2', None)
    """
    if not is_prose(text):
        return None
    text = without_tags(without_turns(text)[-_MAX_CHARS:])
    text = text[text.rfind("\\end{") + 1 :]
    if not is_tail:
        text = without_reasons(with_counts(with_parts(without_remarks(text))))
    if "\\begin" in text:
        return None
    text = text[:-NEAR] + _without_rate(with_two_units(text[-NEAR:]))
    written, text = text, _NEGATIVE.sub("-", without_money(text))
    text = _BELOW_ZERO.sub(r"-\1", text)
    if "^" in text:
        text = _POWERED.sub(lambda power: power[1].translate(_RAISED), text)
    formulas = list(FORMULA.finditer(text)) if "$" in text or "\\" in text else []
    if "frac{" in text:
        text = _RATE_OF_UNITS.sub(r" \1/\2", text)
        formulas = list(FORMULA.finditer(text))
    if formulas:
        if (formula := _last_formula(text, formulas[-1])) is not None:
            return formula
        text = _bare(text, formulas)
    if "equal" in text or "s to " in text or "come" in text or "giv" in text or " same as " in text:
        text = _EQUALS.sub(" = ", text)
    if " and thus " in text or " and hence " in text or " and therefore " in text:
        text = _AND_SO.sub(", ", text)
    text = after_name(text)
    sentences = [part for part in _sentences(text) if part.strip()]
    if sentences and (value := _ends_in_words(sentences[-1])):
        return value
    for part in reversed(sentences[-_MAX_SENTENCES:]):
        example = EXAMPLE.search(part)
        sentence = part[: example.start()] if example else part
        if VALUE.search(sentence):
            if compares(sentence):
                continue
            sentence = _without_premise(_STEP.sub("", sentence, count=1))
            value = None if is_hedged(sentence) else stated_in(sentence)
            return _as_money(value, written) if value else None
        if TAKES_BACK.search(sentence) or (example and _HEDGE.search(sentence)):
            return None
    if not sentences:
        return None
    return number_in_words(sentences[-1], doubted=_HEDGE.search(sentences[-1]) is not None)


def _without_premise(sentence: str) -> str:
    sentence = _OTHER_DOUBT.sub("", sentence) if ", but " in sentence else sentence
    return _ASSUMING.sub("", sentence) if "Assuming" in sentence else sentence


def _sentences(text: str) -> list[str]:
    """Return a text's sentences without what ends them, but for a question mark."""
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        found.append(text[start : end.start() + (end[0] in "?？")])
        start = end.end()
    return [*found, text[start:]]


def after_name(text: str) -> str:
    """Return what follows the last name of an answer in a sentence, `the answer to it is`."""
    named = last_of(_NAMED.finditer(text))
    return text[named.end() :] if named and VALUE.search(text, named.end()) else text


def _without_rate(text: str) -> str:
    """Return a text without what the total is made of that it ends with."""
    end = text.rstrip().rstrip(".]!")
    last = end[max(map(end.rfind, ".=\n")) + 1 :]  # a rate goes on to the end from there
    return _RATE.sub("", text) if _RATE.may_be_in(last) else text


def _as_money(value: str, written: str) -> str:
    """Return an amount with the dollar sign it was written with, where a word multiplies it."""
    if not value[-1].isalpha() or f"${value}" not in written:
        return value
    return f"\\${value}"


def _last_formula(text: str, last: re.Match[str]) -> str | None:
    """Return a set, interval, point or unknown that a text ends with, which no digits tell."""
    if text[last.end() :].strip(" .!*\n"):
        return None
    before = _sentences(text[: last.start()])[-1]
    found = inside(last).strip()
    if _HEDGE.search(before):
        return None
    if _BRACKETS.match(found):
        return found
    named = _IS_FORMULA.search(before) is not None and not any(c.isdigit() for c in found)
    return found.rsplit("=", 1)[-1] if named else None


def _bare(text: str, formulas: list[re.Match[str]]) -> str:
    """Return a text with its formulas without the signs around them."""
    pieces, end = [], 0
    for formula in formulas:
        pieces += [text[end : formula.start()], inside(formula)]
        end = formula.end()
    return " ".join([*pieces, text[end:]]).replace("  ", " ").replace(" . ", ". ")


def _ends_in_words(sentence: str) -> str | None:
    """Return the number that a last sentence without digits concludes or ends with."""
    if VALUE.search(sentence) or not STATED_IN_WORDS.search(sentence) or _HEDGE.search(sentence):
        return None
    return number_in_words(sentence)
