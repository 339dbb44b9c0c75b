"""Texts that a pattern may match, drawn from its tree: hypothesis takes fifty times as long."""

import re._parser as parser
from functools import lru_cache

LETTERS = "aZé7_ .,'’$\n-无Ж"
AROUND = ("", " ", "\n", "so ", " I", ". ", " 7", "无")
KINDS = {
    "DIGIT": "07", "NOT_DIGIT": "aé_ .无", "SPACE": " \n", "NOT_SPACE": "aZé7_.,'$无", "WORD": "aZé7_无",
    "NOT_WORD": " .,'$\n",
}  # fmt: skip


@lru_cache(maxsize=100)
def tree(pattern):
    return parser.parse(pattern)


def drawn(pattern, chance, begins=False):
    """Return a text that a pattern matches, but for what it asks of the places around.

    With `begins`, the match begins it.
    """
    text = _of_all(tree(pattern), chance, {})
    return ("" if begins else chance.choice(AROUND)) + text + chance.choice(AROUND)


def _of_all(pieces, chance, groups):
    return "".join(_of(str(kind), value, chance, groups) for kind, value in pieces)


def _of(kind, value, chance, groups):
    if kind in ("AT", "ASSERT_NOT"):
        return ""
    if kind == "LITERAL":
        return chance.choice((chr(value), chr(value).upper(), chr(value).lower()))
    if kind in ("ANY", "NOT_LITERAL"):
        return chance.choice([c for c in LETTERS if c != "\n" and ord(c) != value])
    if kind == "IN":
        return _of_set(value, chance)
    if kind == "BRANCH":
        return _of_all(chance.choice(value[1]), chance, groups)
    if kind == "SUBPATTERN":
        groups[value[0]] = _of_all(value[3], chance, groups)
        return groups[value[0]]
    if kind == "GROUPREF":
        return groups.get(value, "")
    if kind == "ATOMIC_GROUP":
        return _of_all(value, chance, groups)
    if kind == "ASSERT":  # what is consumed beside it may be the same
        return _of_all(value[1], chance, groups) if chance.random() < 0.5 else ""
    assert kind.endswith("REPEAT"), kind
    least, most, inside = value
    times = chance.randint(least, min(int(most), least + 2))
    return "".join(_of_all(inside, chance, groups) for _ in range(times))


def _of_set(members, chance):
    kinds = [(str(kind), value) for kind, value in members]
    if kinds[0][0] == "NEGATE":
        held = "".join(_members(kinds[1:]))
        return chance.choice([c for c in LETTERS if c not in held] or ["ß"])
    return chance.choice(chance.choice(list(_members(kinds))))


def _members(kinds):
    """Return characters of each member of a set."""
    for kind, value in kinds:
        if kind == "LITERAL":
            yield chr(value)
        elif kind == "RANGE":
            yield "".join(map(chr, range(value[0], min(value[1], value[0] + 200) + 1)))
        else:
            yield KINDS[str(value).removeprefix("CATEGORY_")]
