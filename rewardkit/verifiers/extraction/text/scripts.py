"""Digits and units of Arabic and Indian scripts, read as those of ours: `६० किमी/घंटा`."""

from __future__ import annotations

import re
import unicodedata

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
_BEGIN = (0xD8, 0xD9, 0xDA, 0xDB, 0xE0)
"""Of UTF-8: what each character of these scripts begins with, found in no time."""


def with_our_digits(text: str) -> str:
    """Return a text with digits and units of Arabic and Indian scripts as those of ours.

    >>> with_our_digits("अंतिम उत्तर: ६० किमी/घंटा"), with_our_digits("الجواب هو ٣٫٥")
    ('अंतिम उत्तर: 60 km/h', 'الجواب هو 3.5')
    """
    if text.isascii():
        return text
    data = text.encode(errors="surrogatepass")
    if not any(map(data.__contains__, _BEGIN)):
        return text
    if _ANY.search(text):
        text = text.translate({**_DIGITS, **_MARKS})
    return _MEASURED.sub(_unit, text) if _LETTERS.search(text) else text


def _unit(found: re.Match[str]) -> str:
    raised = (found["square"] or "") + (found["behind"] or "")
    power = "^2" if "वर्ग" in raised or "مربع" in raised else "^3" if raised else ""
    per = f"/{_SAID[found['per']]}" if found["per"] else ""
    return f" {_SAID[found['unit']]}{power}{per}"
