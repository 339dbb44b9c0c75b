"""Tokens -> tree.

grammar.py       the tables of all parts put together
pratt.py         an operand, then all operators behind it that bind tightly enough
operators.py     how tightly each binds, and what it makes of its operands
statements.py    equations, and what holds several of them: lists, alternatives, braces
brackets.py      operands in brackets, braces, bars
commands.py      operands of LaTeX's commands: fractions, roots, sums
environments.py  matrices, systems, functions in pieces
names.py         names with subscripts and primes; functions with their arguments
texts.py         words around a value
unit_words.py    words behind a value: units, money, counted nouns
"""
