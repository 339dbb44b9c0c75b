"""What an answer is taken for that is not the gold as it stands, and what is left as it is."""

import pytest

from rewardkit.verifiers.extraction.extract import extract
from rewardkit.verifiers.gold import answer_alone
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.reading_again.by_kind import looked_for
from rewardkit.verifiers.reading_again.case import Case
from rewardkit.verifiers.reading_again.readings import compared

OPTIONS = MathOptions()
READ = {
    "as it stands": ("7", r"So it is \boxed{7}.", "7", True),
    "with its unit behind": ("7 m", r"It is $\boxed{7}$ m long.", r"7\text{ m}", True),
    "a word": ("no", "<answer>No, it does not converge.</answer>", "no", True),
    "the other word": ("yes", "<answer>No, it does not converge.</answer>", "no", False),
    "a value in a sentence": ("12", "<answer>She needs 12 of the eggs.</answer>", "12", True),
    "another value as well": (
        "12",
        "<answer>There are 12 or 13 of them.</answer>",
        "12 or 13",
        False,
    ),
    "without its note": ("17", r"\boxed{17\text{ (a prime)}}", "17", True),
    "with a note that takes it back": (
        "17",
        r"\boxed{17\text{ (rejected)}}",
        r"17\text{ (rejected)}",
        False,
    ),
    "elsewhere": ("1234", r"Insgesamt sind es \boxed{1.234} Euro.", "1234", True),
    "by its kind": ("March 5", "20 days later it is March 5.", "March 5", True),
}


@pytest.mark.parametrize(("gold", "response", "text", "equal"), READ.values(), ids=READ)
def test_an_answer_is_read_again(gold, response, text, equal):
    found = looked_for(extract(response, OPTIONS), gold, response, OPTIONS)
    case = Case(gold, response, found, OPTIONS, sympy=False)
    read, result = compared(case, answer_alone(found.text))
    assert (read, result.equal) == (text, equal)
