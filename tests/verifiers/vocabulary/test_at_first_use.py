"""Patterns are compiled at their first use, and each of ours can be."""

import importlib
import pkgutil
import re

import pytest

import rewardkit.verifiers
from rewardkit.verifiers.vocabulary import at_first_use
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Parts


def patterns_in(value, found):
    """Collect the patterns of a module's value: of tables, and of what is made of patterns."""
    if isinstance(value, at_first_use._AtFirstUse | Parts):
        found.add(value)
    elif isinstance(value, dict):
        patterns_in(list(value.values()), found)
    elif isinstance(value, list | tuple):
        for part in value:
            patterns_in(part, found)
    elif type(value).__module__.startswith("rewardkit.verifiers") and hasattr(value, "__dict__"):
        patterns_in(vars(value), found)


def test_every_pattern_can_be_compiled():
    found = set()
    for module in pkgutil.walk_packages(rewardkit.verifiers.__path__, "rewardkit.verifiers."):
        if module.name.rpartition(".")[2] != "__main__":
            patterns_in(vars(importlib.import_module(module.name)), found)
    assert len(found) > 1000
    for pattern in found:
        if isinstance(pattern, Parts):
            assert all(isinstance(one.pattern, re.Pattern) for one in pattern.alternatives)
        else:
            assert pattern.groups >= 0  # asks for the compiled one


def test_nothing_is_compiled_before_it_is_used(monkeypatch):
    compiled, compile_it = [], re.compile
    monkeypatch.setattr(
        at_first_use.re,
        "compile",
        lambda *written: compiled.append(written) or compile_it(*written),
    )
    pattern = as_pattern("a+", re.I)
    assert compiled == []
    assert [pattern.findall("bAab"), pattern.pattern, pattern.groups] == [["Aa"], "a+", 0]
    assert compiled == [("a+", re.I)]


def test_a_fault_of_a_pattern_is_said_as_by_re():
    with pytest.raises(re.error, match="unterminated character set"):
        as_pattern("[a").search("a")


def test_what_no_pattern_has_is_not_asked_of_one():
    pattern = as_pattern("[a")
    assert not hasattr(pattern, "__wrapped__")
