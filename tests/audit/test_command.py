"""`rewardkit audit` as it is typed: exit codes, files, lines that reproduce, the page in a browser."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from rewardkit.audit.findings import ROWS_FILE
from rewardkit.cli import main
from rewardkit.runs.graded_rows import read_rows

ARTEFACTS = Path(__file__).parents[1] / "artefacts"
HOSTILE = (
    "</script><script>document.title='hacked'</script><img src=x onerror=alert(1)><b>{{ 7*7 }}</b>"
)
GOLDS = ["42", "-7", "1,234", "0.5", "\\frac{3}{4}", "5\\text{ cm}", "[0,1)", "(1,2)", "\\{1,2,3\\}",
         "3, 5", "(C)", "Yes", "an ellipse", "x^2+2x+1", "2\\sqrt{3}"]  # fmt: skip


def write_task(folder, golds):
    path = folder / "problems.jsonl"
    rows = [{"problem": f"Question {n}?", "answer": gold} for n, gold in enumerate(golds, start=1)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return f"file:{path}"


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    return write_task(tmp_path_factory.mktemp("task"), GOLDS)


def run(*arguments):
    """Run the command; return its exit code."""
    try:
        main(["audit", *map(str, arguments)])
    except SystemExit as ended:
        return ended.code
    return 0


@pytest.mark.slow
def test_our_own_verifier_passes_its_audit(task, tmp_path):
    """Within the bounds that hold in CI: nothing wrong at all."""
    code = run("math", "--task", task, "--out", tmp_path, "--allow", "writings=0")
    found = json.loads((tmp_path / "audit.json").read_text())
    assert [found["false_accepts"], found["faults"], found["own_golds"], found["writings"]] == [
        [],
        [],
        [],
        [],
    ]
    assert found["beyond"] == []
    assert code == 0
    assert found["forms"] == dict.fromkeys(("box", "tag", "sentence", "hashes", "bare"), 1.0)
    assert len(found["shapes"]) >= 10
    assert found["probes"] > 600


@pytest.mark.parametrize(
    ("verifier", "golds"),
    [
        ("choice", ["A", "(C)"]),
        pytest.param("integer", ["42", "-7"], marks=pytest.mark.slow),
        ("numeric", ["-0.5"]),
        pytest.param("text", ["an ellipse"], marks=pytest.mark.slow),
    ],
)
def test_nor_do_the_small_ones_accept_what_is_wrong_or_hang(verifier, golds, tmp_path):
    assert (
        run(
            verifier,
            "--task",
            write_task(tmp_path, golds),
            "--out",
            tmp_path / "out",
        )
        == 0
    )


@pytest.fixture(scope="module")
def of_substring(tmp_path_factory):
    """A fault, on a task whose gold attacks the page, beside stored responses and a run."""
    folder = tmp_path_factory.mktemp("substring")
    task = write_task(folder, ["42", "-7", "A", HOSTILE])
    rows = [
        {"gold": "42", "response": "so \\boxed{42}", "label": True, "problem": "1"},
        {"gold": "42", "response": "so \\boxed{142}", "label": False, "problem": "1"},
        {"gold": "42", "response": "It is 42, of course.", "label": True, "problem": "2"},
        {"gold": "8", "response": HOSTILE, "label": False, "problem": "3"},
    ]
    (folder / "responses.jsonl").write_text("\n".join(map(json.dumps, rows)))
    steps = [
        {
            "step": step, "group": 0, "problem": "p", "gold": "42", "tokens": 10 * step,
            "response": f"so \\boxed{{{42 if right else 41}}}", "finish": "stop",
            "outcome": "correct" if right else "incorrect",
            "method": "exact" if step < 7 else "text", "reason": f"the same {step} words",
            "reward": right - 0.01 * step * member, "components": {"correct": float(right), "length": -0.01 * step * member},
        }
        for step in range(1, 13)
        for member, right in enumerate((True, False, step > 8, False))
    ]  # fmt: skip
    (folder / "run").mkdir()
    (folder / "run" / "rollouts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in steps))
    code = run(
        *("planted:substring", "--task", task, "--responses", folder / "responses.jsonl"),
        *(
            "--responses",
            folder / "run",
            "--second",
            "integer",
            "--problems",
            4,
            "--out",
            folder / "out",
        ),
        *("--allow", "seconds=0.5"),
    )
    return code, folder / "out", json.loads((folder / "out" / "audit.json").read_text())


def test_beyond_its_bounds_it_exits_with_1_and_says_what(of_substring):
    code, _, found = of_substring
    assert code == 1
    assert "wrongly accepted" in found["beyond"][0]
    assert not found["within_bounds"]


def test_the_faults_that_are_printed_are_those_that_are_bounded(tmp_path, capsys):
    task = write_task(tmp_path, ["42", "-7", "A"])
    asked = ("--task", task, "--out", tmp_path / "out")
    assert run("planted:only_in_the_main_thread", *asked) == 1
    said = capsys.readouterr().out
    counts = json.loads((tmp_path / "out" / "audit.json").read_text())["counts"]
    assert counts["faults"] >= counts["fault_kinds"] > 0
    asked, near = counts["wrong_asked"], counts["wrong_of_golds"]
    assert asked > near > 20
    assert f"wrongly accepted: 0 of {asked}, {near} of these made of a gold\n" in said
    assert f"kinds of faults: {counts['fault_kinds']}, of {counts['faults']} faults\n" in said
    assert f"BEYOND THE BOUNDS kinds of faults: {counts['fault_kinds']}, at most 0" in said


def test_each_line_reproduces_its_finding(of_substring, capsys):
    _, out, found = of_substring
    lines = {row["reproduce"] for row in found["false_accepts"]}
    texts = [line for line in lines if line.startswith("rewardkit verify --")]
    rows = [line for line in lines if line.startswith("rewardkit verify cases")]
    assert len(texts) > 10
    assert len(texts) + len(rows) == len(lines)
    row = f"rewardkit verify cases {out / ROWS_FILE} --row {found['false_accepts'][0]['row']}"
    capsys.readouterr()
    for line in (*texts[:2], *rows[:1], f"{row} --verifier planted:substring --show 1"):
        main(shlex.split(line)[1:])
        said = capsys.readouterr().out
        assert "outcome    correct" in said or "FALSE ACCEPT" in said, line


def test_what_is_right_is_said_by_a_column_and_its_line_shows_what_was_made_of_it(tmp_path, capsys):
    rows = [
        {"question": "How much?", "price": "4", "currency": "EUR", "said": "4 EUR", "response": "4"}
    ]
    (tmp_path / "prices.jsonl").write_text(json.dumps(rows[0]))
    of = ("--responses", tmp_path / "prices.jsonl", "--gold", "price")
    quick = ("--allow", "seconds=0.5", "--out")
    assert run("planted:priced", *of, "--set", "task.reference=said", *quick, tmp_path / "out") == 0
    found = json.loads((tmp_path / "out" / "audit.json").read_text())
    assert (found["own_golds"], found["golds_are_answers"]) == ([], True)
    assert run("planted:priced", *of, "--form", "ANSWER USD", *quick, tmp_path / "usd") == 1
    [own] = json.loads((tmp_path / "usd" / "audit.json").read_text())["own_golds"]
    capsys.readouterr()
    main(shlex.split(own["reproduce"])[1:])
    said = capsys.readouterr().out
    assert "gold '4' response '4 USD'" in said
    assert "incorrect by priced, score 0.4: " in said


def test_its_rows_are_graded_rows_that_other_commands_read(of_substring, capsys):
    _, out, found = of_substring
    rows = list(read_rows(out / ROWS_FILE))
    assert len(rows) == found["probes"]
    assert all(row.label is not None and row.verdict is not None for row in rows)
    main(["verify", "cases", str(out / ROWS_FILE), "--row", "1", "--json"])
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1.0


def test_responses_are_shown_beside_labels_and_a_second_verifier(of_substring):
    responses = of_substring[2]["responses"]
    cells = responses["confusion"]
    assert (cells["right_accepted"], cells["right_rejected"]) == (1, 1)
    assert (cells["wrong_accepted"], cells["wrong_rejected"]) == (1, 1)
    assert cells["false_accept_rate"]["value"] == 0.5
    low, high = cells["false_accept_rate"]["interval"]
    assert 0 < low < 0.5 < high < 1
    assert [row["outcome"] for row in responses["against_labels"]] == ["correct", "incorrect"]
    first = responses["disagreements"][0]
    assert first["first"].startswith("correct")
    assert first["second"].startswith("incorrect")
    assert first["examples"][0]["response"] == "so \\boxed{142}"
    assert responses["near_misses"] == 1
    assert responses["near_miss_examples"][0]["response"] == "It is 42, of course."


def test_the_page_works_in_a_browser(of_substring, browser):
    page = of_substring[1] / "audit.html"
    html = page.read_text()
    assert "document.title='hacked'</script>" not in html
    assert "<img" not in html
    browser.open(page)
    text = browser.run("document.body.innerText")
    assert text.index("Wrongly accepted") < text.index("Faults of the program")
    assert "rewardkit verify --verifier planted:substring" in text
    assert "Beyond the bounds" in text
    assert "paid" in browser.run("document.querySelector('#strategies').innerText")
    browser.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert HOSTILE in browser.run("document.body.innerText")
    browser.run("scrollTo(0, 0)")
    browser.screenshot(ARTEFACTS / "audit.png")
    assert "hacked" not in browser.run("document.title")
    assert browser.complaints() == []
    assert browser.requests() == [page.as_uri()]
    for width in (1280, 420, 390):
        assert browser.fits(page, width)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "whose golds? Name a task"),
        (["--task", "arithmetic", "--second", "integer"], "--second grades responses beside it"),
        (["--task", "arithmetic", "--form", "circle"], "has no ANSWER in it"),
        (["--task", "arithmetic", "--problems", "0"], "--problems must be at least 1"),
        (["--task", "arithmetic", "--allow", "score=0"], "a score in (0, 1] is expected"),
        (["--task", "arithmetic", "--allow", "fault=1"], "did you mean faults"),
        (["--task", "arithmetic", "--allow", "faults=no"], "takes a number"),
        (
            ["--task", "arithmetic", "--set", "task.verifier_options.partial=false"],
            "what is audited is integer, which is named first; what it is made with is --verifier",
        ),
        (["--task", "arithmetic", "--verifier-options", "a=1"], "verifier 'integer': "),
        (
            ["--task", "arithmetic", "--fail-on", "hang"],
            "unknown threat 'hang'; did you mean hangs",
        ),
        (["--task", "arithmetic", "--gold", "a"], "--gold names a column of responses"),
        (
            ["--task", "sums", "--set", "task.reference=work"],
            "no column 'work' with a right response",
        ),
        (["--responses", "nowhere"], "nowhere: holds no responses"),
        (
            ["--responses", "r", "--set", "task.limit=3"],
            "task.limit=3 is a setting of a task; name the",
        ),
        (["--task", "arithmetic", "--set", "seed=3"], "--set takes settings of the task here"),
        (["--task", "arithmetic", "--set", "task.args.limit"], "--set takes KEY=VALUE"),
    ],
)
def test_what_cannot_be_done_is_said(arguments, message, capsys):
    assert run("integer", *arguments) == 2
    assert message in capsys.readouterr().err


def test_where_a_folder_lies_in_a_run_the_run_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs/it/verl").mkdir(parents=True)
    for name in ("config.toml", "manifest.json"):
        (tmp_path / "runs/it" / name).write_text("")
    assert run("integer", "--responses", "runs/it/verl") == 2
    assert capsys.readouterr().err.strip().endswith("rewardkit eval); did you mean runs/it?")
    assert run("integer", "--responses", "runs/it") == 2
    assert "did you mean" not in capsys.readouterr().err


def test_the_task_is_the_one_that_its_settings_make(tmp_path):
    rows = [{"Q": f"Question {n}?", "gold": str(n)} for n in range(10, 20)]
    file = tmp_path / "odd.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    settings = ("columns.question=Q", "columns.answer=gold", "limit=3")
    asked = [word for one in settings for word in ("--set", f"task.{one}")]
    out = tmp_path / "out"
    verifier = "planted:only_in_the_main_thread"
    asked += ["--form", "box"]
    assert run(verifier, "--task", f"file:{file}", *asked, "--out", out) == 1
    found = json.loads((out / "audit.json").read_text())
    assert found["problems"] == 3
    lines = [row["reproduce"] for row in found["faults"] if " audit " in row["reproduce"]]
    assert lines
    assert all("--set task.columns.question=Q" in line for line in lines)
    assert all(line.endswith(" --form box") for line in lines)
    two = ("--task", "arithmetic", "--set", "task.args.test_size=2", "--out", out)
    assert run("planted:sound", *two) == 0
    assert json.loads((out / "audit.json").read_text())["problems"] == 2


def test_a_verifier_is_audited_with_its_options_and_so_are_the_lines(tmp_path, capsys):
    out = tmp_path / "out"
    one = ("--task", "arithmetic", "--problems", 1, "--out", out, "--allow", "seconds=0.5")
    assert run("planted:Partly", *one, "--verifier-options", "any_box=0.7") == 1
    found = json.loads((out / "audit.json").read_text())
    assert (found["verifier_options"], found["accepted_from"]) == (["any_box=0.7"], 0.5)
    line = found["false_accepts"][0]["reproduce"]
    assert line.startswith(
        "rewardkit verify --verifier planted:Partly --verifier-options=any_box=0"
    )
    capsys.readouterr()
    main(shlex.split(line)[1:])
    assert "score      0.7\n" in capsys.readouterr().out


def test_without_jinja2_the_rest_is_written(task, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert run("planted:sound", "--task", task, "--problems", 1, "--out", tmp_path) == 0
    assert "no audit.html: jinja2 is not installed" in capsys.readouterr().out
    assert (tmp_path / "audit.json").exists()


def test_a_program_that_a_verifier_runs_is_found_in_a_folder_that_is_new(tmp_path):
    task, out = write_task(tmp_path, ["42"]), tmp_path / "new" / "out"
    asked = ("--task", task, "--out", out, "--allow", "seconds=0.5")
    assert run("planted:evaluates_with_pi", *asked, "--fail-on", "code") == 1
    found = json.loads((out / "audit.json").read_text())
    assert (found["threats"]["code"], found["fail_on"]) == (1, ["code"])
    assert found["beyond"] == ["kinds of faults: 1, at most 0 allowed"]
    assert [row["kind"] for row in found["faults"]] == ["runs model text"]
    assert run("planted:evaluates_with_pi", *asked, "--fail-on", "context") == 0


def test_a_strategy_that_pays_is_printed_with_the_line_that_shows_it(tmp_path, capsys):
    task, out = write_task(tmp_path, ["2", "6", "12"]), tmp_path / "out"
    asked = ("--task", task, "--out", out, "--no-report", "--allow", "seconds=0.5")
    assert run("planted:any_answer_counts", *asked, "--fail-on", "strategies") == 1
    said = capsys.readouterr().out.splitlines()
    place = next(n for n, line in enumerate(said) if "strategy: 0 to 20, an answer each" in line)
    assert said[place].endswith("paid 100.0 % of the time, a guess 33.3 %")
    main(shlex.split(said[place + 1])[1:])
    assert "AS LABELLED" not in capsys.readouterr().out
