"""The end of a response without a mark: what it chooses, asks, leaves open or takes back.

What is read, once for all signs
ending.py           the end of a response in one spelling, and what names an answer in it
words_behind.py     without what stands behind its answer: courtesies, remarks, other values
met_conditions.py   without a condition that the task says is met
notes.py            without a last sentence on what the answer is not, or holds already
asides.py           without a last sentence beside the question: what isn't asked, what would be
last_sentences.py   which its last sentences are, and whether it stops in the middle of one

What it states
choosing.py         which option a last sentence chooses
main_clause.py      which clause or sentence is the statement, behind what is weighed first

Whether it states anything
questions.py        or only asks, counts or babbles
givens.py           or repeats what is given, announces what is to be done, speaks of the work
two_cases.py        or names one value for one case and another for the other
unsettled.py        or leaves open which value it is, or says that there is no answer
answer_tags.py      or leaves its answer tag empty, only remarks something, concludes behind it

Whether the answer stays
taken_back.py       or is taken back or refuted by its check, and nothing put in its place
replaced.py         or is withdrawn for what is claimed behind it
second_thoughts.py  or becomes another value with the last words, be it put right at once
"""
