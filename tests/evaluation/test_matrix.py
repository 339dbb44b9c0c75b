"""Many evaluations as one table: rows, columns, ranks, the page and the command."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from rewardkit.cli import main
from rewardkit.errors import DataError, UnknownNameError
from rewardkit.evaluation.comparing.matrix import ALL, folders_in, matrix
from rewardkit.evaluation.measures.scoring import score_of
from rewardkit.evaluation.statistics.paired import holm
from rewardkit.runs.results import document

ARTEFACTS = Path(__file__).parents[1] / "artefacts"
SAMPLING = {"samples_per_problem": 8, "max_tokens": 4096, "temperature": 0.6, "top_p": 1.0}


scored = cache(score_of)


def problem_set(right, samples=8, text="", complete=True):
    """A set whose problems were solved so many times each."""
    rows = [
        {
            "id": f"p{i}",
            "text_hash": f"t{i}{text}",
            "prompt_hash": "h",
            "gold": "2",
            "correct": correct,
            "graded": samples,
            "rate": correct / samples,
            "samples": [],
        }
        for i, correct in enumerate(right)
    ]
    score = scored(tuple((correct, samples) for correct in right))
    return {
        **(score if complete else dict.fromkeys(score)),
        "complete": complete,
        "coverage": 1.0 if complete else 0.5,
        "partial": None if complete else score,
        "problems": len(right),
        "samples": samples * len(right),
        "samples_per_problem": samples,
        "truncation": {"rate": 0.02},
        "tokens": {"prompt": 10, "response": 1000 * samples * len(right), "mean": 1000.0},
        "per_problem": rows,
    }


def write(folder, model, sets, **changed):
    evaluation = {
        "step": None,
        "model": model,
        "fingerprint": f"hash of {model}",
        "engine": "openai",
        "seed": 0,
        "sampling": SAMPLING,
        "asking": {},
        "sets": sets,
        **changed,
    }
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(document({"model": evaluation})))
    return folder


STRONG = [8, 7, 8, 6] * 10
EVEN = [7, 8, 6, 8] * 10
WEAK = [1, 2, 0, 3] * 10


@pytest.fixture
def runs(tmp_path):
    for name, right in (("weak", WEAK), ("strong", STRONG), ("even", EVEN)):
        sets = {"sums": problem_set(right), "products": problem_set(right[:20], text="x")}
        write(tmp_path / "runs" / name, f"models/{name}", sets)
    return tmp_path / "runs"


def ranks(found, column, question="these_problems"):
    return {row["label"]: row["cells"][column]["ranks"][question] for row in found["rows"]}


def test_ranks_are_as_wide_as_what_is_not_told_apart(runs):
    found = matrix(folders_in([runs]))
    assert [column["name"] for column in found["columns"]] == [ALL, "sums", "products"]
    assert [column["problems"] for column in found["columns"]] == [60, 40, 20]
    expected = {"models/strong": [1, 2], "models/even": [1, 2], "models/weak": [3, 3]}
    for column in (ALL, "sums", "products"):
        assert ranks(found, column) == expected
        assert ranks(found, column, "new_problems") == expected
    assert found["rows"][-1]["label"] == "models/weak"
    assert found["notes"] == []


def test_p_values_are_corrected_over_all_pairs_and_sets_and_those_of_all_by_themselves(runs):
    found = matrix(folders_in([runs]))
    families = [
        [pair for pair in found["pairs"] if (pair["column"] == ALL) is alone]
        for alone in (True, False)
    ]
    assert [len(family) for family in families] == [3, 6]
    for family in families:
        for question in ("these_problems", "new_problems"):
            raw = [pair[question]["p"] for pair in family]
            assert [pair[question]["p_holm"] for pair in family] == holm(raw)


def test_scores_and_tokens_are_those_of_the_evaluations(runs):
    found = matrix(folders_in([runs / "weak"]))
    [row] = found["rows"]
    assert row["cells"]["sums"]["accuracy"] == pytest.approx(1.5 / 8)
    assert row["cells"][ALL]["accuracy"] == pytest.approx(1.5 / 8)
    assert row["cells"]["sums"]["ranks"] == {"these_problems": None, "new_problems": None}
    counts = {name: count for name, count in row["tokens"].items() if count is not None}
    assert counts == {"prompt": 20, "response": 480_000, "mean": 1000.0}
    assert found["pairs"] == []


def test_sets_that_were_evaluated_apart_are_one_models(tmp_path):
    write(tmp_path / "a1", "a", {"sums": problem_set(EVEN)})
    write(tmp_path / "a2", "a", {"products": problem_set(WEAK, text="x")})
    write(tmp_path / "again", "a", {"sums": problem_set(STRONG)})
    write(tmp_path / "b", "b", {"sums": problem_set(EVEN)}, sampling={**SAMPLING, "top_p": 0.9})
    found = matrix([tmp_path / name for name in ("a1", "a2", "again", "b")])
    cells = {row["label"]: set(row["cells"]) for row in found["rows"]}
    assert cells == {"a (a1)": {"sums", "products"}, "a (again)": {"sums"}, "b": {"sums"}}
    assert found["notes"] == [
        "not only the models differ: top_p: 1.0 in a (a1), a (again); 0.9 in b"
    ]


def test_what_differs_is_said_of_rows_that_share_sets_and_in_signs_that_can_be_read(tmp_path):
    asked = {"asking": {"prompt": "Sum:\n{question}"}}
    write(tmp_path / "a", "a", {"sums": problem_set(EVEN)})
    write(tmp_path / "c", "c", {"products": problem_set(WEAK, text="x")}, **asked)
    assert matrix([tmp_path / "a", tmp_path / "c"])["notes"] == []
    write(tmp_path / "b", "b", {"sums": problem_set(EVEN)}, **asked)
    assert matrix([tmp_path / name for name in "acb"])["notes"] == [
        "not only the models differ: prompt: not set in a; 'Sum:\\n{question}' in b"
    ]


def test_the_same_name_over_other_problems_is_another_column(tmp_path):
    write(tmp_path / "a", "a", {"sums": problem_set(EVEN)})
    write(tmp_path / "b", "b", {"sums": problem_set(EVEN[:10])})
    found = matrix([tmp_path / "a", tmp_path / "b"])
    assert [column["name"] for column in found["columns"]] == ["sums", "sums (other problems, 2)"]
    assert found["pairs"] == []


def test_what_is_partial_is_shown_and_neither_ranked_nor_compared(tmp_path):
    write(tmp_path / "a", "a", {"sums": problem_set(EVEN), "more": problem_set(EVEN, text="x")})
    write(tmp_path / "b", "b", {"sums": problem_set(EVEN, complete=False)})
    found = matrix([tmp_path / "a", tmp_path / "b"])
    assert [column["name"] for column in found["columns"]] == ["sums", "more"]
    assert found["pairs"] == []
    assert found["notes"] == ["b: sums is partial, and is neither ranked nor compared"]


def test_what_holds_no_evaluation_is_said(tmp_path, runs):
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="nor does a folder in it"):
        folders_in([tmp_path / "empty"])
    with pytest.raises(
        UnknownNameError, match="unknown set in the results 'sum'; did you mean sums"
    ):
        matrix(folders_in([runs]), ["sum"])


def test_the_command_prints_a_table_and_writes_json_and_page(runs, tmp_path, capsys):
    out = tmp_path / "out"
    main(["matrix", str(runs), "--out", str(out), "--task", "sums"])
    printed = capsys.readouterr().out
    assert "models/strong" in printed
    assert "#1-2" in printed
    main(["matrix", str(runs), "--out", str(out), "--task", "sums", "--json", "--no-report"])
    said = json.loads(capsys.readouterr().out)
    assert said == json.loads((out / "matrix.json").read_text())
    assert [column["name"] for column in said["columns"]] == ["sums"]
    assert (out / "matrix.html").exists()


@pytest.fixture
def page(tmp_path):
    pytest.importorskip("jinja2")
    for number in range(6):
        right = [max(correct - number - (i * number) % 3, 0) for i, correct in enumerate(STRONG)]
        sets = {f"set-{i}": problem_set(right, text=str(i)) for i in range(5)}
        name = "<script>document.title='hacked'</script>" if not number else f"model-of-{number}-B"
        write(tmp_path / "runs" / str(number), name, sets)
    main(["matrix", str(tmp_path / "runs"), "--out", str(tmp_path)])
    return tmp_path / "matrix.html"


def test_the_page_sorts_compares_and_fits_on_any_screen(page, browser):
    for width in (1280, 420):
        assert browser.fits(page, width)
        browser.screenshot(ARTEFACTS / f"matrix-{width}.png")
    first = "document.querySelector('#matrix tbody th').textContent"
    assert "hacked" in browser.run(first)
    browser.run("document.querySelectorAll('#matrix button')[1].click()")
    assert browser.run(first) == "model-of-5-B"
    browser.run("document.querySelectorAll('#matrix button')[0].click()")
    assert "hacked" in browser.run(first)
    cells = "[...document.querySelectorAll('#pairs td')].filter((c) => c.className).length"
    assert browser.run(cells) == 30
    better = "document.querySelectorAll('#pairs .better').length"
    worse = "document.querySelectorAll('#pairs .worse').length"
    assert browser.run(better) == browser.run(worse) > 0
    browser.run(
        "const s = document.getElementById('question'); s.value = '4';"
        "s.dispatchEvent(new Event('change'))"
    )
    assert browser.run(cells) == 30
    assert "hacked" not in browser.run("document.title")
    assert browser.complaints() == []
    assert browser.requests() == [page.as_uri()]
