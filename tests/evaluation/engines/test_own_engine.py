"""Engines by module:attribute: they evaluate like any other, and errors say where in their code."""

import json
import re
import textwrap

import pytest

from rewardkit.cli import main
from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    EngineOptions,
    Failure,
    Request,
    load_engine,
)

WHOLE = """
from rewardkit.evaluation.engines.base import Response
from rewardkit.types import Finish

class Engine:
    chat_template = None

    def __init__(self, model, decoding, options):
        self.fingerprint, self.decoding = f"mine:{model}", decoding

    def render(self, messages, template={}):
        return messages[-1]["content"]

    def generate(self, requests):
        for index, request in enumerate(requests):
            yield index, Response(r"\\boxed{2}", Finish.STOP, 3, 4, 0.1)

    def close(self):
        pass
"""


@pytest.fixture
def written(tmp_path, monkeypatch, request):
    """Write a module of the test's own name, so that no test finds another's; return its engine."""
    name = re.sub(r"\W", "_", f"own_{request.node.name}")
    monkeypatch.syspath_prepend(tmp_path)

    def write(text):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        return f"{name}:Engine"

    return write


def ask(name):
    engine, chat = load(name), [{"role": "user", "content": "?"}]
    engine.render(chat)
    list(engine.generate([Request(chat, 0)]))


def load(name):
    return load_engine(name, "m", DecodingSettings(), EngineOptions())


def test_an_engine_of_ones_own_evaluates(written, problems_file, tmp_path):
    main([
        "eval", "--model", "m", "--engine", written(WHOLE), "--task", f"file:{problems_file}",
        "--samples", "2", "--run-dir", str(tmp_path / "r"), "--workers", "1", "--no-report",
    ])  # fmt: skip
    [found] = json.loads((tmp_path / "r/results.json").read_text())["evaluations"].values()
    assert found["overall"] is None
    assert found["sets"]["sums"]["accuracy"] == 1.0
    assert found["fingerprint"] == "mine:m"


@pytest.mark.parametrize(
    ("broken", "by", "line"),
    [
        ("self.fingerprint, self", "1 / 0; self.fingerprint, self", 9),
        ("return messages[-1]", "return messages[-7]", 12),
        ("for index, request in", "[].pop()\n        for index, request in", 15),
        ('"mine:{model}"', '"mine:{modl}"', 9),
    ],
)
def test_an_error_inside_says_file_and_line(written, broken, by, line):
    assert broken in WHOLE
    name = written(WHOLE.replace(broken, by))
    with pytest.raises(ModelError, match=rf"engine 'own_.*' raised \w+Error.*\.py:{line}, in "):
        ask(name)


def test_a_module_that_cannot_be_read_says_where(written):
    with pytest.raises(ModelError, match=r"SyntaxError.*\.py, line 1"):
        load(written("class Engine(:\n"))


def test_what_is_no_engine_says_what_one_is(written):
    with pytest.raises(ConfigError, match="has no fingerprint: an engine is called as"):
        load(written("def Engine(model, decoding, options): return object()\n"))


ANSWER = next(line.strip() for line in WHOLE.splitlines() if "yield" in line)


def test_no_request_is_answered_twice(written):
    engine = load(written(WHOLE.replace(ANSWER, f"{ANSWER}; {ANSWER}")))
    with pytest.raises(ModelError, match=r"yielded \(0, Response.*each index once"):
        list(engine.generate([Request([{"role": "user", "content": "?"}], 0)]))


def test_a_request_without_an_answer_is_missing(written):
    engine = load(written(WHOLE.replace(ANSWER, "if index: " + ANSWER)))
    requests = [Request([{"role": "user", "content": "?"}], seed) for seed in (0, 1)]
    found = dict(engine.generate(requests))
    assert isinstance(found[0], Failure)
    assert found[1].text == r"\boxed{2}"
