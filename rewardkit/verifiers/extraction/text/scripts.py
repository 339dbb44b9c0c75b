"""Numbers in other scripts, in our digits: `六十`, `百分之二十五`, `६० किमी/घंटा`, `9万`."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import CHINESE_DIGITS, CHINESE_SCALES, CHINESE_TENS
from rewardkit.verifiers.vocabulary.patterns import alternatives, same_as

_ZEROS = "٠۰०০੦૦௦๐"
"""The digits of each script stand behind its zero."""
_DIGITS = {ord(zero) + k: str(k) for zero in _ZEROS for k in range(10)}
_MARKS = {ord("٫"): ".", ord("٬"): ","}
_ANY = as_pattern(f"[{''.join(map(chr, _DIGITS))}]")
_LETTERS = as_pattern("[\u0600-\u06ff\u0900-\u097f]")
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
_MEASURED = as_pattern(
    rf"(?<=\d)\s?(?P<square>वर्ग\s|घन\s)?(?P<unit>{_NAME})(?P<behind>\s(?:مربع(?:ا|ة)?|مكعب(?:ا|ة)?))?"
    rf"(?:\s?(?:/|प्रति\s|في\sال|لكل\s)\s?(?P<per>{_NAME}))?{_GOES_ON}"
)
_SCALES = same_as("""1000: 千 천 हज़ार हजार হাজার వేలు వేల พัน ألف آلاف тысяч тысячи тысяча тыс.;
    10000: 万 萬 만 หมื่น; 100000: लाख লাখ লক্ষ లక్ష లక్షలు లక్షల แสน;
    1000000: ล้าน مليون ملايين миллион миллиона миллионов млн; 10000000: करोड़ কোটি కోటి కోట్లు కోట్ల;
    100000000: 亿 億 억; 1000000000: миллиард миллиарда миллиардов млрд; 1000000000000: 兆 조""")
_MAY_BE_SCALED = as_pattern(rf"[0-9]\s?[{''.join(sorted({name[0] for name in _SCALES}))}]")
"""It begins with a digit, or every place would be tried."""
_SCALED = as_pattern(
    rf"(?<![\d.,])(?<![万萬만億亿억])(?<![万萬만億亿억]\s)(\d[\d,]*(?:\.\d+)?)\s?({alternatives(_SCALES)})"
    r"(?![克米瓦卡帕伏焦赫а-яё\u0600-\u06ff\u0900-\u0dff])(?!\s?\d)"
)
"""No beginning of another word, `5千克`, and none of the two of `3万5千`."""
_NEAR_END = 400
_BEGIN = (0xD8, 0xD9, 0xDA, 0xDB, 0xE0)
"""Of UTF-8: what each character of these scripts begins with, found in no time."""
_SIGNS = "".join((*CHINESE_DIGITS, *CHINESE_TENS, *CHINESE_SCALES))
_COUNT = rf"(?:[{_SIGNS}]+(?:点[{''.join(CHINESE_DIGITS)}]+)?|\d+(?:\.\d+)?)"
_NUMBER_SAID = as_pattern(
    rf"百分之({_COUNT})|({_COUNT})分[之の]({_COUNT})"
    rf"|(?<![第唯统統同单單万\d])([{_SIGNS}]+(?:点[{''.join(CHINESE_DIGITS)}]+)?)"
    r"(?![角边邊次样樣定共起般种種些直切致旦方面元维維分旁路生年月])"
)
"""A percentage, a fraction, and a number that is no piece of another word: `唯一`, `三角形`."""
_MAY = as_pattern(f"[{_SIGNS}分]")


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


def with_chinese_in_digits(text: str) -> str:
    """Return a text with its numbers in Chinese signs in digits.

    >>> with_chinese_in_digits("降低了百分之二十五"), with_chinese_in_digits("5分の3である")
    ('降低了25%', '3/5である')
    >>> with_chinese_in_digits("新增了一万名居民"), with_chinese_in_digits("唯一的三角形")
    ('新增了10000名居民', '唯一的三角形')
    """
    return _NUMBER_SAID.sub(_in_digits, text) if _MAY.search(text) else text


def _in_digits(said: re.Match[str]) -> str:
    percent, whole, part, number = map(_value, said.groups())
    if percent is not None:
        return f"{_written(percent)}%"
    if part is not None and whole:
        return str(part / whole)
    return said[0] if number is None else _written(number)


def _written(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else str(float(value))


def _value(signs: str | None) -> Fraction | None:
    """Return the number that signs say, or None where they say none."""
    if not signs:
        return None
    if signs[0].isdecimal():
        return Fraction(signs)
    whole, _, places = signs.partition("点")
    count = _whole(whole)
    if count is None or not places:
        return None if count is None else Fraction(count)
    return Fraction(f"{count}." + "".join(str(CHINESE_DIGITS[sign]) for sign in places))


def _whole(signs: str) -> int | None:
    if all(sign in CHINESE_DIGITS for sign in signs):
        digits = "".join(str(CHINESE_DIGITS[sign]) for sign in signs)
        return int(digits) if len(digits) == 1 or len(digits) > 3 else None
    total = section = 0
    digit: int | None = None
    size, after_zero = 1, False
    for sign in signs:
        if sign in CHINESE_DIGITS:
            if digit:
                return None  # `二三十` says about how many
            digit, after_zero = CHINESE_DIGITS[sign], digit == 0 or CHINESE_DIGITS[sign] == 0
        elif sign in CHINESE_TENS:
            size = CHINESE_TENS[sign]
            section += (1 if digit is None else digit) * size
            digit = None
        else:
            size = CHINESE_SCALES[sign]
            if not section + (digit or 0):
                return None
            total, section, digit = (total + section + (digit or 0)) * size, 0, None
    if digit and not after_zero and size > 10:
        digit *= size // 10  # `一百二` is 120
    return total + section + (digit or 0)
