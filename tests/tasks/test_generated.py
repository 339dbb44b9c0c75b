from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit_tasks.generated import TEMPLATES, generated
from rewardkit_tasks.generated.suite import draw_split

NAMES = sorted(TEMPLATES)


def draws(name: str):
    return [TEMPLATES[name](Random(f"{name} {d} {i}"), d) for d in range(1, 6) for i in range(40)]


@pytest.mark.parametrize("name", NAMES)
def test_closed_form_is_brute_force(name: str):
    for difficulty in range(1, 6):
        for i in range(8):
            item = TEMPLATES[name](Random(f"check {name} {difficulty} {i}"), difficulty)
            assert item.answer == item.check(), item.question


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_in_range_hard_to_guess_and_texts_differ(name: str):
    items = draws(name)
    assert all(type(item.answer) is int and 0 <= item.answer <= 999 for item in items)
    assert Counter(item.answer for item in items).most_common(1)[0][1] <= 0.1 * len(items)
    assert len({item.question for item in items}) >= 150


def test_no_answer_guesses_the_whole_suite():
    answers = Counter(item.answer for name in NAMES for item in draws(name))
    assert len(NAMES) >= 24
    assert answers.most_common(1)[0][1] / answers.total() < 0.02


def test_texts_read_as_sentences():
    for name in NAMES:
        for item in draws(name)[::20]:
            assert item.question[-1] in ".?"
            assert item.question.count("$") % 2 == 0
            assert "{{" not in item.question
            assert "  " not in item.question


def test_splits_share_no_text_and_are_reproducible():
    task, again = generated(per_template=3, train_per_template=10), generated(per_template=3)
    test, train = ({p.question for p in split} for split in (task.test, task.train))
    assert len(test) == len(task.test) == 3 * len(NAMES)
    assert len(train) == len(task.train) == 10 * len(NAMES)
    assert not test & train
    assert list(task.test) == list(again.test)
    assert len({p.id for p in [*task.test, *task.train]}) == 13 * len(NAMES)


def test_no_setting_trains_on_what_another_tests():
    train = {p.question for p in draw_split("train", NAMES, [1], 20, 0)}
    for levels, size, seed in ((range(1, 6), 20, 0), ([1], 5, 7)):
        assert not train & {p.question for p in draw_split("test", NAMES, levels, size, seed)}


def test_another_seed_gives_other_problems():
    one = {p.question for p in draw_split("test", NAMES, range(1, 6), 3, 0)}
    two = {p.question for p in draw_split("test", NAMES, range(1, 6), 3, 1)}
    assert len(one & two) < 0.2 * len(one)


def test_difficulty_makes_numbers_larger():
    def digits(level):
        texts = (TEMPLATES[n](Random(f"{n}{i}"), level).question for n in NAMES for i in range(20))
        return sum(sum(map(str.isdigit, text)) for text in texts)

    assert digits(1) < digits(3) < digits(5)


def test_knobs():
    task = generated(difficulty=4, templates="ruin, urn", per_template=2, train_per_template=0)
    assert [p.id.split("-")[:2] for p in task.test] == [["ruin", "d4"]] * 2 + [["urn", "d4"]] * 2
    assert not task.train
    with pytest.raises(UnknownNameError, match="did you mean ruin"):
        generated(templates="ruins")
    with pytest.raises(ConfigError, match="difficulty must be 1 to 5"):
        generated(difficulty=6)
    with pytest.raises(ConfigError, match="ask for fewer"):
        generated(templates="cushions_on_carousel", difficulty=1, per_template=1000)
