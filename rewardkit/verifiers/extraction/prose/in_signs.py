"""What prose says in words that a calculation writes in signs, rewritten in this order.

Each rewriting has a name, an example with what it makes of it, its pattern, and what it needs.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.cutter import Cut
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.units import RATES

_UPRIGHT = r"\{{(?:\\(?:text|mathrm)\{{)?({})\}}{{1,2}}"

NUMBERS = (
    Cut(
        "negative",
        "It is negative 5 -> It is -5",
        r"\bnegative\s(?=\d)",
        needs="egative",
        puts="-",
        flags=re.I,
    ),
    Cut(
        "below zero",
        "It is 5 degrees below zero -> It is -5 degrees",
        r"(?<![\d.-])(\d[\d.]*(?:\s?°\s?[CF]?|\sdegrees(?:\s[a-z]+)?)?)\sbelow\szero\b",
        needs=" below zero",
        puts=r"-\1",
        flags=re.I,
    ),
    Cut(
        "units as a fraction",
        r"It is 50\frac{km}{h} -> It is 50 km/h",
        r"(?<=\d)\s?\\[dt]?frac" + "".join(_UPRIGHT.format(alternatives(names)) for names in RATES),
        needs="frac{",
        puts=r" \1/\2",
    ),
)
RELATIONS = (
    Cut(
        "what equals",
        "12 hours * 60 minutes equals 720 -> 12 hours * 60 minutes  =  720",
        r"\b(?:(?<!\bor\s)equals?|is equal to|(?:come|evaluate|converge|reduce|amount)s? to"
        r"|simplif(?:y|ies) to|which comes out (?:at|to)"
        r"|which (?:gives|(?:would|will) give)(?: us)?)\b(?: exactly)?"
        r"|,\swhich\sis\sthe\ssame\sas\b"
        r"|,\sgiving\b(?:\sus)?(?=\s[-−$]{0,2}\d\S*(?<![\d,]),?(?:\s|\Z)|\s[-−$]{0,2}\d\S*\Z)",
        needs="equal|s to |come|giv| same as ",
        puts=" = ",
    ),
    Cut(
        "what a reason comes to",
        "It costs 12, as there are 3 and thus each costs 4 -> It costs 12",
        r"(\b(?:is|are|was|were|has|have|gets?|costs?|takes?|needs?|measures?|equals)\s[^.=,;\d]{0,20}\d[\d.,]*(?<![.,])(?:\s[a-z]+){0,3}),"
        r"\s(?:since|because|as)\s[^.=;\n]{1,100}\sand\s(?:thus|hence|therefore)\s[^.=;\n]{1,100}(?=[.!]?\s*\Z)",
        needs=" and thus | and hence | and therefore ",
        puts=r"\1",
    ),
    Cut(
        "and so",
        "17 were sold and thus 7 are left -> 17 were sold, thus 7 are left",
        r"(?<=\w)\sand\s(?=(?:thus|hence|therefore)\s[^.=]*\d)",
        needs=" and thus | and hence | and therefore ",
        puts=", ",
    ),
)
