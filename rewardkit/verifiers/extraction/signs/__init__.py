"""Signs of an answer that nothing marks, each a function of a response's ending.

named.py     "the answer is"
formulas.py  the last formula
numbers.py   the number that the last formula is said to be, or what it is part of
alone.py     a response that is all answer, or begins with it
"""
