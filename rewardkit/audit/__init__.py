"""What a verifier gets wrong, measured before it trains a model.

cases.py      a file of labelled rows -> what a verifier gets wrong of it
probes/       what is asked without a model, and whether to accept it
inside.py     how a verifier is called in a worker: once, in a thread, again and again
probing.py    probes -> verdicts, and faults of the program
audit.py      all of that for one verifier, and the bounds on it
responses.py  stored responses beside labels and a second verifier
peers.py      graders of other projects as verifiers
sources.py    the golds and rows of a task, a file, a run
findings.py   everything as data, each finding with the line that reproduces it
summary.py    the same as lines for a terminal
page.py       audit.json, rows.jsonl, audit.html
"""
