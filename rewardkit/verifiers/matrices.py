"""The rows of matrices, and of sums, products and multiples of them."""

from __future__ import annotations

from collections.abc import Callable

from rewardkit.verifiers.limits import (
    MAX_MATRIX_ENTRIES,
    TooComplex,
)
from rewardkit.verifiers.nodes import Node, node, number


def matrix_rows(tree: Node) -> list[list[Node]] | None:
    """Return the rows of a matrix expression: sums, products and multiples are worked out."""
    match tree.kind, tree.args:
        case "matrix", rows:
            if sum(map(len, rows)) > MAX_MATRIX_ENTRIES:
                raise TooComplex("a matrix of too many entries")
            return [list(row) for row in rows]
        case "seq", (_, _, *items):
            return [[item] for item in items]
        case "neg", (inner,):
            return _scaled(number(-1), matrix_rows(inner))
        case "add", terms:
            total = matrix_rows(terms[0])
            for term in terms[1:]:
                total = _cellwise(total, matrix_rows(term), lambda x, y: node("add", x, y))
            return total
        case "mul", (a, b):
            left, right = matrix_rows(a), matrix_rows(b)
            if left is None or right is None:
                return _scaled(a, right) if left is None else _scaled(b, left)
            if len(left[0]) != len(right):
                return None
            return [
                [
                    node("add", *(node("mul", row[k], right[k][c]) for k in range(len(right))))
                    for c in range(len(right[0]))
                ]
                for row in left
            ]
        case "div", (a, b):
            return _scaled(node("div", number(1), b), matrix_rows(a))
    return None


def _scaled(factor: Node, rows: list[list[Node]] | None) -> list[list[Node]] | None:
    return None if rows is None else [[node("mul", factor, c) for c in row] for row in rows]


def _cellwise(
    a: list[list[Node]] | None, b: list[list[Node]] | None, f: Callable[[Node, Node], Node]
) -> list[list[Node]] | None:
    if a is None or b is None or (len(a), len(a[0])) != (len(b), len(b[0])):
        return None
    return [[f(x, y) for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]
