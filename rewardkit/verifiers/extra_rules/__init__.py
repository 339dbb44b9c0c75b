"""Rules that a task whose golds need them asks for by name: `MathOptions(extra=("families",))`.

families       families with a parameter, `x = k pi`, and remainders, `n = 2 (mod 9)`
progressions   endless sets and lists: `{3k : k in Z}`, `1, 3, 5, ...`
integer_sets   sets of whole numbers given by conditions
piecewise      functions by cases against `|x|`, `max(x, 0)`
logic          propositions by their truth tables
chemistry      formulas, ions and reactions, however they are set
sets_in_words  `all multiples of 3`, `odd numbers`

A module has `compare_trees`, asked before the rules of `comparison/compare.py`, or `compare_texts`,
asked before anything is parsed; each decides or returns None. It is imported when it is asked for.
"""
