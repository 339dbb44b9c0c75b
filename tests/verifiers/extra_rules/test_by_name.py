"""Each rule for a rare kind of answers counts where it is asked for by its name, and only there."""

import pytest

from rewardkit.errors import ConfigError
from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.options import MathOptions


@pytest.mark.parametrize(
    ("name", "gold", "answer", "near_miss"),
    [
        ("families", r"x = k\pi, k \in \mathbb{Z}", r"x = n\pi, n \in \mathbb{Z}",
         r"x = 2n\pi, n \in \mathbb{Z}"),
        ("families", r"x \equiv 3 \pmod 7", r"x \equiv 10 \pmod 7", r"x \equiv 11 \pmod 7"),
        ("families", r"x \equiv 3 \pmod 7", "x = 7k + 3", "x = 7k + 4"),
        ("progressions", r"\{1, 3, 5, \ldots\}", r"\{1, 3, 5, 7, \ldots\}",
         r"\{1, 3, 6, 7, \ldots\}"),
        ("integer_sets", r"\{1, 2, 3\}", r"\{x \in \mathbb{Z} : 0 < x < 4\}",
         r"\{x \in \mathbb{Z} : 0 < x < 5\}"),
        ("piecewise", "|x|", r"\begin{cases} x & x \ge 0 \\ -x & x < 0 \end{cases}",
         r"\begin{cases} x & x \ge 0 \\ x & x < 0 \end{cases}"),
        ("logic", r"\neg(p \wedge q)", r"\neg p \vee \neg q", r"\neg p \wedge \neg q"),
        ("logic", r"p \to q", r"\neg p \vee q", r"p \vee \neg q"),
        ("chemistry", r"\ce{H2SO4}", r"\mathrm{H_2SO_4}", r"\mathrm{H_2SO_3}"),
        ("chemistry", r"\ce{2H2 + O2 -> 2H2O}", r"O_2 + 2H_2 \to 2H_2O", r"O_2 + H_2 \to 2H_2O"),
        ("chemistry", "NaCl", "NaCl(aq)", "KCl(aq)"),
        ("sets_in_words", r"\{3k : k \in \mathbb{Z}\}", "all multiples of 3",
         "all multiples of 4"),
        ("sets_in_words", "all odd integers", "n is odd", "n is even"),
    ],
)  # fmt: skip
def test_a_rule_counts_by_its_name(name, gold, answer, near_miss):
    def equal(text, *extra):
        work.begin()
        return compare_texts(gold, text, MathOptions(extra=extra)).equal

    assert not equal(answer)
    assert equal(answer, name)
    assert equal(answer, "all")
    assert not equal(near_miss, "all")


def test_an_unknown_name_is_refused_with_those_that_there_are():
    with pytest.raises(ConfigError, match=r"unknown extra rules 'logics': choose among .*logic"):
        MathOptions(extra=("logics",))


def test_names_are_taken_as_settings_have_them():
    assert MathOptions(extra=["logic"]).extra == MathOptions(extra="logic").extra == ("logic",)
