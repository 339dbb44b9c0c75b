"""Text -> tokens, and what they say without a grammar.

lexer.py     text -> tokens
stream.py    the tokens of an answer as its parser goes over them
numerals.py  numbers: decimals, mixed and repeating ones, other bases
words.py     words as values
"""
