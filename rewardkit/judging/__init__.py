"""A model asked where rules cannot tell: how it is asked, by what client, what is kept and counted.

words.py     what keeps a response from giving orders: fences, decoys
profiles.py  prompts and labels of published verifier models
client.py    requests to a server: how many at a time, how fast, how long
memory.py    replies by content, in one file that processes share
judge.py     the verifier
behind.py    rules first, then the judge
"""

from rewardkit.judging.behind import behind_rules as behind_rules
from rewardkit.judging.judge import Judge as Judge
