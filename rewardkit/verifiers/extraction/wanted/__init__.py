"""What is looked for because the gold is one: parts, labels, a date, a time, a set in words.

wanted.py       what a text says where the gold is of a kind
kinds.py        which kind that is

Words
said_of.py      a name or a few words of which a last sentence speaks
last_words.py   the words with which a sentence ends, who is what, one word in another language
options.py      the option that is chosen, in any language
classes.py      all numbers of a class, from a bound on
assigned.py     who is what, in any order
lists.py        a list of words, in any order
conditions.py   a set of numbers in words
lines.py        values on lines of their own
labelled.py     values with their labels or numbers

Numbers and signs
notations.py    a bound, a ratio, a range, remainders, digits in a base
points.py       points and matrices
times.py        a day or a time of day, in digits or in words
written.py      an equation, functions or an expression at the end, or words with mathematics
compounds.py    formulas of chemistry

logic/          statements of logic and sets, in signs and in words
"""
