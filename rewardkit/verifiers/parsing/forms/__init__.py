"""Whole answers that are read before any token.

frequent.py         the most frequent ones: `-1.25`, `24 years`, `[0, 3]`
dates_and_bases.py  dates, clock times, remainders, numbers in other bases: `0x2A`
parts.py            lettered or numbered parts: `(a) 3 (b) 5`
spoken.py           numbers in words: `a hundred and twenty`
propositions.py     propositions of logic
compounds.py        formulas of chemistry in plain text: `SO42-`
bounds.py           the least or the most: `at least 8`
constants.py        letters said to be any constant
"""
