"""Is this checkpoint better, and how sure are we? From samples to numbers with error bars.

session.py   one evaluation from settings to files: asking, then drawing, then measures
stored.py    one that was made: its results, and the settings it was drawn under
samples.py   one response with its verdict, and the key that it is filed under
models.py    which weights a model's name stands for
"""
