"""Answer text -> tree, room by room: one spelling, tokens, a grammar; forms need no token.

parser.py  the way of a text through all of it
"""
