"""Digits, units and scales of other scripts, read as those of ours: `६० किमी/घंटा`, `9万`."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from rewardkit.verifiers.vocabulary.patterns import alternatives, same_as

_ZEROS = "٠۰०০੦૦௦๐"
"""The digits of each script stand behind its zero."""
_DIGITS = {ord(zero) + k: str(k) for zero in _ZEROS for k in range(10)}
_MARKS = {ord("٫"): ".", ord("٬"): ","}
_ANY = re.compile(f"[{''.join(map(chr, _DIGITS))}]")
_LETTERS = re.compile("[\u0600-\u06ff\u0900-\u097f]")
_UNITS = {
    "km": "किमी किलोमीटर कि.मी. كم كيلومتر كيلومترا كيلومترات",
    "m": "मीटर मी م متر مترا أمتار",
    "cm": "सेमी सेंटीमीटर से.मी. سم سنتيمتر سنتيمترا سنتيمترات",
    "mm": "मिमी मिलीमीटर مم مليمتر ملم",
    "h": "घंटा घंटे घण्टे घण्टा ساعة ساعات",
    "min": "मिनट دقيقة دقائق",
    "s": "सेकंड सेकण्ड ثانية ثوان ثواني",
    "days": "दिन يوم يوما أيام",
    "kg": "किग्रा किलोग्राम كغ كجم كيلوغرام كيلوجرام كيلوغراما",
    "g": "ग्राम غرام جرام غراما غ",
    "liters": "लीटर لتر لترا لترات",
    "rupees": "रुपये रुपए रुपया रु",
    "%": "प्रतिशत بالمئة بالمائة",
}
_SAID = {
    unicodedata.normalize("NFC", name): unit
    for unit, said in _UNITS.items()
    for name in said.split()
}
_NAME = "|".join(re.escape(name) for name in sorted(_SAID, key=len, reverse=True))
_GOES_ON = "(?![^\\W\\d_²³]|[\u0900-\u097f])"
_MEASURED = re.compile(
    rf"(?<=\d)\s?(?P<square>वर्ग\s|घन\s)?(?P<unit>{_NAME})(?P<behind>\s(?:مربع(?:ا|ة)?|مكعب(?:ا|ة)?))?"
    rf"(?:\s?(?:/|प्रति\s|في\sال|لكل\s)\s?(?P<per>{_NAME}))?{_GOES_ON}"
)
_SCALES = same_as("""1000: 千 천 हज़ार हजार হাজার వేలు వేల พัน ألف آلاف тысяч тысячи тысяча тыс.;
    10000: 万 萬 만 หมื่น; 100000: लाख লাখ লক্ষ లక్ష లక్షలు లక్షల แสน;
    1000000: ล้าน مليون ملايين миллион миллиона миллионов млн; 10000000: करोड़ কোটি కోటి కోట్లు కోట్ల;
    100000000: 亿 億 억; 1000000000: миллиард миллиарда миллиардов млрд; 1000000000000: 兆 조""")
_MAY_BE_SCALED = re.compile(rf"[0-9]\s?[{''.join(sorted({name[0] for name in _SCALES}))}]")
"""It begins with a digit, or every place would be tried."""
_SCALED = re.compile(
    rf"(?<![\d.,])(?<![万萬만億亿억])(?<![万萬만億亿억]\s)(\d[\d,]*(?:\.\d+)?)\s?({alternatives(_SCALES)})"
    r"(?![克米瓦卡帕伏焦赫а-яё\u0600-\u06ff\u0900-\u0dff])(?!\s?\d)"
)
"""No beginning of another word, `5千克`, and none of the two of `3万5千`."""
_NEAR_END = 400
_OF_OTHERS = bytes({*range(256)} - {*range(0xD8, 0xDC), 0xE0})
"""Of UTF-8: what no character of these scripts begins with."""


def with_our_digits(text: str) -> str:
    """Return a text with digits and units of Arabic and Indian scripts as those of ours.

    >>> with_our_digits("अंतिम उत्तर: ६० किमी/घंटा"), with_our_digits("الجواب هو ٣٫٥")
    ('अंतिम उत्तर: 60 km/h', 'الجواب هو 3.5')
    """
    if text.isascii() or not text.encode(errors="surrogatepass").translate(None, _OF_OTHERS):
        return text
    if _ANY.search(text):
        text = text.translate({**_DIGITS, **_MARKS})
    return _MEASURED.sub(_unit, text) if _LETTERS.search(text) else text


def with_scales(text: str) -> str:
    """Return a text with the numbers that a word of another script multiplies in digits.

    >>> with_scales("答案是3.5万元"), with_scales("5 тысяч рублей"), with_scales("5千克")
    ('答案是35000元', '5000 рублей', '5千克')
    """
    if text.isascii() or not _MAY_BE_SCALED.search(text, max(0, len(text) - _NEAR_END)):
        return text
    return _SCALED.sub(_in_full, text)


def _in_full(found: re.Match[str]) -> str:
    size = Fraction(found[1].replace(",", "")) * int(_SCALES[found[2]])
    return str(size.numerator) if size.denominator == 1 else found[0]


def _unit(found: re.Match[str]) -> str:
    raised = (found["square"] or "") + (found["behind"] or "")
    power = "^2" if "वर्ग" in raised or "مربع" in raised else "^3" if raised else ""
    per = f"/{_SAID[found['per']]}" if found["per"] else ""
    return f" {_SAID[found['unit']]}{power}{per}"
