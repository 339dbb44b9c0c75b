"""The answer that `extract` takes from a response, and the sign it goes by."""

import pytest

from rewardkit.types import Outcome
from rewardkit.verifiers import MathVerifier
from rewardkit.verifiers.extraction.extract import extract
from rewardkit.verifiers.options import MathOptions

BOXED = [
    (r"So \boxed{7}.", "7"),
    (r"\boxed{7} and \boxed{8}", "7, 8"),
    (r"\boxed{7}. Wait, \boxed{8}", "8"),
    (r"\boxed{7}, so \boxed{7}", "7"),
    (r"maybe \boxed{7}, maybe \boxed{8}", "7, 8"),
    (r"\boxed{41} or 42", "41 or 42"),
    (r"either 41 or \boxed{42}", "42 or 41"),
    (r"$\boxed{40}\%$", r"40\%"),
    (r"\boxed{40} percent", r"40\%"),
    (r"\phantom{\boxed{8}} \boxed{7}", "7"),
    (r"The final answer is \boxed{7}.", "7"),
    (r"<answer>8</answer> so \boxed{7}", "7"),
    (r"<answer>so \boxed{7}</answer>", "7"),
    (r"\boxed{7} The final answer is verified.", "7"),
    (r"<answer>\boxed{7} and \boxed{8}</answer>", "7, 8"),
    (r"<think>\boxed{7}", "7"),
]
TAGGED = [
    ("<answer>7</answer>", "7"),
    ("<answer>7", "7"),
    ("<ANSWER> 7 </ANSWER>", " 7 "),
    ("<answer>7</answer> <answer>8</answer>", "8"),
    (r"\boxed{7} <answer>8</answer>", "8"),
    ("<answer>a word about it</answer>", "a word about it"),
    ("<answer>`12`</answer>", "12"),
    ("<answer> ```12``` </answer>", "12"),
    ("<answer>\n```\nx^2 - 4\n```\n</answer>", "x^2 - 4\n"),
    ("<answer>\n```latex\n\\frac{1}{2}\n```\n</answer>", "\\frac{1}{2}\n"),
    ("<answer>`12` or `13`</answer>", "`12` or `13`"),
]
FINAL = [
    ("Final answer: 7", "7"),
    ("**Final Answer**\n7", "7"),
    ("#### 7", "7"),
    ("A: 7", "7"),
    ("Final answer: 7\nI hope it is correct.", "7"),
    ("The final answer is 7 since x = 3.", "7"),
    ("Final answer: $x=7$", "x=7"),
    ("### Final Answer\n\nThe final answer is: $7$. I hope it is correct.", "7"),
    ("Final answer: 7 #### 8", "8"),
    (r"\boxed{7} The final answer is 8", "8"),
]
NAMED_AFTER = [
    ("7 is the answer.", "7"),
    ("$7$ is our final answer.", "$7$"),
    ("7 is the answer, not 8", "7"),
    ("3 + 4 = 7 is the answer", "7"),
]
NAMED_BEFORE = [
    ("The answer is 7.", "7"),
    ("The answer is $7$ cm.", "7"),
    ("The answer is: **7**", "7"),
    ("I choose B", "B"),
    ("the result is 3 apples, so the answer is 7 apples", "7 apples"),
    ("答案是7", "7"),
    ("答案：7。", "7"),
    ("The answer is not 7", "not 7"),
    ("The answer is 7, not 8.", "7"),
    ("The answer is either 7 or 8", "either 7 or 8"),
    ("The answer is therefore 7", "7"),
    ("Result = 12", "12"),
    ("option is B", "B"),
    (r"The answer is $\frac12$ or $3$.", r" \frac12  or  3 "),
    ("The answer is 7 because 3 + 4 = 7.", "7"),
    ("The answer is 7 (units: cm)", "7 cm"),
    ("The answer is\n$$7$$", "7"),
    ("The answer is $7$ million.", " 7  million."),
    (r"\boxed{7} is wrong. The answer is 8.", "8"),
]
OPTIONS = [
    ("Option D is correct.", "D"),
    ("Hence option (D).", "D"),
    ("Option B is wrong, so option C.", "C"),
    ("**D) 14**", "D) 14"),
]
FORMULAS = [
    ("We get $x = 7$.", "x = 7"),
    ("$3$ and $4$", "3, 4"),
    (r"\(3\), \(4\)", "3, 4"),
    ("since $3$, $4$", "4"),
    ("It is $7$ when $x = 3$.", "7"),
    (r"$7$\%", r"7\%"),
    ("$7$ percent", r"7\%"),
    ("between $3$ and $7$", "3, 7"),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}1\\2\end{pmatrix}"),
    (r"$x = 7$ $\blacksquare$", "x = 7"),
]
BOLD = [("So $x = 4$, in all **7**.", "7"), ("$3$ of $4$: **blue**", "blue")]
WHOLE = [
    ("7", "7"),
    ("x = 7", "x = 7"),
    (r"\frac12", r"\frac12"),
    ("blue", "blue"),
    ("(1, 2)", "(1, 2)"),
    ("north east", "north east"),
    (r"\boxed{} x = 3", "x = 3"),
    ("<think>7</think> 8", "8"),
    ("Problem: 3 + 4?\n7", "7"),
]
NUMBERS = [
    ("In all there are 7 apples.", "7"),
    ("He has 3 + 4 = 7 apples", "7"),
    ("Of 12 apples 5 remain.", "5"),
    ("It costs $7.", "7"),
    ("7 apples", "7"),
    ("It is $7$. Then 8 remain.", "8"),
    ("$x$ is 7.", "7"),
    (r"\[ x = 7 \] 8 left", "8"),
    ("It is not \\boxed{7}. It is 8.", "8"),
    ("Question: is it \\boxed{8}?\nIt is 7.", "7"),
]
SIGNS = {
    "box": BOXED,
    "tag": TAGGED,
    "final answer": FINAL,
    "is the answer": NAMED_AFTER,
    "the answer is": NAMED_BEFORE,
    "option": OPTIONS,
    "last formula": FORMULAS,
    "last in bold": BOLD,
    "whole response": WHOLE,
    "last number": NUMBERS,
}


@pytest.mark.parametrize(
    ("behind", "answer"),
    [
        ("Let me double check: 7 * 12 = 84. Yes.", "7"),
        ("Verification: 7 + 5 = 12, which matches.", "7"),
        ("Plugging it in, 7 + 5 = 12.", "7"),
        ("Probe: 7 + 5 = 12.", "7"),
        ("On vérifie : 7 + 5 = 12.", "7"),
        ("Comprobación: 7 + 5 = 12.", "7"),
        ("代入验证：7 + 5 = 12。", "7"),
        ("To verify, 3 * 7 = 21. So it is right.", "7"),
        ("We check: 3 * 7 = 22. That is wrong, so the answer is 8.", "8"),
        ("So 7. Then each gets 7 * 5 = 35.", "35"),
        ("Each has 5 of them, that is 7 * 5 = 35.", "35"),
        ("</answer> So the total is 8.", "8"),
    ],
)
def test_behind_a_tag_a_conclusion_counts_and_a_check_does_not(behind, answer):
    found = extract(f"<answer>7</answer>\n{behind}", MathOptions())
    assert found is not None
    assert found.text == answer


@pytest.mark.parametrize(
    ("by", "response", "answer"), [(by, *row) for by, rows in SIGNS.items() for row in rows]
)
def test_a_response_is_read_by_its_sign(by, response, answer):
    assert extract(response, MathOptions()) == (answer, by)


@pytest.mark.parametrize(
    "response",
    [
        "",
        "no number here at all",
        r"It is not \boxed{7}.",
        "Suppose the answer is 7.",
        "Some people say the answer is 7.",
        "I cannot tell the answer. It is 7.",
        "Option D is not correct.",
        "If option D is correct",
        "It is not $7$.",
        "$3 + 4$ million",
        "at most $7$",
        "at least 7 apples",
        "7 is not correct.",
        "<think>it is 7",
        "<think>a</think> <think>12",
    ],
)
def test_a_response_that_names_no_answer_has_none(response):
    assert extract(response, MathOptions()) is None


@pytest.mark.parametrize(
    ("options", "response", "answer"),
    [
        ({"boxes": "first"}, r"\boxed{7}. Wait, \boxed{8}", "7"),
        ({"boxes": "agree"}, r"\boxed{7}. Wait, \boxed{8}", "7, 8"),
        ({"boxes": "agree"}, r"\boxed{7}. Wait, \boxed{7}", "7"),
        ({"unclosed_think": "ignore"}, r"<think>\boxed{7}", None),
        ({"echo": "read"}, r"Question: is it \boxed{8}?", "8"),
        ({"echo": "ignore"}, r"Question: is it \boxed{8}?", None),
    ],
)
def test_the_policies_decide_which_box_counts(options, response, answer):
    found = extract(response, MathOptions(**options))
    assert (found.text if found else None) == answer


@pytest.mark.parametrize(
    ("response", "letter"),
    [
        ("Option D is correct.", "D"),
        ("Hence option (D).", "D"),
        ("Answer: Option D", "D"),
        ("**D) 14**", "D"),
        ("If option D is correct, so is A.", None),
        ("Option D is not correct.", None),
    ],
)
def test_an_option_is_its_letter(response, letter):
    assert MathVerifier()(response, "D").correct == (letter is not None)


FRAGMENTS = ["7", " ", "is ", "$", "answer is ", "7 ", "7,", "- 7 ", "(7", "\\frac{", "x=7 or ",
             "not 7 but ", "when ", "**", "Problem: a? ", "Option D ", "so option ", "答案是", "<<",
             "n't", "7 is the answer ", "$7$ is ", "x_7", "7 (cm) ", "1 234 ", "a7 ", "\\boxed{7} "]  # fmt: skip


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_hostile_runs_end(fragment):
    """Of work that grew as the square of the length, each of these nine would take minutes."""
    run = fragment * (100_000 // len(fragment))
    for before in ("", "the answer is ", "Problem: "):
        for after in ("", "7", " is 7"):
            assert MathVerifier()(before + run + after, "0.5").outcome is not Outcome.ERROR
