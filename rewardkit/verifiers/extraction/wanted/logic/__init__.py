"""Statements of logic and sets that a sentence ends with, in signs and in words.

symbols.py      a comparison sign, a formula of logic or sets, in signs or in words
quantified.py   for some or all numbers
statements.py   if ..., then ...; sufficient or necessary
"""
