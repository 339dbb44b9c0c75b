"""What of a response is read: what its reader sees, its boxes and formulas, no tags or echoes.

Which part of it
visible.py          what a reader sees of it: no thoughts, nothing hidden or crossed out
examples.py         no lines that repeat the problem, no answer that only shows how one is written
noise.py            up to the noise that it ends with
courtesy.py         without greeting, good wishes and a letter behind an answer in words
last_line.py        a last line that is a mark and a word, as `Answer: word`
usual_marks.py      marks of an answer in other spellings, JSON objects among them

Where its values stand
cuts.py             where its sentences begin and end
boxes.py            boxes, and which of them belong together
formulas.py         formulas, and the last member of a chain that is no equation
plain.py            text without tags, money, invented turns
restated.py         a value said again as another number
beside.py           what stands beside an answer and says of what it is

Numbers in words
number_words.py     of English
elsewhere.py        of other languages
scripts.py          in Chinese signs; digits and units of Arabic and Indian scripts
"""
