from __future__ import annotations

import functools
import json
import random
import shutil

import pytest
import rewardkit_test_calls as calls
from rewardkit_test_server import completion, serve

from rewardkit.cli import main
from rewardkit.evaluation.comparing.comparison import _differences
from rewardkit.evaluation.pages import comparison_page


def model_of_skill(skill):
    """A model that solves question i with a chance of its own."""

    def answer(request):
        question = request["messages"][-1]["content"]
        ease = random.Random(question).random()
        roll = random.Random(f"{request['model']} {request['seed']}").random()
        return completion(f"\\boxed{{{2 if roll < min(1, ease * skill) else 3}}}")

    return answer


@pytest.fixture(scope="module")
def wide_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("problems") / "wide.jsonl"
    rows = [{"id": i, "problem": f"What is 1 + 1? (no. {i})", "answer": "2"} for i in range(20)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory):
    """Return a function that puts an evaluation into a folder; each is drawn once and copied."""

    @functools.cache
    def drawn(path, skill, model, samples, more):
        folder = tmp_path_factory.mktemp("drawn")
        with serve(model_of_skill(skill)) as server:
            words = ("--model", model, "--samples", str(samples), *more)
            calls.evaluate(server, f"file:{path}", folder, *words)
        return folder

    def put(path, run_dir, skill, model, samples=8, *more):
        shutil.copytree(drawn(path, skill, model, samples, more), run_dir)

    return put


def compare(capsys, a, b, *more):
    capsys.readouterr()
    main(["compare", str(a), str(b), "--json", "--no-report", *more])
    return json.loads(capsys.readouterr().out)


def test_a_large_gain_is_shown_on_both_questions(wide_file, evaluate, tmp_path, capsys):
    evaluate(wide_file, tmp_path / "a", 0.5, "a")
    evaluate(wide_file, tmp_path / "b", 1.5, "b")
    row = compare(capsys, tmp_path / "a", tmp_path / "b")["sets"]["wide"]
    assert row["these_problems"]["p_holm"] < 0.001
    assert row["new_problems"]["p_holm"] < 0.05
    gain = row["accuracy_b"] - row["accuracy_a"]
    assert row["these_problems"]["gain"] == pytest.approx(gain)
    assert row["verdict"].startswith("B solves more of these 20 problems (+")
    assert "new ones like them as well" in row["verdict"]
    swapped = compare(capsys, tmp_path / "b", tmp_path / "a")["sets"]["wide"]
    assert swapped["verdict"].startswith("A solves more of these 20 problems (-")


def test_no_gain_names_what_would_have_been_seen(wide_file, evaluate, tmp_path, capsys):
    evaluate(wide_file, tmp_path / "a", 1.0, "a")
    evaluate(wide_file, tmp_path / "b", 1.0, "b")
    row = compare(capsys, tmp_path / "a", tmp_path / "b")["sets"]["wide"]
    assert row["verdict"].startswith("No difference is shown on these 20 problems")
    assert f"a gain of {100 * row['these_problems']['detectable']:.1f} points" in row["verdict"]


def test_an_evaluation_of_an_older_version_is_compared(wide_file, evaluate, tmp_path, capsys):
    evaluate(wide_file, tmp_path / "a", 0.5, "a")
    evaluate(wide_file, tmp_path / "b", 1.5, "b")
    found = compare(capsys, tmp_path / "a", tmp_path / "b")
    path = tmp_path / "a" / "results.json"
    [evaluation] = json.loads(path.read_text())["evaluations"].values()
    del evaluation["step"]
    sets = evaluation.pop("sets")
    path.write_text(json.dumps({**evaluation, "tasks": sets}))
    assert compare(capsys, tmp_path / "a", tmp_path / "b") == found


def test_one_sample_is_mcnemar(wide_file, evaluate, tmp_path, capsys):
    evaluate(wide_file, tmp_path / "a", 0.5, "a", 1)
    evaluate(wide_file, tmp_path / "b", 1.5, "b", 1)
    row = compare(capsys, tmp_path / "a", tmp_path / "b")["sets"]["wide"]
    assert row["these_problems"]["test"] == "exact McNemar"
    main(["compare", str(tmp_path / "a"), str(tmp_path / "b")])
    said = capsys.readouterr().out
    gains = [change["gain"] for change in row["changes"]]
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    assert f"right more often on {better} problem" in said
    assert f"less often on {worse}, as often on {20 - better - worse}." in said
    assert f"The problems that changed are in {tmp_path / 'b'}/comparison.html; `sets." in said
    assert "detectable" in said
    assert "power" in said


def of_form(share):
    """A model that boxes its answer in a share of the responses, and is right in one of ten."""

    def answer(request):
        roll = random.Random(str(request["seed"]))
        value = 2 if roll.random() < 0.1 else 3
        return completion(f"\\boxed{{{value}}}" if roll.random() < share else f"It is {value}.")

    return answer


@pytest.fixture(scope="module")
def learned_form(wide_file, tmp_path_factory):
    """Evaluations before and after a training that taught nothing but the form; what was said."""
    folder = tmp_path_factory.mktemp("form")
    for name, share in (("before", 0.5), ("after", 1.0)):
        with serve(of_form(share)) as server:
            words = ("--model", name, "--samples", "8", "--answer-in", "box")
            calls.evaluate(server, wide_file, folder / name, *words)
    return folder


def test_a_gain_of_form_alone_is_told(learned_form, capsys):
    runs = learned_form / "before", learned_form / "after"
    row = compare(capsys, *runs)["sets"]["wide"]
    assert row["answered_share_b"] == 1 > row["answered_share_a"]
    a, b = (100 * row[f"accuracy_given_answer_{x}"] for x in "ab")
    shares = f"Answered: {100 * row['answered_share_a']:.1f} % and 100.0 %; "
    assert row["verdict"].endswith(f"{shares}right if answered: {a:.1f} % and {b:.1f} %.")
    main(["compare", *map(str, runs)])
    lines = [line.split("│")[1:-1] for line in capsys.readouterr().out.splitlines() if "│" in line]
    told = {name.strip(): [x.strip() for x in both] for name, *both in lines if len(both) == 2}
    assert told["answered %"] == [f"{100 * row['answered_share_a']:.1f}", "100.0"]
    assert told["right if answered %"] == [f"{a:.1f}", f"{b:.1f}"]
    same = compare(capsys, runs[1], runs[1])["sets"]["wide"]
    assert "Answered" not in same["verdict"]
    main(["eval", "regrade", str(runs[0]), "--workers", "1"])
    printed = " ".join(capsys.readouterr().out.split())
    assert f"│ answered % │ {100 * row['answered_share_a']:.1f} │" in printed
    assert f"│ right if answered % │ {a:.1f} │" in printed


def test_a_comparison_is_a_row_of_a_paper(learned_form, capsys):
    runs = learned_form / "before", learned_form / "after"
    row = compare(capsys, *runs)["sets"]["wide"]
    heads, latex = (runs[1] / "comparison.tex").read_text().splitlines()
    a, b = (f"{100 * row[f'accuracy_{x}']:.1f}" for x in "ab")
    assert heads.startswith(r"% set & problems & A: before \% & B: after \% & gain & ")
    assert latex.startswith(f"wide & 20 & {a} & {b} & {100 * row['these_problems']['gain']:+.1f} &")
    assert heads.count("&") == latex.count("&")
    markdown = (runs[1] / "comparison.md").read_text()
    assert f"\nwide|20|{a}|{b}|" in markdown
    assert row["verdict"] in markdown


def test_the_page_holds_what_both_said_where_they_differ(learned_form, capsys, monkeypatch):
    monkeypatch.setattr(comparison_page, "MOST_READ", 2)
    runs = learned_form / "before", learned_form / "after"
    row = compare(capsys, *runs)["sets"]["wide"]
    changed = [one for one in row["changes"] if one["gain"]]
    page = (runs[1] / "comparison.html").read_text()
    assert page.count('<details class="changed">') == 2 < len(changed)
    assert page.count('class="change"><span>') == len(changed)
    most = page[page.index(f"<span>{changed[0]['id']}</span>") :]
    assert f"(no. {changed[0]['id']})" in most[: most.index("Gold answer: <code>2</code>")]
    for said in ("A, sample ", "B, sample "):
        assert said in most[: most.index("</details>")]
    assert "no_answer" in page
    (runs[0] / "samples.jsonl").rename(learned_form / "elsewhere")
    compare(capsys, *runs)
    assert "A: no response at hand" in (runs[1] / "comparison.html").read_text()
    (learned_form / "elsewhere").rename(runs[0] / "samples.jsonl")


def test_other_sampling_is_named(wide_file, evaluate, tmp_path, capsys):
    evaluate(wide_file, tmp_path / "a", 1.0, "a")
    evaluate(wide_file, tmp_path / "b", 1.0, "b", 8, "--temperature", "0.5")
    found = compare(capsys, tmp_path / "a", tmp_path / "b")
    assert not found["same_model"]
    assert any("temperature" in line for line in found["differences"])


def test_of_one_model_asked_in_two_ways_what_differs_is_said_by_name(
    wide_file, evaluate, tmp_path, capsys
):
    evaluate(wide_file, tmp_path / "a", 1.0, "m", 2)
    evaluate(wide_file, tmp_path / "b", 1.0, "m", 2, "--system-prompt", "Be brief.")
    capsys.readouterr()
    main(["compare", str(tmp_path / "a"), str(tmp_path / "b")])
    printed = capsys.readouterr().out.splitlines()
    assert printed[2] == "these differ in: server, system prompt"
    notes = [line for line in printed if line.startswith("NOTE")]
    said = "NOTE the model is the same, and this differs:"
    assert notes[0].startswith(f"{said} server: 127.0.0.1:")
    assert notes[1:] == [f"{said} system_prompt: 'not set' in A, 'Be brief.' in B"]
    assert "The model is the same, and this" in (tmp_path / "b" / "comparison.html").read_text()


def test_the_type_that_weights_were_used_in_is_named():
    a, b = (
        {"fingerprint": f"weights:1f in {used}", "engine": "fast", "sampling": {}, "sets": {}}
        for used in ("float32", "bfloat16")
    )
    assert _differences(a, b) == ["type: float32 in A, bfloat16 in B"]


def test_copies_at_temperature_0_count_once(wide_file, evaluate, tmp_path, capsys):
    evaluate(wide_file, tmp_path / "a", 0.5, "a", 8, "--temperature", "0")
    evaluate(wide_file, tmp_path / "b", 1.5, "b", 8, "--temperature", "0")
    for run in ("a", "b"):
        edit(tmp_path / run, as_copies)
    found = compare(capsys, tmp_path / "a", tmp_path / "b")
    row = found["sets"]["wide"]
    assert row["these_problems"]["test"] == "exact McNemar"
    assert row["these_problems"]["p"] > 1e-6  # as 160 samples it would be less than 1e-9
    assert len(found["notes"]) == 2
    assert "temperature 0: its samples of a problem are copies" in found["notes"][0]


def as_copies(row):
    for problem in row["per_problem"]:
        problem["correct"] = 8 * (problem["correct"] >= 4)
        problem["rate"] = problem["correct"] / 8
        for sample in problem["samples"]:
            sample["outcome"] = "correct" if problem["correct"] else "incorrect"


def test_samples_under_one_seed_are_paired(wide_file, tmp_path, capsys):
    # The same model under another name: a sample and its twin are one roll of the dice.
    with serve(model_of_skill_of_seed) as server:
        for name in "ab":
            words = ("--model", name, "--samples", "8")
            calls.evaluate(server, wide_file, tmp_path / name, *words)
    found = compare(capsys, tmp_path / "a", tmp_path / "b")["sets"]["wide"]["these_problems"]
    edit(tmp_path / "b", lambda row: [p.pop("samples") for p in row["per_problem"]])
    alone = compare(capsys, tmp_path / "a", tmp_path / "b")["sets"]["wide"]["these_problems"]
    assert found["high"] - found["low"] < 0.5 * (alone["high"] - alone["low"])


def model_of_skill_of_seed(request):
    roll = random.Random(str(request["seed"])).random()
    return completion(f"\\boxed{{{2 if roll < 0.5 else 3}}}")


def test_contest_years_are_clusters(wide_file, evaluate, tmp_path, capsys):
    rows = [json.loads(line) for line in wide_file.read_text().splitlines()]
    rows = [{**row, "id": f"contest-{2000 + row['id'] // 3}-{row['id'] % 3}"} for row in rows]
    contests = tmp_path / "wide.jsonl"
    contests.write_text("\n".join(map(json.dumps, rows)))
    evaluate(contests, tmp_path / "a", 0.5, "a")
    evaluate(contests, tmp_path / "b", 1.5, "b")
    assert compare(capsys, tmp_path / "a", tmp_path / "b")["sets"]["wide"]["clusters"] == 7
    main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--no-report"])
    assert "20 problems in 7 clusters" in capsys.readouterr().out


def test_holm_corrects_over_sets(wide_file, evaluate, tmp_path, capsys):
    other = tmp_path / "other.jsonl"
    other.write_text(wide_file.read_text().replace("no.", "number"))
    for name, skill in (("a", 1.0), ("b", 1.2)):
        evaluate(f"{wide_file},file:{other}", tmp_path / name, skill, name)
    found = compare(capsys, tmp_path / "a", tmp_path / "b")["sets"]
    raw = sorted(row["these_problems"]["p"] for row in found.values())
    adjusted = sorted(row["these_problems"]["p_holm"] for row in found.values())
    assert adjusted[0] == pytest.approx(min(1, 2 * raw[0]))
    only = compare(capsys, tmp_path / "a", tmp_path / "b", "--task", "other")["sets"]
    assert list(only) == ["other"]
    assert only["other"]["these_problems"]["p_holm"] == only["other"]["these_problems"]["p"]


def edit(run_dir, change):
    path = run_dir / "results.json"
    found = json.loads(path.read_text())
    change(found["evaluations"]["model"]["sets"]["wide"])
    path.write_text(json.dumps(found))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row.update(complete=False), "is partial"),
        (lambda row: row["per_problem"].pop(), "different problems"),
        (lambda row: row["per_problem"][0].update(gold="7"), "another gold"),
        (lambda row: row["per_problem"][0].update(text_hash="0"), "another text_hash"),
    ],
)
def test_what_cannot_be_compared_is_refused(wide_file, evaluate, tmp_path, capsys, change, message):
    evaluate(wide_file, tmp_path / "a", 1.0, "a")
    evaluate(wide_file, tmp_path / "b", 1.0, "b")
    edit(tmp_path / "b", change)
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(tmp_path / "a"), str(tmp_path / "b")])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_folder_without_results_and_an_unknown_set(wide_file, evaluate, tmp_path, capsys):
    evaluate(wide_file, tmp_path / "a", 1.0, "a")
    for arguments, message in (
        ([str(tmp_path / "a"), str(tmp_path)], "holds no results.json"),
        ([str(tmp_path / "a"), str(wide_file / "x")], "holds no results.json"),
        ([str(tmp_path / "a"), str(tmp_path / "a"), "--task", "widee"], "did you mean wide"),
    ):
        with pytest.raises(SystemExit):
            main(["compare", *arguments])
        assert message in capsys.readouterr().err


def test_results_may_be_named_themselves(wide_file, evaluate, tmp_path):
    evaluate(wide_file, tmp_path / "a", 1.0, "a", 1)
    file = str(tmp_path / "a" / "results.json")
    main(["compare", file, file])
    assert (tmp_path / "a" / "comparison.html").exists()


def test_both_at_nothing_have_no_detectable_gain(wide_file, evaluate, tmp_path, capsys):
    evaluate(wide_file, tmp_path / "a", 0.0, "a")
    evaluate(wide_file, tmp_path / "b", 0.0, "b")
    row = compare(capsys, tmp_path / "a", tmp_path / "b")["sets"]["wide"]
    assert row["these_problems"]["detectable"] is None
    main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--no-report"])
    line = next(x for x in capsys.readouterr().out.splitlines() if "t over" in x)
    assert [cell.strip() for cell in line.split("│")][-3] == "-"


@pytest.mark.parametrize("file", ["config.toml", "config.json"])
def test_a_run_or_a_checkpoint_must_be_measured_first(tmp_path, capsys, file):
    (tmp_path / file).touch()
    if file == "config.toml":  # a training run has results of its own
        (tmp_path / "results.json").write_text('{"before": {}}')
    with pytest.raises(SystemExit):
        main(["compare", str(tmp_path), str(tmp_path)])
    assert f"rewardkit eval --model {tmp_path} --task TASK" in capsys.readouterr().err


def sequential(server, wide_file, tmp_path, capsys, samples):
    main(
        [
            *("compare", "sequential", "a", "b", "--samples", samples, "--engine", "openai"),
            *("--base-url", server.url, "--task", f"file:{wide_file}", "--json"),
            *("--run-dir", str(tmp_path / "runs"), "--no-report"),
        ]
    )
    return json.loads(capsys.readouterr().out)["sequential"]


def test_sequential_stops_early_on_a_large_gain(wide_file, tmp_path, capsys):
    def two_models(request):
        return model_of_skill(0.3 if request["model"] == "a" else 1.5)(request)

    with serve(two_models) as server:
        found = sequential(server, wide_file, tmp_path, capsys, "64")
        assert len(server.requests) == 2 * 16 * 20
    assert found["shown"]
    assert found["samples_used"] == 16
    assert "Adjusted for the early stop, B gains +" in found["sentence"]
    assert 0 < found["adjusted"]["low"] < found["adjusted"]["gain"] < found["adjusted"]["high"] <= 1


def test_sequential_says_nothing_of_an_early_stop_where_there_was_none(wide_file, tmp_path, capsys):
    with serve(model_of_skill(1.0)) as server:
        said = sequential(server, wide_file, tmp_path, capsys, "4")["sentence"]
    assert said.endswith("no difference is shown with 4 samples a problem.")
