"""What a sentence states: its main clause, its last quantity, what is said, denied or doubted.

What prose states
prose.py            which sentence of it is the statement
behind.py           what stands behind an answer and leaves it as it is
clauses.py          what the main clause of a sentence states
cuts.py             what a sentence says beside it: named cuts, which cutter.py makes
leads.py            what leads to the value, and what stands behind it
comes_to.py         what a calculation in words comes to
comparisons.py      what only compares
contrasts.py        what it is not, beside what it is
worked_out.py       which of its quantities the working before it came to
last_quantity.py    the expression around the last number
wholes.py           one quantity in several numbers: a date, hours and minutes, a total
in_signs.py         signs in place of words, `=` for `equals`
in_words.py         a number without digits
units_behind.py     the unit behind a number

What words say
sentences.py        what the rest of a sentence names, behind "the answer is"
spoken.py           an option, yes or no, no solution
truth_elsewhere.py  true and false in other languages

Whose it is, and how surely it is said
voice.py            whose claim a sentence makes
claims.py           whether it claims the value that it holds
evidence.py         what in a sentence shows the value to be stated
doubts.py           whether it is doubted
denials.py          whether the value is denied
conclusions.py      whether a doubt goes on to a conclusion
another.py          whether another answer stands beside it, or two in its place
"""
