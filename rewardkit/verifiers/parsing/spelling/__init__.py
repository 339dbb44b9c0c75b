"""Answer text in one spelling, before it is cut into tokens.

surroundings.py  what stands around an answer and is no part of it: dollars, stops, quotes
characters.py    Unicode, HTML and broken escapes
notations.py     a row a notation that is written in many ways, LaTeX's and plain text's
units.py         units in plain letters behind a number: `25 kg*m/s^2`
rules.py         what a table of notations is, and how it is applied
"""
