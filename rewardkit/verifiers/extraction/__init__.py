"""Response text -> the text of its final answer: boxes, answer tags, sentences, last numbers.

extract.py   the answer of a response, and the order of all signs of one
own_turn.py  what of a response that runs on is its own
last_part.py the end of a long response, where that is all that is read of it
marked.py    what is marked as the answer: a box, a tag, the words "final answer"
stated.py    what is said without a mark, sign by sign; signs/ has those with rules of their own
meant.py     what a text means that is no answer as it stands
objections/  what is asked once more of a value that is right
"""
