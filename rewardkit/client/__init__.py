"""A client of servers that speak completions, for evaluations, judges and teachers.

settings.py  what is said of a server, and how it is asked
client.py    requests to one server: how many at a time, how patient
server.py    one server: is it there, what is it, one try, and what a try that failed says of it
answers.py   what it sends, read as one response, within bounds
pace.py      how much goes to it in a minute
"""

from rewardkit.client.answers import Response

__all__ = ["Response"]
