"""The words and commands that verifiers know: each list once, as data to read and to extend.

phrases.py     what joins answers, hedges or announces them
numbers.py     number words, parts, months
wordings.py    words that say the same as others
units.py       units: what each measures, and how large it is
names.py       functions, Greek letters, chemical elements; letters.py, of options
characters.py  Unicode's; commands.py, LaTeX's
patterns.py    word lists as they are written, and as pieces of patterns
"""
