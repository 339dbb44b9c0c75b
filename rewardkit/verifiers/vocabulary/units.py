"""Units of measurement by name: what each measures, and how large it is."""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.vocabulary.patterns import phrases, words

_TABLE = """
length: 1 m meter meters metre metres mètre mètres metro metros metri м метров метра 米;
    1000 km kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetro kilómetros
    quilômetro quilômetros chilometri км километров километра 千米 公里;
    0.01 cm centimeter centimeters centimetre centimetres centimètre centimètres centímetro
    centímetros centimetri zentimeter см 厘米;
    0.001 mm millimeter millimeters millimetre millimetres millimètres milímetros мм 毫米;
    0.1 dm decimeter decimeters;
    1609.344 mile miles mi; 0.3048 ft foot feet; 0.0254 inch inches in; 0.9144 yd yard yards;
    1e-6 micron microns um; 1e-9 nm nanometer nanometers; 1e-10 angstrom angstroms;
    9460730472580800 ly lightyear lightyears
length^2: 1 平方米; 0.0001 平方厘米; 1000000 平方千米;
    10000 hectare hectares ha; 4046.8564224 acre acres
length^3: 1 立方米; 0.000001 立方厘米; 0.001 升;
    0.001 l liter liters litre litres litro litros litri литров;
    0.000001 毫升 ml milliliter milliliters millilitre millilitres cc;
    0.003785411784 gallon gallons gal;
    0.000946352946 quart quarts qt; 0.000473176473 pint pints pt;
    0.0002365882365 cup cups
length/length^3: 1609.344/0.003785411784 mpg
length/time: 1609.344/3600 mph; 1852/3600 knot knots; 1000/3600 kph kmh kmph
mass: 1000 kg kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos kilo kilos
    кг 千克 公斤; 1 克 g gram grams gramm gramme grammes gramos gramas grammi;
    0.001 mg milligram milligrams;
    1000000 tonne tonnes; 453.59237 lb lbs pound pounds gbp;
    4.5359237 pence penny;
    28.349523125 oz ounce ounces
time: 1 秒 s sec secs second seconds sekunden secondes segundos secondi;
    60 分钟 min mins minute minutes minuten minutos minuti;
    3600 小时 h hr hrs hour hours stunde stunden heure heures hora horas ч часов часа;
    86400 天 day days tage tagen jours días dias giorni;
    604800 week weeks wk wks wochen semaines semanas settimane; 0.001 ms millisecond milliseconds
years: 1 year years yr yrs jahre ans años anos anni; 1/12 month months mo; 10 decade decades;
    100 century centuries
money: 1 dollar dollars usd bucks; 0.01 cent cents
euro: 1 euro euros eur
yuan: 1 yuan rmb 元
yen: 1 yen
rupee: 1 rupee rupees rs inr; 0.01 paise paisa
angle: 1 degree degrees deg; 360 rev revolution revolutions
angle/time: 6 rpm
radian: 1 rad radian radians
amount: 1 mol mole moles; 0.001 mmol; 1000 kmol
mass/length*time^2: 1000 pa pascal pascals; 1000000 kpa kilopascal kilopascals;
    1000000000 mpa megapascal megapascals; 101325000 atm atmosphere atmospheres;
    100000000 bar bars; 6894757.293168 psi; 133322.387415 mmhg torr
mass*length^2/time^3*current^2: 1000 ohm ohms; 1000000 kohm kohms kiloohm kiloohms
mass/time^2*current: 1000 tesla teslas; 0.1 gauss
mass*length^2/time^2*current: 1000 weber webers wb
mass*length^2/time^2*current^2: 1000 henry henries henrys
time^4*current^2/mass*length^2: 0.001 farad farads
current: 1 a amp amps ampere amperes
current*time: 1 c coulomb coulombs
mass*length/time^2: 1000 newton newtons n; 0.01 dyne dynes
mass*length^2/time^2: 1000 joule joules j; 1000000 kj kilojoule kilojoules;
    4184 calorie calories cal; 4184000 kcal;
    3600000 watthour watthours; 3600000000 kwh; 1.602176634e-16 ev
mass*length^2/time^3: 1000 watt watts w; 1000000 kw kilowatt kilowatts;
    745699.87158227022 hp horsepower
mass*length^2/time^3*current: 1000 volt volts v
time^-1: 1 hz hertz; 1000 khz; 1000000 mhz
kelvin: 1 k kelvin kelvins
decibel: 1 db decibel decibels
data: 1 byte bytes; 1000 kb kilobyte kilobytes; 1000000 mb megabyte megabytes;
    1000000000 gb gigabyte gigabytes; 1e12 tb terabyte terabytes
any: 1 unit units
"""
"""What is measured, in powers of base dimensions: the size of a unit in their base units (metre,
gram, second, ampere, mole, kelvin), and its names in lower case; the next unit."""


def _size(text: str) -> Fraction:
    top, _, bottom = text.partition("/")
    return Fraction(top) / Fraction(bottom or "1")


UNITS = {
    name: (dimension, _size(size))
    for dimension, rows in re.findall(r"^(\S+): (.*(?:\n    .*)*)", _TABLE, re.M)
    for size, *names in map(str.split, rows.split(";"))
    for name in names
}
"""Name in lower case -> (what it measures, its size in that dimension's base units)."""
SYMBOLS = {
    **{symbol: UNITS[name] for symbol, name in (
        ("m", "meter"), ("g", "gram"), ("s", "second"), ("A", "ampere"), ("K", "kelvin"),
        ("mol", "mole"), ("Hz", "hertz"), ("N", "newton"), ("Pa", "pascal"), ("J", "joule"),
        ("W", "watt"), ("C", "coulomb"), ("V", "volt"), ("F", "farad"), ("ohm", "ohm"),
        ("T", "tesla"), ("Wb", "weber"), ("H", "henry"), ("L", "liter"), ("l", "liter"),
        ("bar", "bar"), ("cal", "calorie"), ("Wh", "watthour"),
    )},
    "eV": ("mass*length^2/time^2", Fraction("1.602176634e-16")),
    "Ah": ("current*time", Fraction(3600)),
}  # fmt: skip
"""Symbols that a prefix may stand before; upper and lower case tell them apart."""
UNPREFIXED_SYMBOLS = {"t": UNITS["tonne"], "M": ("amount/length^3", Fraction(1000))}
"""Other symbols that upper and lower case tell apart: a tonne from a tesla, molar from a metre."""
PREFIXES = {
    "f": -15, "p": -12, "n": -9, "u": -6, "micro": -6, "m": -3, "c": -2, "d": -1, "h": 2, "k": 3,
    "M": 6, "G": 9, "T": 12, "P": 15,
}  # fmt: skip
"""Before symbols -> the power of ten; nobody measures in the rest, which begin other words."""
PREFIX_WORDS = {
    "femto": -15, "pico": -12, "nano": -9, "micro": -6, "milli": -3, "centi": -2, "deci": -1,
    "hecto": 2, "kilo": 3, "mega": 6, "giga": 9, "tera": 12,
}  # fmt: skip
"""The same before the names of units."""
_LOWER = frozenset(name for name in (*UNITS, *SYMBOLS, "t") if len(name) == 1 and name != "F")
LETTER_UNITS = _LOWER | {name.upper() for name in _LOWER} | {"F"}
"""One-letter units count as units only in `\\text{m}`, never as a bare letter."""
PLAIN_UNITS = words("cm mm km kg ml dm lbs mph mpg kph mins secs sec hrs usd")
"""Units that nobody writes as a product of variables."""


RATES = words("m cm km mi miles ft g kg N J"), words("s h hr sec min m cm kg mol gal gallon hour")
"""What measures with a slash between them even where letters are variables: `9.8 m/s^2`."""
UNIT_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "squared": 2, "cubed": 3}
CURRENCIES = {
    "\\$": "dollars", "euro": "euros", "texteuro": "euros", "pounds": "pounds", "yen": "yen",
    "rupees": "rupees",
}  # fmt: skip
"""Commands that stand for money -> its unit."""
TEMPERATURES = {
    "celsius": (Fraction(1), Fraction("273.15")),
    "fahrenheit": (Fraction(5, 9), Fraction("459.67")),
    "kelvin": (Fraction(1), Fraction(0)), "k": (Fraction(1), Fraction(0)),
}  # fmt: skip
"""Scales of temperature: the size of a degree in kelvins, and how many lie below its zero."""
TONS = words("t ton tons tonne tonnes")
"""Which ton is meant, nobody says: so many of one are as many of another."""
CENTS = frozenset(("cent", "cents", "pence", "penny", "paise"))
PERCENT_WORDS = frozenset(phrases("percent, percents, percentage, per cent, pct"))
DIRECTIONS = words(
    """left right up down higher lower above below increase decrease gain los profit
    north south east west northeast northwest southeast southwest,
    clockwise counterclockwise anticlockwise, before after, older younger, taller longer shorter,
    faster slower, ahead behind, more fewer""".replace(",", " ")
)
"""Words that say which way, without an s: an answer with another one is another answer."""
UNIT_FILLERS = words("of the a an each total in altogether all to from by at")
"""Words among a unit's that say nothing of what is measured or counted."""
