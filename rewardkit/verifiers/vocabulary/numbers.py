"""Numbers in words, and words that multiply or change the number before them."""

from __future__ import annotations

from fractions import Fraction

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
NUMBER_WORDS_ELSEWHERE = {
    word: value
    for value, words in {
        0: "null zéro cero ноль",
        1: "eins uno один",
        2: "zwei deux dos due dois duas два две",
        3: "drei trois tres tre três три",
        4: "vier quatre cuatro quattro quatro четыре",
        5: "fünf cinq cinco cinque пять",
        6: "sechs seis sei шесть",
        7: "sieben sept siete sette sete семь",
        8: "acht huit ocho otto oito восемь",
        9: "neun neuf nueve nove девять",
        10: "zehn dix diez dieci dez десять",
        11: "elf onze undici одиннадцать",
        12: "zwölf douze doce dodici doze двенадцать",
        13: "dreizehn treize trece tredici treze",
        14: "vierzehn quatorze catorce",
        15: "fünfzehn quinze quince quindici пятнадцать",
        16: "sechzehn seize dieciséis sedici",
        17: "siebzehn dix-sept diecisiete",
        18: "achtzehn dix-huit dieciocho",
        19: "neunzehn dix-neuf diecinueve",
        20: "zwanzig vingt veinte venti vinte двадцать",
        30: "dreißig trente treinta trenta trinta тридцать",
        40: "vierzig quarante cuarenta quaranta quarenta сорок",
        50: "fünfzig cinquante cincuenta cinquanta cinquenta пятьдесят",
        60: "sechzig soixante sesenta sessanta sessenta",
        100: "hundert cent cien cento cem сто",
    }.items()
    for word in words.split()
}  # fmt: skip
"""Whole numbers as a response in another language may end with one."""
CHINESE_DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True), 两=2, 〇=0)
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
"""What a number of up to three digits is said of: `two million one thousand`."""
MULTIPLES: dict[str, int | Fraction] = {
    **SCALES, **{f"{name}s": size for name, size in SCALES.items()},
    "hundred": 100, "hundreds": 100, "dozen": 12, "dozens": 12, "lakh": 10**5, "crore": 10**7,
    "bn": 10**9, "double": 2, "triple": 3,
    "halves": Fraction(1, 2), "thirds": Fraction(1, 3), "quarters": Fraction(1, 4),
    "fourths": Fraction(1, 4), "fifths": Fraction(1, 5), "sixths": Fraction(1, 6),
    "sevenths": Fraction(1, 7), "ninths": Fraction(1, 9), "twelfths": Fraction(1, 12),
    "eighths": Fraction(1, 8), "tenths": Fraction(1, 10), "hundredths": Fraction(1, 100),
    "thousandths": Fraction(1, 1000),
}  # fmt: skip
"""Words that multiply the number before them."""
OPERATIONS = frozenset((
    "squared", "cubed", "factorial", "doubled", "tripled", "halved", "reciprocal", "minus", "plus",
    "imaginary", "invalid", "impossible", "infinite", "false", "undefined", "half", "third",
    "inverse", "negative", "inverted", "negated",
))  # fmt: skip
"""Words after a number that make another one of it, and so are no units."""
ORDINAL_SUFFIXES = {"1": "st", "2": "nd", "3": "rd"}
"""Last digit -> what follows it in `21st`; after any other, and in the teens, `th`."""
ORDINALS = frozenset((*ORDINAL_SUFFIXES.values(), "th"))
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
