"""Other projects' graders as verifiers: called as theirs, their scores as verdicts."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from rewardkit.audit.peers import Peer, version_of
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.types import Outcome
from rewardkit.verifiers import load_verifier
from rewardkit.verifiers.pool.pool import VerifierPool


@pytest.fixture
def module(monkeypatch):
    """A function that makes modules which stand for those of a project."""

    def make(**attributes):
        for name, held in attributes.items():
            path = name.replace("__", ".")
            for at in range(1, path.count(".") + 2):
                parent = ".".join(path.split(".")[:at])
                monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
            vars(sys.modules[path]).update(held)

    return make


@pytest.mark.parametrize(
    ("said", "outcome", "score"),
    [
        (1.0, "correct", 1.0), (-1.0, "incorrect", 0.0), (True, "correct", 1.0), (0.2, "incorrect", 0.2),
        ({"score": 1.0, "acc": True}, "correct", 1.0), ((False, True, "3"), "incorrect", 0.0),
        (None, "bad_gold", 0.0), (float("nan"), "error", 0.0), ("hm", "error", 0.0),
    ],
)  # fmt: skip
def test_what_verl_returns_becomes_a_verdict(module, said, outcome, score):
    module(verl__utils__reward_score__mine={"compute_score": lambda text, gold: said})
    found = load_verifier("verl:mine")("so 12", 12)
    assert (found.outcome.value, found.score, found.gold) == (outcome, score, "12")


def test_trl_is_given_chats_and_openrlhf_what_stands_in_the_box(module):
    module(
        trl__rewards={"mine": lambda chats, golds: [chats[0][0]["content"] == golds[0]]},
        openrlhf__utils__math_utils={
            "grade": lambda answer, gold: answer == gold,
            "extract_boxed_answer": lambda text: text.strip("{}"),
        },
    )
    assert load_verifier("trl:mine")("12", "12").correct
    assert load_verifier("openrlhf:grade")("{12}", 12).correct


def test_inspect_and_lighteval_are_given_their_own_objects(module):
    async def score(state, target):
        return SimpleNamespace(value="C" if state.output == target else "I")

    module(
        inspect_ai__scorer={"Target": str, "match": lambda: score},
        inspect_ai__model={
            "ModelName": str, "ModelOutput": SimpleNamespace(from_content=lambda model, text: text),
        },
        inspect_ai__solver={"TaskState": lambda *_, output: SimpleNamespace(output=output)},
        lighteval__models__model_output={"ModelResponse": lambda text: SimpleNamespace(text=text)},
        lighteval__tasks__requests={"Doc": SimpleNamespace},
        lighteval__metrics__metrics={
            "Metrics": SimpleNamespace(
                exact=SimpleNamespace(
                    value=SimpleNamespace(
                        sample_level_fn=SimpleNamespace(
                            compute=lambda doc, said: float(doc.choices == said.text)
                        )
                    )
                )
            )
        },
    )  # fmt: skip
    for name in ("inspect:match", "lighteval:exact"):
        verdicts = [load_verifier(name)(text, "12").outcome for text in ("12", "13")]
        assert verdicts == [Outcome.CORRECT, Outcome.INCORRECT]


def test_what_is_not_installed_or_not_there_is_said(module):
    module(trl__rewards={})
    with pytest.raises(
        ConfigError, match=r"^trl:none: .*no 'none'; the package is trl, pip install"
    ):
        load_verifier("trl:none")
    with pytest.raises(UnknownNameError, match="verl:NAME"):
        load_verifier("verl")


def test_versions():
    assert version_of("math").startswith("rewardkit ")
    assert version_of("math_verify") == "math-verify 0.9.0"
    assert version_of("mine:reward") == ""


def test_verls_own_grader_in_the_pool():
    pytest.importorskip("verl")
    with VerifierPool(Peer("verl", "gsm8k"), workers=1) as pool:
        found = list(pool.verify([("#### 12", "12"), ("#### 13", "12"), ("12", "12")]))
    assert [one.score for one in found] == [1.0, 0.0, 0.0]
