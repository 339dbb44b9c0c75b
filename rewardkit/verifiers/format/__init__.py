"""Where an answer stands by declaration: a response -> one value with its span, or none and why.

found.py      what a reader returns
thoughts.py   what of a response comes after its last closed thought
boxes.py      the last `\\boxed{...}`, with the boxes it is joined to
tags.py       the last `<answer>...</answer>`
markers.py    the last `####`, `Final answer:`, `the answer is`, and its line; one table
declared.py   the last of the declared kinds by position: what the strict reading is

Nothing here knows a gold answer, and nothing looks at the text around a mark.
"""
