"""Counts, posteriors, tables as one, texts, and what is kept: by hand and by property."""

import json
import re
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.curation.choosing import Band, choose, test_texts
from rewardkit.curation.files import read_ratings, read_rows, write_ratings, write_rows
from rewardkit.curation.rating import Shard
from rewardkit.curation.ratings import Counts, Rating
from rewardkit.curation.texts import TestTexts, duplicates, near_duplicates, words
from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.sampling.problems.prior import load_prior
from rewardkit.types import Problem

pytestmark = pytest.mark.skipif(find_spec("datasketch") is None, reason="datasketch is missing")


def rating(identity, right, wrong, *, question=None, answers=None, bad=0, model="m", info=None):
    said = answers if answers is not None else {"1": right, "2": wrong}
    counts = Counts(right, wrong, bad, 0, bad, said)
    text = question or f"Question {identity} about {identity} things named {identity}?"
    return Rating(Problem(identity, text, "1", info=info or {}), {model: counts})


@given(st.integers(0, 50), st.integers(0, 50), st.floats(0, 0.5), st.floats(0.5, 1))
def test_the_posterior_adds_up(right, wrong, low, high):
    counts = Counts(right, wrong)
    parts = counts.within(0, low) + counts.within(low, high) + counts.within(high, 1)
    assert parts == pytest.approx(1, abs=1e-9)
    assert counts.interval[0] < counts.solve_rate < counts.interval[1]
    assert counts.within(*counts.interval) == pytest.approx(0.95, abs=1e-6)


def test_a_posterior_by_hand():
    """No sample: uniform. One right of one: Beta(2, 1), whose distribution function is x²."""
    assert Counts().within(0.2, 0.8) == pytest.approx(0.6)
    assert Counts(right=1).within(0.2, 0.8) == pytest.approx(0.64 - 0.04)


@given(st.integers(1, 9), st.integers(0, 40))
def test_shards_are_all_and_no_problem_twice(of, count):
    found = [i for n in range(of) for i in Shard(n + 1, of).take(range(count))]
    assert sorted(found) == list(range(count))


@pytest.mark.parametrize("text", ["0/4", "5/4", "3", "a/b", "1/0", "-1/2"])
def test_what_is_no_shard(text):
    with pytest.raises(ConfigError, match="--shard is one of 1/N to N/N"):
        Shard.parse(text)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_tables_are_read_as_they_were_written(tmp_path, suffix):
    pytest.importorskip("pyarrow")
    ratings = [rating("a", 3, 5, info={"numbers": [1, 2]}), rating("b", 0, 0)]
    write_ratings(tmp_path / f"t{suffix}", ratings)
    assert read_ratings([tmp_path / f"t{suffix}"]) == ratings


def test_shards_and_models_become_one_table(tmp_path):
    tables = {
        "first": [rating("a", 3, 5)],
        "second": [rating("b", 1, 7)],
        "other": [rating("a", 8, 0, model="n"), rating("b", 2, 6, model="n")],
        "topped": [rating("a", 6, 10)],
    }
    for name, ratings in tables.items():
        write_ratings(tmp_path / f"{name}.jsonl", ratings)
    found = {r.problem.id: r for r in read_ratings([tmp_path / f"{n}.jsonl" for n in tables])}
    assert found["a"].counts("m").right == 6
    assert (found["a"].counts().right, found["b"].counts().right) == (14, 3)
    write_ratings(tmp_path / "clash.jsonl", [rating("a", 1, 1, question="Another one?")])
    with pytest.raises(DataError, match="problem 'a' is another one"):
        read_ratings([tmp_path / "first.jsonl", tmp_path / "clash.jsonl"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"info": None}, r"no field 'info'; the fields are 'id', .*`rewardkit curate rate`"),
        ({"models": None}, "no field 'models'; the fields are"),
        ({"id": 7}, "field 'id' must be text, found 7"),
        ({"answer": {}}, "a gold answer is text"),
        ({"info": [1]}, "field 'info' must be a table, found list"),
        ({"models": []}, "field 'models' must be a table, found list"),
        ({"models": {"m": 3}}, "field 'models.m' must be a table, found 3"),
        ({"models": {"m": {"rigth": 3}}}, "field 'models.m' has 'rigth'; did you mean right"),
        ({"models": {"m": {"right": "3"}}}, "'models.m.right' must be a whole number .*found str"),
        ({"models": {"m": {"wrong": -1}}}, "'models.m.wrong' must be a whole number .*found -1"),
        ({"models": {"m": {"answers": {"1": None}}}}, "'models.m.answers.1' must be a whole"),
    ],
)
def test_a_row_that_is_no_rating_says_where_and_which_field(tmp_path, changes, said):
    path = tmp_path / "t.jsonl"
    write_ratings(path, [rating("a", 3, 5), rating("b", 3, 5)])
    rows = [row for _, row in read_rows(path)]
    changed = {k: v for k, v in {**rows[1], **changes}.items() if v is not None}
    write_rows(path, [rows[0], changed])
    with pytest.raises(DataError, match=f"^{re.escape(str(path))}:2: .*{said}"):
        read_ratings([path])


def test_a_broken_cell_of_a_parquet_table_is_named(tmp_path):
    pyarrow, path = pytest.importorskip("pyarrow"), tmp_path / "t.parquet"
    write_ratings(path, [rating("a", 3, 5)])
    parquet = pytest.importorskip("pyarrow.parquet")
    row = parquet.read_table(path).to_pylist()[0]
    parquet.write_table(pyarrow.Table.from_pylist([{**row, "models": "{"}]), path)
    with pytest.raises(DataError, match=r"t.parquet: row 1: field 'models' is not JSON"):
        read_ratings([path])


def test_what_is_no_table(tmp_path):
    (tmp_path / "t.jsonl").write_text("{\n")
    with pytest.raises(DataError, match=":1: not JSON"):
        read_ratings([tmp_path / "t.jsonl"])
    with pytest.raises(ConfigError, match=r"a table is a .jsonl or a .parquet file"):
        read_ratings([tmp_path / "t.csv"])


def test_the_table_is_a_samplers_prior(tmp_path):
    ratings = [rating("a", 3, 5), rating("b", 0, 8)]
    write_ratings(tmp_path / "t.jsonl", ratings)
    prior = load_prior(str(tmp_path / "t.jsonl"), [r.problem for r in ratings], 8.0)
    assert prior.rates.tolist() == pytest.approx([0.4, 0.1])


def test_words():
    assert words("Größe: \\frac{1}{2}, naïve?") == ["große", "frac", "1", "2", "naive"]


PLAIN = (
    "Weng earns 12 dollars an hour for babysitting. Yesterday, she just did 50 minutes of "
    "babysitting. How much did she earn in all, in dollars?"
)


def test_duplicates_and_near_duplicates():
    texts = [
        PLAIN,
        PLAIN.upper().replace(" ", "  "),
        PLAIN.replace("just did", "did just about"),
        PLAIN.replace("12", "13"),  # a template with another number
        PLAIN.replace("Weng", "Bob") + " Explain your steps one by one and name each rule you use.",
        "What is 2+3?",
        "What is 2-3?",
        "What is 2 + 3?",
        "",
    ]
    assert duplicates(texts) == {1: 0, 7: 5}
    assert near_duplicates(texts[:7]) == {1: 0}
    slightly = [PLAIN * 3, (PLAIN * 3).replace("Yesterday", "Today", 1)]
    assert near_duplicates(slightly) == {1: 0}


def test_a_passage_in_common_and_a_hash():
    tests = TestTexts()
    tests.add("quiz", [PLAIN, "What is 2+3?"])
    tests.add_hashes({"abc": "aime"})
    assert tests.shared("Then YESTERDAY, she just did 50 minutes of babysitting!")[0] == "quiz"
    assert tests.shared("what is 2 + 3")[0] == "quiz"  # shorter than a passage: all of it
    assert tests.shared("What is 2+3 and 4?") is None
    assert tests.shared("anything", "abc") == ("aime", "all of it")


def test_contest_problems_are_known_by_their_hash():
    tests = test_texts(["arithmetic"])
    assert "aime24" in set(tests._hashes.values())
    assert tests._passages


def test_what_is_kept():
    """Band .2 to .8, 8 samples: P(1 of 8) = .44, P(2 of 8) = .74, P(6 of 8) = .74."""
    ratings = [rating(f"p{right}", right, 8 - right) for right in range(9)]
    found = choose(ratings, Band(0.2, 0.8))
    assert [row["id"] for row in found.kept] == [f"p{right}" for right in range(2, 7)]
    assert (found.below, found.above, found.unsure) == (2, 2, 0)
    assert found.kept[0]["in_band"] == pytest.approx(0.737884)
    surer = choose(ratings, Band(0.2, 0.8, probability=0.9))
    assert [row["id"] for row in surer.kept] == ["p3", "p4", "p5"]
    assert surer.unsure == 6  # of 0 in 8 even, P(p < .2) = 1 - .8^9 = .866


def test_flags_drop_unless_they_are_only_noted():
    same = "How many eggs does the hen lay in the nine weeks before Easter?"
    ratings = [
        rating("fine", 4, 4, question=same),
        rating("twin", 4, 4, question=same),
        rating("gold", 0, 0, bad=8),
        rating("suspect", 0, 8, answers={"7": 6, "8": 2}),
        rating("hard", 0, 8, answers={"7": 3, "8": 3, "9": 2}),
        rating("test", 4, 4, question="Now then, tell me in your own words: " + same),
    ]
    tests = TestTexts()
    tests.add("quiz", [same])
    found = choose(ratings, Band())
    assert [row["id"] for row in found.kept] == ["fine", "hard", "test"]
    flags = {row["id"]: row["flags"] for row in found.dropped}
    assert flags["twin"] == {"duplicate": "of fine"}
    assert flags["gold"] == {"unreadable_gold": "8 times"}
    assert flags["suspect"] == {"suspect_gold": "6 of 8 say 7"}
    assert found.unrated == 1
    overlapping = choose(ratings, Band(), tests=tests)
    assert [row["id"] for row in overlapping.kept] == ["hard"]
    assert overlapping.flags["overlap"] == 3
    noted = choose(ratings, Band(), tests=tests, drop=())
    assert [row["id"] for row in noted.kept] == ["fine", "twin", "suspect", "hard", "test"]
    assert "overlap" in noted.kept[0]["flags"]


def test_one_model_or_all():
    ratings = [Rating(rating("a", 0, 8).problem, {"m": Counts(0, 8), "n": Counts(8, 0)})]
    assert not choose(ratings, Band(0.2, 0.8), model="m").kept
    assert choose(ratings, Band(0.2, 0.8)).kept[0]["solve_rate"] == 0.5
    with pytest.raises(UnknownNameError, match="model in the table 'o'"):
        choose(ratings, Band(), model="o")
    with pytest.raises(UnknownNameError, match="flag 'duplicates'; did you mean duplicate"):
        choose(ratings, Band(), drop=("duplicates",))


def test_what_is_kept_is_data_with_the_problems_own_columns(tmp_path):
    from rewardkit.tasks import load_task

    ratings = [rating("a", 4, 4, info={"numbers": [1, 2]})]
    write_rows(tmp_path / "band.jsonl", choose(ratings, Band()).kept)
    [(_, row)] = read_rows(tmp_path / "band.jsonl")
    assert row["numbers"] == [1, 2]
    [problem] = load_task(f"file:{tmp_path / 'band.jsonl'}").test
    assert (problem.id, problem.info["numbers"], problem.info["right"]) == ("a", [1, 2], 4)
    assert json.loads((tmp_path / "band.jsonl").read_text())["in_band"] > 0.9


@pytest.mark.parametrize("text", [".8:.2", "0.5", "a:b", "0:1.5", ":"])
def test_what_is_no_band(text):
    with pytest.raises(ConfigError, match="--keep takes two solve rates"):
        Band.parse(text, 0.5)
