"""What of a response is read: what its reader sees, its boxes and formulas, no tags or echoes.

Which part of it
channels.py         what is thought, what is answered
visible.py          what a reader sees of it
hidden.py           nothing that is hidden, crossed out or said to a tool
echoes.py           no lines that repeat the problem
examples.py         no answer that only shows how one is written
next_problem.py     up to the next problem that it puts to itself
noise.py            up to the noise that it ends with
courtesy.py         without greeting and good wishes
letter_behind.py    without a letter behind an answer in words
usual_marks.py      marks of an answer in other spellings as the usual ones

Where its values stand
cuts.py             where its sentences begin and end
boxes.py            boxes, and which of them belong together
formulas.py         formulas, and what is in them
objects.py          the answer of a response that is, or ends with, a JSON object
plain.py            text without tags, money, invented turns
beside.py           what stands beside an answer and says of what it is
last_member.py      the last member of a chain that is no equation

Numbers in words
number_words.py     of English
elsewhere.py        of other languages
chinese.py          in Chinese signs
scripts.py          digits and units of Arabic and Indian scripts
"""
