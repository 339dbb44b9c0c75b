"""Matrices, and sums, products and multiples of them, entry by entry."""

from __future__ import annotations

from itertools import chain

from rewardkit.verifiers.comparison.result import Context, Result, different
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.limits import MAX_MATRIX_ENTRIES, TooComplex

Rows = tuple[tuple[Node, ...], ...]


def matrices(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare matrices; a vector may be written as a tuple, a row or a column."""
    a = matrix_rows(gold)
    b = matrix_rows(pred)
    if a is None or b is None:
        return None
    if (len(a), len(a[0])) != (len(b), len(b[0])):
        listed = isinstance(gold, nodes.Bracketed), isinstance(pred, nodes.Bracketed | nodes.ListOf)
        sizes = len(a) * len(a[0]), len(b) * len(b[0])
        if not any(listed) or sizes[0] != sizes[1] or min(len(b), len(b[0])) != 1:
            return different("matrix", "the shapes differ")
    entries = chain.from_iterable(a), chain.from_iterable(b)
    return context.compare_each(*entries, "matrix", "all entries are equal")


def matrix_rows(tree: Node) -> Rows | None:
    """Return the rows of a matrix expression: sums, products and multiples are worked out."""
    match tree:
        case nodes.Matrix(rows):
            if sum(map(len, rows)) > MAX_MATRIX_ENTRIES:
                raise TooComplex("a matrix of too many entries")
            return rows
        case nodes.Bracketed() | nodes.ListOf():
            return tuple((item,) for item in tree.items)
        case nodes.Neg(inner):
            return _scaled(number(-1), matrix_rows(inner))
        case nodes.Add((first, *rest)):
            total = matrix_rows(first)
            for term in rest:
                total = _sum(total, matrix_rows(term))
            return total
        case nodes.Mul((a, b)):
            left, right = matrix_rows(a), matrix_rows(b)
            if left is None or right is None:
                return _scaled(a, right) if left is None else _scaled(b, left)
            return _product(left, right)
        case nodes.Div(top, bottom):
            return _scaled(nodes.Div(number(1), bottom), matrix_rows(top))
    return None


def _scaled(factor: Node, rows: Rows | None) -> Rows | None:
    return rows and tuple(tuple(nodes.Mul((factor, cell)) for cell in row) for row in rows)


def _sum(a: Rows | None, b: Rows | None) -> Rows | None:
    if a is None or b is None or (len(a), len(a[0])) != (len(b), len(b[0])):
        return None
    return tuple(tuple(map(nodes.Add, zip(p, q, strict=True))) for p, q in zip(a, b, strict=True))


def _product(a: Rows, b: Rows) -> Rows | None:
    if len(a[0]) != len(b):
        return None
    columns = tuple(zip(*b, strict=True))
    return tuple(
        tuple(nodes.Add(tuple(map(nodes.Mul, zip(row, column, strict=True)))) for column in columns)
        for row in a
    )
