"""Responses whose format nobody declared: one value, from the last mark or the last sentences.

turns.py      where a response ends and an invented next question begins
sentences.py  its sentences, from the last
numbers.py    the number or formula that a sentence states
letters.py    the option or truth value that it chooses
read.py       the order in which these are asked

Like `format/`, nothing here knows a gold answer: only the kind of answer that is asked for.
"""
