"""Rows of any data set, and the problems that are made of them when they are asked for.

rows.py      what rows are, and those of .jsonl and .json files, read where they lie
arrow.py     those of .csv, .parquet and .arrow, memory-mapped by `datasets`
hub.py       those of the hub, and whether it can be reached
opening.py   from `file:PATH` and `hf:OWNER/NAME` to rows
mapping.py   from a row to a problem: which column is what
problems.py  a sequence of problems over rows
where.py     a condition on columns
lazy.py      what makes each problem when it is asked for, of those that settings choose
permutation.py  a shuffling that takes no memory: any place of it at once
asking.py    system prompt and prompt template: from a problem to a chat
messages.py  texts out of chats
"""
