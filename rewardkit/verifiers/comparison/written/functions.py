"""Functions that have names, `the identity function`, beside one that is written."""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.parsing.parser import Reading
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND

_TEXT = re.compile(TEXT_COMMAND + r"\s*\{([^{}]*)\}")
_NAMED = re.compile(
    r"(?:(?:all|the|any|an?)\s)?(?:(?P<same>identity)\s(?:functions?|map)|constant\sfunctions?)",
    re.I,
)


def with_function_written(said: Reading, written: Reading) -> Node | None:
    """Return the functions that words name as the other side writes its own, or None.

    >>> from rewardkit.verifiers.parsing.parser import reading
    >>> with_function_written("the identity function", reading("f(t) = t^2")).sides[1].name
    't'
    """
    match written:
        case nodes.Relation(("=",), (nodes.Call(_, (nodes.Sym() as unknown,)) as call, _)):
            bare = _TEXT.sub(r"\1", said).strip(" .") if isinstance(said, str) else ""
            if named := _NAMED.fullmatch(bare):
                return nodes.Relation(("=",), (call, unknown if named["same"] else nodes.Sym("C")))
    return None
