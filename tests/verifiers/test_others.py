"""The small verifiers, composition, names, and the measuring command."""

import json
import pickle
import subprocess
import sys

import pytest

from rewardkit.audit.cases import Case, measure, read_cases
from rewardkit.cli import main
from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.registry import VERIFIERS
from rewardkit.runs.graded_rows import GradedRow
from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers import (
    ChoiceVerifier,
    First,
    FormatVerifier,
    IntegerVerifier,
    MathVerifier,
    NumericVerifier,
    TextVerifier,
    VerifierPool,
    Weighted,
    load_verifier,
    register_verifier,
)
from rewardkit.verifiers.limits import work

AIME = IntegerVerifier(low=0, high=999)
COLOURS = ChoiceVerifier(options={"A": "red", "B": "dark blue"})
C, I, N, B = Outcome.CORRECT, Outcome.INCORRECT, Outcome.NO_ANSWER, Outcome.BAD_GOLD  # noqa: E741


@pytest.mark.parametrize(
    ("verifier", "response", "answer", "outcome"),
    [
        (AIME, r"\boxed{042}", "42", C),
        (AIME, r"\boxed{42}", "042", C),
        (AIME, r"\boxed{1042}", "42", I),
        (AIME, r"\boxed{42.5}", "42", I),
        (AIME, r"\boxed{\frac{84}{2}}", "42", I),
        (AIME, "", "42", N),
        (AIME, r"\boxed{42}", "1042", B),
        (AIME, r"\boxed{42}", "x", B),
        (IntegerVerifier(), r"\boxed{1{,}234}", "1234", C),
        (IntegerVerifier(), r"\boxed{1\,234}", "1234", C),
        (IntegerVerifier(), r"\boxed{1,\!234}", "1234", C),
        (IntegerVerifier(), r"\boxed{\textbf{ 42 }}", "42", C),
        (IntegerVerifier(), r"\boxed{\,$42$\,}", "42", C),
        (IntegerVerifier(), r"\boxed{n = 42}", "42", C),
        (IntegerVerifier(), r"\boxed{3*4}", "34", I),
        (IntegerVerifier(), r"\boxed{{3}{4}}", "34", I),
        (IntegerVerifier(), r"\boxed{$3$ $4$}", "34", I),
        (IntegerVerifier(), r"\boxed{3 4}", "34", I),
        (IntegerVerifier(), r"\boxed{12 34}", "1234", I),
        (IntegerVerifier(), r"\boxed{1, 234}", "1234", I),
        (COLOURS, r"\boxed{\text{(B)}}", "B", C),
        (COLOURS, "The answer is (b).", "B", C),
        (COLOURS, r"\boxed{\text{Dark blue}}", "B", C),
        (COLOURS, r"\boxed{\textbf{(A)}\ \text{red}}", "A", C),
        (COLOURS, r"\boxed{\textbf{(A)}\ \text{dark blue}}", "A", I),
        (COLOURS, r"\boxed{A}", "B", I),
        (COLOURS, r"\boxed{Z}", "B", I),
        (COLOURS, r"\boxed{A or B}", "B", I),
        (COLOURS, r"\boxed{A}", "green", B),
        (ChoiceVerifier(), r"\boxed{(C) or A}", "(C)", I),
        (ChoiceVerifier(), r"\boxed{(A) (B) (C) (D) (E)}", "A", I),
        (ChoiceVerifier(), r"\boxed{(B) f(C) = 2}", "B", C),
        (ChoiceVerifier(), r"\boxed{C) red or D) blue}", "C", I),
        (ChoiceVerifier(), r"\boxed{C) D)}", "C", I),
        (ChoiceVerifier(), r"\boxed{(C) D}", "C", C),
        (ChoiceVerifier(), r"\boxed{\text{(C) or tartan umbrella}}", "C", I),
        (ChoiceVerifier(), r"\boxed{C) is wrong}", "C", I),
        (ChoiceVerifier(), r"\boxed{C. Not sure}", "C", I),
        (ChoiceVerifier(), r"\boxed{C) Not enough information}", "C", C),
        (ChoiceVerifier(), r"\boxed{C) The statement is false}", "C", C),
        (ChoiceVerifier(), r"\boxed{C. increase or decrease}", "C", C),
        (ChoiceVerifier(), r"\boxed{C) Vitamin D}", "C", C),
        (ChoiceVerifier(options={"B": "(A) and (C)"}), r"\boxed{(B) (A) and (C)}", "B", C),
        (NumericVerifier(relative=0.01), r"\boxed{9.79}", "9.8", C),
        (NumericVerifier(relative=0.01), r"\boxed{9.6}", "9.8", I),
        (NumericVerifier(), r"\boxed{100\text{ cm}}", "1 m", C),
        (NumericVerifier(), r"\boxed{1\text{ kg}}", "1 m", I),
        (NumericVerifier(), r"\boxed{1}", "1 m", C),
        (NumericVerifier(unit_required=True), r"\boxed{1}", "1 m", I),
        (NumericVerifier(absolute=0.5), r"\boxed{3.4}", "3", C),
        (NumericVerifier(), r"\boxed{\text{many}}", "3", N),
        (NumericVerifier(), r"\boxed{3}", "many", B),
        (NumericVerifier(), r"\boxed{3 = 0.5}", "0.5", I),
        (NumericVerifier(), r"\boxed{7 \approx 0.5}", "0.5", I),
        (NumericVerifier(), r"\boxed{x = 5 = 0.5}", "0.5", I),
        (NumericVerifier(), r"\boxed{\frac{1}{2} = 0.5}", "0.5", C),
        (NumericVerifier(), r"\boxed{\frac{9}{4} \approx 2.3}", "2.3", C),
        (NumericVerifier(), r"\boxed{x = 0.5}", "0.5", C),
        (NumericVerifier(), r"\boxed{v = 9.8\text{ m}}", "9.8 m", C),
        (TextVerifier(), r"\boxed{\text{The ellipse.}}", "an ellipse", C),
        (TextVerifier(), r"\boxed{\text{silent}}", "listen", I),
        (TextVerifier(), r"\boxed{\text{no}}", " ", B),
        (
            TextVerifier(aliases=(("USA", "United States"),)),
            "<answer>usa</answer>",
            "United States",
            C,
        ),
        (FormatVerifier(), "<think>a</think>\n<answer>b</answer>", "", C),
        (FormatVerifier(), "<think>a</think> so <answer>b</answer>", "", I),
        (FormatVerifier(), "<answer>b</answer><think>a</think>", "", I),
        (FormatVerifier(), "<think>a</think><answer> </answer>", "", I),
        (FormatVerifier(), "<think>a</think><answer>b</answer><answer>c</answer>", "", I),
        (FormatVerifier(), "b", "", I),
    ],
)
def test_small_verifiers(verifier, response, answer, outcome):
    assert verifier(response, answer).outcome is outcome
    assert pickle.loads(pickle.dumps(verifier))(response, answer).outcome is outcome


def test_first_asks_on_only_while_undecided():
    first = First((AIME, TextVerifier()))
    assert first("<answer>red</answer>", "red").method == "text"
    assert first("<answer>41</answer>", "42").method == "integer"


def test_weighted_needs_its_weight():
    parts = ((FormatVerifier(), 0.2), (AIME, 0.8))
    good = "<think>t</think><answer>42</answer>"
    assert Weighted(parts)(good, "42").outcome is C
    assert Weighted(parts)("<answer>42</answer>", "42").outcome is I
    assert Weighted(parts, needed=0.8)("<answer>42</answer>", "42").outcome is C
    assert Weighted(parts)(good, "nonsense").outcome is B
    with pytest.raises(ConfigError):
        Weighted(())


def test_a_part_without_an_answer_hides_no_part_that_could_not_decide():
    undecided = (lambda response, answer: Verdict(Outcome.TIMEOUT), 0.5)
    silent = (IntegerVerifier(), 0.5)
    for parts in ((undecided, silent), (silent, undecided)):
        assert Weighted(parts)("no number at all", "42").outcome is Outcome.TIMEOUT


def test_a_verdict_does_not_depend_on_those_before_it():
    work.left = 0
    assert NumericVerifier()(r"\boxed{9.8 m}", "9.8 m").outcome is C


@pytest.mark.parametrize(
    ("options", "response", "answer", "outcome"),
    [
        ({}, r"It is 1, or \boxed{2}", "1", I),
        ({"answer_in": "marker"}, "Answer: 1\nor \\boxed{2}", "1", C),
        ({"answer_in": ("marker", "box")}, "Answer: 1\nor \\boxed{2}", "2", C),
        ({}, r"<think>so \boxed{2}", "2", C),
        ({"unclosed_think": "ignore"}, r"<think>so \boxed{2}", "2", N),
        ({}, r"\boxed{(2,1)}", "(1,2)", I),
        ({"ordered_tuples": False}, r"\boxed{(2,1)}", "(1,2)", C),
        ({}, r"\boxed{2,1}", "1,2", C),
        ({"ordered_lists": True}, r"\boxed{2,1}", "1,2", I),
        ({}, r"\boxed{5}", r"5\text{ cm}", C),
        ({"missing_unit": False}, r"\boxed{5}", r"5\text{ cm}", I),
        ({"missing_unit": False}, r"\boxed{25}", r"25\%", I),
        ({"missing_unit": False}, r"\boxed{0.25}", r"25\%", C),
        ({}, r"\boxed{1.41}", r"\sqrt2", C),
        ({"decimal_digits": 5}, r"\boxed{1.41}", r"\sqrt2", I),
        ({"decimal_digits": 0}, r"\boxed{1.41421356}", r"\sqrt2", I),
        ({}, r"\boxed{x>2}", r"(2,\infty)", C),
        ({"relation_as_set": False}, r"\boxed{x>2}", r"(2,\infty)", I),
        ({}, r"\boxed{\text{blue}}", "Blue", C),
        ({"text": "never"}, r"\boxed{\text{green tree}}", "a green tree", I),
    ],
)
def test_each_policy_is_an_option(options, response, answer, outcome):
    assert MathVerifier(**options)(response, answer).outcome is outcome


@pytest.mark.parametrize("gold", ["", "  ", "$$", r"\boxed{}"])
def test_an_empty_gold_is_a_bad_gold(gold):
    assert MathVerifier()(r"\boxed{}", gold).outcome is B
    assert MathVerifier()(r"\boxed{1}", gold).outcome is B


@pytest.mark.parametrize(
    "gold",
    ["", " ", "$$", r"\boxed{", r"\frac{1}{", "x^{2", ")))", "???", "4\x002", "1 +", "f(", "(3,4", "3 4",
     r"\begin{pmatrix}1", r"\text{yes", r"\frac{}{}", "1e999999", "(" * 20_000],
)  # fmt: skip
def test_a_gold_that_is_neither_mathematics_nor_words_is_bad(gold):
    for response in (r"\boxed{7}", rf"\boxed{{{gold}}}", "", gold):
        assert MathVerifier()(response, gold).outcome is B


@pytest.mark.parametrize(
    "gold",
    ["10^10^10^10", r"\{1, (10^{11})!\}", r"x + 9^{9^{9^{9}}}", "7" * 4_001, "-" + "7" * 9_000,
     "0." + "7" * 4_200, "1," * 6_000 + "1"],
)  # fmt: skip
def test_a_gold_beyond_the_limits_is_bad_whatever_the_answer(gold):
    for response in (r"\boxed{7}", rf"\boxed{{{gold}}}", ""):
        verdict = MathVerifier()(response, gold)
        assert verdict.outcome is B
        assert "beyond the limits" in verdict.reason


def test_a_long_gold_is_read_as_a_whole():
    gold = "1, 2, " * 60 + "3"
    assert MathVerifier()(r"\boxed{3}", gold).outcome is I
    assert MathVerifier()(rf"\boxed{{{gold}}}", gold).outcome is C


@pytest.mark.parametrize(
    "gold", ["0", "<", r"\ge", "[2,5)", "yes", r"\text{5 March}", "東京", "N/A", r"1 = \zzz = 4"]
)
def test_words_signs_and_mathematics_are_good_golds(gold):
    assert MathVerifier()("so the answer is 7", gold).outcome is I


def test_names_load_and_unknown_ones_list_the_known():
    for name in ("math", "integer", "choice", "numeric", "text", "format"):
        assert isinstance(load_verifier(name)(r"\boxed{1}", "1"), Verdict)
    assert load_verifier("integer", low=0, high=9) == IntegerVerifier(0, 9)
    assert load_verifier("rewardkit.verifiers:MathVerifier") == MathVerifier()
    with pytest.raises(UnknownNameError, match="did you mean math"):
        load_verifier("maths")
    with pytest.raises(ConfigError, match=r"no option .colour."):
        load_verifier("math", colour="red")


def test_a_registered_function_may_return_a_bool(monkeypatch):
    monkeypatch.setattr(VERIFIERS, "_registered", {})

    @register_verifier("same")
    def same(response, answer):
        return response == answer

    assert load_verifier("same")("a", "a").outcome is C
    assert load_verifier("same")("b", "a").outcome is I
    with pytest.raises(ConfigError, match="takes no options"):
        load_verifier("same", x=1)


def test_the_package_is_imported_without_sympy_and_quick_verdicts_need_none():
    code = (
        "import sys, rewardkit.verifiers as v; assert 'rewardkit.verifiers.math' not in sys.modules;"
        "v.MathVerifier()(r'\\boxed{\\frac12}', '0.5');"
        "assert not {'sympy', 'mpmath', 'torch', 'math_verify'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_figures_of_a_report():
    cases = [
        Case(GradedRow("1", r"\boxed{1}"), True),
        Case(GradedRow("1", r"\boxed{2}"), True, "wrong label"),
        Case(GradedRow("1", r"\boxed{1.0}"), False, debatable=True),
        Case(GradedRow("2", r"so \boxed{3}"), False),
    ]
    with VerifierPool(MathVerifier(), workers=1) as pool:
        report = measure(pool, cases)
    figures = json.loads(report.as_json())
    assert (figures["n"], figures["accuracy"]) == (4, 0.5)
    assert (figures["false_accept"], figures["false_reject"]) == (1, 1)
    assert figures["outcomes"]["correct"] == figures["outcomes"]["incorrect"] == 2
    assert figures["non_debatable"]["n"] == 3
    assert figures["non_debatable"]["false_accept"] == 0
    keys = {
        "n",
        "accuracy",
        "false_accept",
        "false_reject",
        "outcomes",
        "pairs_per_s",
        "p50_ms",
        "p99_ms",
    }
    assert set(figures) == keys | {"non_debatable"}
    assert set(figures["non_debatable"]) == keys
    assert "FALSE REJECT" in report.as_text(show=1)


GOOD = '{"gold": "1", "pred": "1", "expected": true, "kind": "answer"}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "cases.jsonl:2: not JSON"),
        ("[]", "cases.jsonl:2: expected an object"),
        ('{"gold": "1", "pred": "1", "kind": "answer"}', "cases.jsonl:2: no field 'label'"),
        (
            '{"gold": true, "pred": 1, "expected": true, "kind": "a"}',
            "cases.jsonl:2: field 'pred' must be text",
        ),
        (GOOD[:-1] + ', "debatable": "no"}', "cases.jsonl:2: field 'debatable'"),
    ],
)
def test_a_malformed_file_names_line_and_field(tmp_path, line, message):
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{GOOD}\n{line}\n")
    with pytest.raises(DataError, match=message):
        read_cases(path)


def test_the_command_explains_one_verdict_and_measures_a_file(tmp_path, capsys):
    main(["verify", "--answer", "1/2", "--response", r"\boxed{0.5}"])
    assert "outcome    correct" in capsys.readouterr().out
    path = tmp_path / "cases.jsonl"
    path.write_text(GOOD)
    main(["verify", "--cases", str(path), "--json"])
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1.0
    for wrong, said in (
        (["verify", "--answer", "1"], "--response"),
        (
            ["verify", "cases", str(path), "--verifier", "maths"],
            "error: unknown verifier or task 'maths'",
        ),
        (
            ["verify", "cases", str(path), "--verifier", "maths"],
            "it is MODULE:NAME, such as maths:",
        ),
        (["verify", "cases", str(path), "--verifier", "gsm8"], "did you mean gsm8k"),
        (["verify", "cases", str(path), "--verifier", "gsm8"], "`rewardkit tasks` lists the tasks"),
        (["verify", "cases", "nope"], "error: nope: cannot be read"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(wrong)
        assert stop.value.code == 2
        assert said in capsys.readouterr().err
