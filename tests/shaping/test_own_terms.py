"""Terms of a user's own, by `module:attribute`: their two forms, and what is refused."""

import sys
from types import ModuleType

import pytest

from rewardkit.config import config_from, config_to_toml
from rewardkit.errors import ConfigError
from rewardkit.recipes import Term
from rewardkit.shaping import Scope, ShapingTerm, shape_group, terms_of
from rewardkit.shaping.own import own_term
from rewardkit.training_step.rehearsal import rehearse
from rewardkit.types import Finish, Outcome, Rollout, Verdict

VERDICTS = [Verdict(Outcome.CORRECT, "12"), Verdict(Outcome.INCORRECT, "12345", score=0.5)]
ROLLOUTS = [
    Rollout("So 12.", (1, 2, 3), (0.0,) * 3, Finish.STOP),
    Rollout("Well", (1,), (0.0,), Finish.LENGTH),
]


def polite(rollout, verdict, *, word="So", bonus=1.0):
    return bonus * rollout.text.startswith(word) + 0.125 * len(verdict.extracted or "")


def spread(group):
    assert group.rollouts[0].text == ""
    assert group.rollouts[0].finish is Finish.STOP
    return [
        length - min(group.lengths) + score
        for length, score in zip(group.lengths, group.scores, strict=True)
    ]


@pytest.fixture(autouse=True)
def mine(monkeypatch):
    module = ModuleType("mine")
    module.polite, module.spread = polite, spread
    module.per_response = ShapingTerm(lambda group: [1.0] * len(group.correct), Scope.RESPONSE)
    module.number = 3
    module.three = lambda a, b, c: 0.0
    module.short = lambda group: [0.0]
    module.words = lambda rollout, verdict: "much"
    module.endless = lambda rollout, verdict: float("inf")
    module.nothing = lambda group: None
    module.raises = lambda rollout, verdict: rollout.lenght
    monkeypatch.setitem(sys.modules, "mine", module)


def shaped(*terms, limit=8):
    return shape_group(VERDICTS, ROLLOUTS, terms, limit=limit)


def test_a_term_of_one_response_and_one_of_the_group():
    found = shaped(Term("mine:polite", 2.0, {"bonus": 0.5}), Term("mine:spread", -0.1))
    assert [dict(reward.components) for reward in found] == [
        {"correct": 1.0, "mine:polite": 0.75, "mine:spread": 3.0},
        {"correct": 0.5, "mine:polite": 0.625, "mine:spread": 0.5},
    ]
    assert [reward.total for reward in found] == pytest.approx([1 + 1.5 - 0.3, 0.5 + 1.25 - 0.05])


def test_its_form_says_who_computes_it():
    terms = [Term("mine:polite"), Term("mine:spread"), Term("mine:per_response"), Term("format")]
    assert [t.name for t in terms_of(terms, Scope.GROUP)] == ["mine:spread"]
    response = [t.name for t in terms_of(terms, Scope.RESPONSE)]
    assert response == ["mine:polite", "mine:per_response", "format"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("mine:politer", {}, "shaping term 'mine:politer': mine has no 'politer'"),
        ("yours:polite", {}, "no module named 'yours'"),
        ("mine:number", {}, r"'mine:number' is 3, and not a function: def term\(rollout, verdict"),
        ("mine:three", {}, r"takes \(a, b, c\) by place, expected one or two"),
        (
            "mine:polite",
            {"bonsu": 1},
            "shaping term mine:polite has no option 'bonsu'; did you mean",
        ),
        ("mine:short", {}, r"returned \[0.0\] for a group of 2 responses, expected a list of 2"),
        ("mine:nothing", {}, "returned None for a group of 2 responses"),
        ("mine:words", {}, "returned 'much', expected a number"),
        ("mine:endless", {}, "returned inf, expected a number"),
    ],
)
def test_what_is_no_term_is_said_before_a_run(name, options, message):
    recipe = {"name": "grpo", "shaping": [{"name": name, "options": options}]}
    config = config_from({"folder": "x", "steps": 1, "recipe": recipe})
    with pytest.raises(ConfigError, match=message):
        rehearse(config.recipe, limit=8, group_size=4)


def test_a_term_that_raises_does_so_before_a_run():
    config = config_from(
        {
            "folder": "x",
            "steps": 1,
            "recipe": {"name": "grpo", "shaping": [{"name": "mine:raises"}]},
        }
    )
    place = r"\(.*test_own_terms\.py:47, in <lambda>\)"
    with pytest.raises(
        ConfigError, match=rf"'mine:raises' raised AttributeError: .*lenght.*{place}"
    ):
        rehearse(config.recipe, limit=8, group_size=4)


def test_a_module_that_cannot_be_imported_says_file_and_line(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "broken_terms.py").write_text("LENGTH = 3\nLENGHT + 1\n")
    with pytest.raises(ConfigError, match=r"imported: NameError.*broken_terms\.py:2, in <module>"):
        own_term("broken_terms:polite")


def test_it_is_named_in_a_configuration_and_comes_back_from_it():
    recipe = {"name": "grpo", "shaping": [{"name": "mine:polite", "weight": 0.5}]}
    config = config_from({"folder": "x", "steps": 1, "recipe": recipe})
    assert config.recipe.shaping == (Term("mine:polite", 0.5),)
    assert 'name = "mine:polite"' in config_to_toml(config)
    rehearse(config.recipe, limit=8, group_size=4)
