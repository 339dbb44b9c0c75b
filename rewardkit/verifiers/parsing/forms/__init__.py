"""Whole answers that are read before any token.

frequent.py         the most frequent ones: `-1.25`, `24 years`, `[0, 3]`
dates_and_bases.py  dates, clock times, numbers in other bases: `0x2A`
parts.py            lettered or numbered parts: `(a) 3 (b) 5`
"""
