"""An answer that is not the gold as it stands, read again for what it means.

case.py       one answer, and what it is compared with
readings.py   the order of readings: as it stands, as a sentence, in another language's numbers
sentences.py  what a sentence means: a word, a value, a count, the same thing twice
roots.py      roots that a gold lists in square brackets
two_writings.py  one quantity in two units, one value in two writings
by_kind.py    what is looked for because the gold is a date, a list, an option, ...
"""
