"""Two trees -> whether they mean the same: a room a kind of answer, `compare` asks each.

texts.py     two answers as text: what is read of them, and in which order it is compared
compare.py   two trees: the rules in their order; extra.py, those that a task asks for by name
"""
