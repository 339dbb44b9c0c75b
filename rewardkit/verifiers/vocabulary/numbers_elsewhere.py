"""Numbers in words as German, French, Spanish, Italian, Portuguese, Dutch and Russian say them.

Each language is a rule that says a number below a thousand, and what it calls more. Words are read
by having been said once: what no rule says is no number. They stand without gaps, hyphens and
accents, as `folded` writes them, since languages differ in little else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import words

Said = Iterator[str]


class Language(NamedTuple):
    """How a language counts."""

    names: str
    """Its names of numbers below a thousand, from which `say` puts the rest together."""
    say: Callable[[int], Said]
    """A whole number below 1,000 -> how it is said, in each way there is."""
    scales: tuple[tuple[str, int], ...]
    """What larger numbers are counted in, the largest first."""
    joiner: str
    """What may stand between thousands and the rest."""
    parts: str
    """What it calls a half, a third ... a tenth."""
    speaks: str
    """Small words that show a text to be in it, none of them English."""


_NO_LETTERS = as_pattern(r"[\W\d_]+")


def folded(word: str) -> str:
    """Return a word in small letters without accents, hyphens and gaps.

    >>> folded("Dreißig"), folded("dieciséis"), folded("quatre-vingts")
    ('dreissig', 'dieciseis', 'quatrevingts')
    """
    plain = unicodedata.normalize("NFD", word.lower().replace("ß", "ss"))
    return _NO_LETTERS.sub("", plain)


_GERMAN = """null eins|ein|eine|einen|einem|einer zwei|zwo drei vier funf|fuenf sechs sieben acht
    neun zehn elf zwolf|zwoelf dreizehn vierzehn funfzehn|fuenfzehn sechzehn siebzehn achtzehn
    neunzehn"""
_GERMAN_TENS = "zwanzig dreissig vierzig funfzig|fuenfzig sechzig siebzig|siebenzig achtzig neunzig"
_DUTCH = """nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien
    vijftien zestien zeventien achttien negentien"""
_DUTCH_TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig"
_FRENCH = """zero un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze
    quinze seize dixsept dixhuit dixneuf"""
_FRENCH_TENS = "vingt trente quarante cinquante soixante septante huitante|octante nonante"
_SPANISH = """cero uno|un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece
    catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno|veintiun|veintiuna
    veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve"""
_SPANISH_TENS = "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_SPANISH_HUNDREDS = """ciento doscientos|doscientas trescientos|trescientas
    cuatrocientos|cuatrocientas quinientos|quinientas seiscientos|seiscientas
    setecientos|setecientas ochocientos|ochocientas novecientos|novecientas"""
_ITALIAN = """zero uno|un|una due tre quattro cinque sei sette otto nove dieci undici dodici tredici
    quattordici quindici sedici diciassette diciotto diciannove"""
_ITALIAN_TENS = "venti trenta quaranta cinquanta sessanta settanta ottanta novanta"
_PORTUGUESE = """zero um|uma dois|duas tres quatro cinco seis sete oito nove dez onze doze treze
    catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove"""
_PORTUGUESE_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
_PORTUGUESE_HUNDREDS = """cento duzentos|duzentas trezentos|trezentas quatrocentos|quatrocentas
    quinhentos|quinhentas seiscentos|seiscentas setecentos|setecentas oitocentos|oitocentas
    novecentos|novecentas"""
_RUSSIAN = """ноль один|одна|одно два|две три четыре пять шесть семь восемь девять десять
    одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать
    девятнадцать"""
_RUSSIAN_TENS = "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто"
_RUSSIAN_HUNDREDS = "сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот"


@lru_cache(maxsize=64)
def _forms(words: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(word.split("|")) for word in words.split())


def _joined(*pieces: Iterable[str]) -> Said:
    return map("".join, product(*pieces))


def _units_first(small: str, tens: str, link: str, hundred: str) -> Callable[[int], Said]:
    """Return the rule of a language that says `one and twenty`."""

    def say(n: int) -> Said:
        if n < 20:
            yield from _forms(small)[n]
        elif n < 100:
            unit = _joined(_forms(small)[n % 10], (link,)) if n % 10 else ("",)
            yield from _joined(unit, _forms(tens)[n // 10 - 2])
        else:
            heads = _forms(small)[n // 100]
            rest = _joined(("", link), say(n % 100)) if n % 100 else ("",)
            yield from _joined(heads if n >= 200 else ("", *heads), (hundred,), rest)

    return say


def _tens_first(
    small: str, tens: str, hundreds: str, hundred: str, links: tuple[str, str]
) -> Callable[[int], Said]:
    """Return the rule of a language that says `twenty and one`, and what it links them with."""

    def say(n: int) -> Said:
        known = _forms(small)
        if n < len(known):
            yield from known[n]
        elif n < 100:
            unit = _joined((links[0],), known[n % 10]) if n % 10 else ("",)
            yield from _joined(_forms(tens)[n // 10 - 2], unit)
        else:
            rest = _joined((links[1],), say(n % 100)) if n % 100 else ("",)
            yield from _joined(_forms(hundreds)[n // 100 - 1] if n > 100 else (hundred,), rest)

    return say


def _french(n: int) -> Said:
    small, (ten, unit) = _forms(_FRENCH), divmod(n % 100, 10)
    if n >= 100:
        heads = small[n // 100] if n >= 200 else ("",)
        yield from _joined(heads, ("cent",), _french(n % 100) if n % 100 else ("", "s"))
    elif n < 20:
        yield from small[n]
    else:
        units = small[unit] if unit else ("",)
        yield from _joined(_forms(_FRENCH_TENS)[ten - 2], ("et", "") if unit == 1 else ("",), units)
        if ten == 7:
            yield from _joined(("soixante",), ("et", "") if unit == 1 else ("",), small[n - 60])
        elif ten > 7:
            yield from _joined(("quatrevingt",), small[n - 80] if n > 80 else ("s", ""))


def _italian(n: int) -> Said:
    small = _forms(_ITALIAN)
    if n >= 100:
        head = f"{small[n // 100][0] if n >= 200 else ''}cento"
        for rest in _italian(n % 100) if n % 100 else ("",):
            yield head + rest
            if rest.startswith("o"):
                yield head[:-1] + rest  # centotto
    elif n < 20:
        yield from small[n]
    else:
        [ten] = _forms(_ITALIAN_TENS)[n // 10 - 2]
        head = ten[:-1] if n % 10 in (1, 8) else ten  # ventuno, ventotto
        yield from _joined((head,), small[n % 10] if n % 10 else ("",))


LANGUAGES = (
    Language(
        f"{_GERMAN} {_GERMAN_TENS} hundert tausend",
        _units_first(_GERMAN, _GERMAN_TENS, "und", "hundert"),
        (("milliarden", 10**9), ("milliarde", 10**9), ("millionen", 10**6), ("million", 10**6),
         ("tausend", 10**3)),
        "und",
        "halbe|halbes drittel viertel funftel|fuenftel sechstel siebtel achtel neuntel zehntel",
        "antwort losung ergebnis der das dem ist sind und ein eine insgesamt betragt"
        " kostet lautet wir haben von bleiben ergibt es sie fur den im zum nach bei werden wird"
        " jetzt",
    ),
    Language(
        f"{_FRENCH} {_FRENCH_TENS} cent mille",
        _french,
        (("milliards", 10**9), ("milliard", 10**9), ("millions", 10**6), ("million", 10**6),
         ("mille", 10**3)),
        "",
        "demi|demie tiers quart cinquieme sixieme septieme huitieme neuvieme dixieme",
        "reponse le la les des est sont il elle donc et une du resultat reste coute ont"
        " nous dans avec au aux",
    ),
    Language(
        f"{_SPANISH} {_SPANISH_TENS} {_SPANISH_HUNDREDS} cien mil",
        _tens_first(_SPANISH, _SPANISH_TENS, _SPANISH_HUNDREDS, "cien", ("y", "")),
        (("millones", 10**6), ("millon", 10**6), ("mil", 10**3)),
        "",
        "medio|media tercio|tercera cuarto|cuarta quinto|quinta sexto|sexta septimo|septima"
        " octavo|octava noveno|novena decimo|decima",
        "respuesta el la los las es lo tanto entonces en de resultado quedan tiene tienen del por"
        " una",
    ),
    Language(
        f"{_ITALIAN} {_ITALIAN_TENS} cento mille",
        _italian,
        (("miliardi", 10**9), ("miliardo", 10**9), ("milioni", 10**6), ("milione", 10**6),
         ("mille", 10**3), ("mila", 10**3)),
        "e",
        "mezzo|mezza|mezzi terzo|terzi quarto|quarti quinto|quinti sesto|sesti settimo|settimi"
        " ottavo|ottavi nono|noni decimo|decimi",
        "risposta il la gli le sono quindi totale di risultato restano una del della dei delle nel"
        " hanno",
    ),
    Language(
        f"{_PORTUGUESE} {_PORTUGUESE_TENS} {_PORTUGUESE_HUNDREDS} cem mil",
        _tens_first(_PORTUGUESE, _PORTUGUESE_TENS, _PORTUGUESE_HUNDREDS, "cem", ("e", "e")),
        (("bilhoes", 10**9), ("bilhao", 10**9), ("milhoes", 10**6), ("milhao", 10**6),
         ("mil", 10**3)),
        "e",
        "meio|meia terco quarto quinto sexto setimo oitavo nono decimo",
        "resposta sao portanto de resultado restam uma ele ela tem um por custa dos das mes",
    ),
    Language(
        f"{_DUTCH} {_DUTCH_TENS} honderd duizend",
        _units_first(_DUTCH, _DUTCH_TENS, "en", "honderd"),
        (("miljard", 10**9), ("miljoen", 10**6), ("duizend", 10**3)),
        "en",
        "half|halve derde kwart vijfde zesde zevende achtste negende tiende",
        "antwoord de het een zijn dus totaal heeft hebben resultaat nog",
    ),
    Language(
        f"{_RUSSIAN} {_RUSSIAN_TENS} {_RUSSIAN_HUNDREDS} тысяча тысячи тысяч",
        _tens_first(_RUSSIAN, _RUSSIAN_TENS, _RUSSIAN_HUNDREDS, "сто", ("", "")),
        (("миллионов", 10**6), ("миллиона", 10**6), ("миллион", 10**6), ("тысячи", 10**3),
         ("тысяча", 10**3), ("тысяч", 10**3)),
        "",
        "половина треть|трети|третьих четверть|четверти|четвертых пятая|пятых шестая|шестых"
        " седьмая|седьмых восьмая|восьмых девятая|девятых десятая|десятых",
        "ответ итак равно получаем это всего осталось",
    ),
)  # fmt: skip
ALSO_ENGLISH = words("""null elf six cent cents mille mil dix once dos due sei sept seize venti
    quince million millions zero otto uno""")
"""Names of numbers that are English words or names too, and so no numbers in an English text."""
BEGINNING = 3
"""So many letters of its first name tell a number from most other words."""
_PART_ENDINGS = ("stel", "tel", "ieme", "avo")
"""What makes a part of a larger number: `douzième`."""
_MAX_LETTERS = 120
"""Of a number in words; a longer one is none."""


@lru_cache(maxsize=len(LANGUAGES))
def names(language: Language) -> frozenset[str]:
    """Return the words that numbers are put together from."""
    scales = (name for name, _ in language.scales)
    return frozenset(chain(chain.from_iterable(_forms(language.names)), scales))


@lru_cache(maxsize=len(LANGUAGES))
def beginnings(language: Language) -> frozenset[str]:
    """Return how the words begin that a number in words can be of."""
    return frozenset(name[:BEGINNING] for name in names(language))


@lru_cache(maxsize=len(LANGUAGES))
def _below_thousand(language: Language) -> dict[str, int]:
    return {said: n for n in range(1000) for said in language.say(n)}


@lru_cache(maxsize=1024)
def whole_number(said: str, language: Language) -> int | None:
    """Return the whole number that folded words say in a language, or None.

    >>> whole_number("einundzwanzig", LANGUAGES[0]), whole_number("quatrevingtmille", LANGUAGES[1])
    (21, 80000)
    """
    if len(said) > _MAX_LETTERS:
        return None
    if (found := _below_thousand(language).get(said)) is not None:
        return found
    for name, size in language.scales:
        count, scale, rest = said.partition(name)
        times = scale and (whole_number(count, language) if count else 1)
        if not times:
            continue
        if not rest:
            return times * size
        for tail in (rest, rest.removeprefix(language.joiner)):
            last = whole_number(tail, language)
            if last and last < size:
                return times * size + last
    return None


def part_of_whole(said: str, language: Language) -> Fraction | None:
    """Return what a folded word calls a part of the whole, or None.

    >>> part_of_whole("drittel", LANGUAGES[0]), part_of_whole("douziemes", LANGUAGES[1])
    (Fraction(1, 3), Fraction(1, 12))
    """
    for word in (said, said.removesuffix("s")):
        for size, forms in enumerate(_forms(language.parts), start=2):
            if word in forms:
                return Fraction(1, size)
        for ending in _PART_ENDINGS:
            stem = word.removesuffix(ending)
            if stem == word:
                continue
            whole = whole_number(stem, language) or whole_number(f"{stem}e", language)
            if whole and whole > 10:
                return Fraction(1, whole)
    return None


_MONTHS = (
    "januar janvier enero gennaio janeiro januari января",
    "februar fevrier febrero febbraio fevereiro februari февраля",
    "marz maerz mars marzo marco maart марта",
    "april avril abril aprile апреля",
    "mai mayo maggio maio mei мая",
    "juni juin junio giugno junho июня",
    "juli juillet julio luglio julho июля",
    "august aout agosto augustus августа",
    "september septembre septiembre settembre setembro сентября",
    "oktober octobre octubre ottobre outubro октября",
    "november novembre noviembre novembro ноября",
    "dezember decembre diciembre dicembre dezembro december декабря",
)
MONTHS_ELSEWHERE = {name: k for k, names in enumerate(_MONTHS) for name in names.split()}
"""A month's name, folded -> how many are before it."""
