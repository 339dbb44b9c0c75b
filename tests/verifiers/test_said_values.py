"""Values that a sentence says in words, with what stands beside them, against their golds."""

import pytest

from rewardkit.verifiers import MathVerifier

grade = MathVerifier()
RIGHT = {
    "number words": [
        ("150", "Therefore one hundred fifty pupils go on the trip."),
        ("150", "Therefore one hundred and fifty pupils go on the trip."),
        ("101", "So there are one hundred and one dogs."),
        ("101", "One hundred and one"),
        ("1100", "Hence one thousand one hundred people came."),
        ("8.40", "The sandwich comes to eight dollars and forty cents."),
        ("2.05", "So it costs two dollars and five cents."),
        ("2/3", "So the share is two-thirds."),
        ("3.5", "<answer>three and a half</answer>"),
        ("2.75", "<answer>two and three quarters</answer>"),
        ("1/4", "<answer>a quarter</answer>"),
        ("120", "<answer>a hundred and twenty</answer>"),
        ("1500", "So fifteen hundred people came."),
        ("1.5", "<answer>one point five</answer>"),
        ("0.25", "So the answer comes to zero point two five."),
        ("1/16", "<answer>one sixteenth</answer>"),
        ("7/20", "So the share of them is seven twentieths."),
        ("1/36", "<answer>one thirty-sixth</answer>"),
        ("-13", "<answer>minus thirteen</answer>"),
        ("1/8", "Eight outcomes. Either way we land on one eighth."),
        ("40 dollars", "<answer>forty dollars</answer>"),
        ("(a) $40 (b) $52", "**(a)** Forty dollars\n**(b)** Fifty-two dollars"),
    ],
    "chances": [
        ("0.2", "The bag holds two red among ten. So the chance of red is one in five."),
        ("1/5", "The probability is 1 in 5."),
        ("3/8", "So the odds of it are three out of eight."),
    ],
    "ratios": [
        ("5:8", "<answer>five to eight</answer>"),
        ("5:8", "The ratio of boys to girls is five to eight."),
        ("5:8", "The ratio is 5 to 8."),
    ],
    "truth elsewhere": [
        ("False", "Die Aussage ist falsch."),
        ("False", "Antwort: Falsch"),
        ("Faux", "La somme est paire, l'affirmation est donc fausse."),
        ("True", "Risposta: vero"),
        ("True", "La afirmación es verdadera."),
        ("True", "答案：正确"),
        ("错误", "因为2是偶数也是质数，所以该命题是错误的。"),
        ("False", "その命題は間違いである。"),
    ],
    "remainders": [
        (r"5 \pmod{12}", r"so $x\equiv 17 \equiv 5 \pmod{12}$."),
        (r"n \equiv 23 \pmod{35}", "So n is congruent to 23 modulo 35."),
        (r"n \equiv 23 \pmod{35}", "Hence n must be congruent to $23$ modulo $35$."),
        (r"x \equiv 3 \pmod 7", "Therefore x ≡ 10 ≡ 3 (mod 7)."),
    ],
    "families": [
        ("n=4k", r"\boxed{n = 4m, m\in\mathbb Z}"),
        ("x=7k+3", r"\boxed{x = 7t + 3, t \in \mathbb{Z}}"),
    ],
    "both included": [
        ("[2,5]", "x lies between 2 and 5, both included."),
        ("[2,5]", "x lies between 2 and 5, inclusive."),
        ("[2,5]", "So x is between 2 and 5 (inclusive)."),
        ("[2,5]", "So x can be from 2 to 5, including both ends."),
        ("(2,5)", "x lies strictly between 2 and 5."),
    ],
    "said again": [
        (r"]-\infty, 2[", r"Réponse finale : $x < 2$, soit $]-\infty\,;\,2[$"),
        ("[2,5]", r"<answer>2 \le x \le 5, i.e. [2, 5]</answer>"),
    ],
    "units": [
        ("220", "One lap is 55 m, four laps.\n#### 220m"),
        ("98 g/mol", "The molar mass of sulfuric acid is 98 grams per mole."),
        ("2h30", r"\boxed{2.5 \text{ hours}}"),
        ("2h30", r"\boxed{150 \text{ minutes}}"),
    ],
    "formulas with units": [
        (r"250 \text{ cm}^2", r"So the sheet covers $250\,\mathrm{cm}^2$."),
        ("250", r"So the area is $250\,\text{cm}^2$."),
        ("24", r"So the cost is $24 \text{ dollars}$."),
        ("24", "He pays $13 and $11, so $x$ is $24."),
    ],
    "unit vectors": [
        (r"\begin{pmatrix}1\\-6\\2\end{pmatrix}", r"\boxed{\mathbf{i}-6\mathbf{j}+2\mathbf{k}}"),
        (r"\begin{pmatrix}1 & -6 & 2\end{pmatrix}", r"\boxed{i - 6j + 2k}"),
        (r"\begin{pmatrix}1\\0\\2\end{pmatrix}", r"\boxed{\hat{i}+2\hat{k}}"),
        (r"3\mathbf{i}+4\mathbf{j}", r"\boxed{\begin{pmatrix}3\\4\end{pmatrix}}"),
    ],
    "names": [
        ("x=2", "Answer: x = 2"),
        ("x=2", "The answer is 2."),
        ("x=2", "We set x = a + 1. With a = 1 the answer is 2."),
        ("pH = 3", "<answer>The pH is 3.</answer>"),
        ("pH = 3", r"\boxed{3}"),
        ("143_5", "The answer is 143 in base five."),
        ("143_5", r"\boxed{143} in base 5"),
        ("143_5", "Answer: 143"),
    ],
    "parts": [
        ("(a) 7 (b) 10", "Part (b) is easier: 10. For part (a) I obtain 7."),
        ("(a) 7 (b) 10", "For part (a) I obtain 7. Part (b) is 10."),
    ],
}
WRONG = {
    "number words": [
        ("100", "One hundred and one"),
        ("2", "Two-thirds of the class agree."),
        ("5", "<answer>one point five</answer>"),
        ("1", "<answer>one point five</answer>"),
        ("12", "<answer>twelve hundred</answer>"),
        ("36", "<answer>one thirty-sixth</answer>"),
        ("7", "So the share of them is seven twentieths."),
        ("20", "<answer>the twenty-first</answer>"),
        ("20", "So it is on the twenty-first floor."),
        ("1/16", "So the sixteenth is left."),
        ("2", "<answer>a dog</answer>"),
        ("8", "The sandwich comes to eight dollars and forty cents."),
        ("40", "The sandwich comes to eight dollars and forty cents."),
        ("(a) $40 (b) $52", "**(a)** Fifty-two dollars\n**(b)** Forty dollars"),
        ("50", "Therefore one hundred fifty pupils go on the trip."),
    ],
    "chances": [
        ("5", "So the chance of red is one in five."),
        ("1", "So the chance of red is one in five."),
        ("4/5", "The probability is 1 in 5."),
    ],
    "ratios": [
        ("5:8", "<answer>eight to five</answer>"),
        ("5:8", "It goes from five to eight."),
    ],
    "truth elsewhere": [
        ("True", "Die Aussage ist falsch."),
        ("False", "Die Aussage ist nicht falsch."),
        ("True", "La proposition n'est pas vraie."),
        ("False", "该命题不是错误的。"),
        ("正确", "该命题是不正确的。"),
        ("True", "Es ist nicht klar, ob die Aussage wahr ist."),
        ("False", "Meine erste Rechnung war falsch."),
        ("False", "La afirmación es verdadera o falsa?"),
    ],
    "remainders": [
        (r"5 \pmod{12}", r"so $x\equiv 16 \equiv 5 \pmod{12}$."),
        (r"5 \pmod{12}", r"so $x\equiv 17 \equiv 5 \pmod{6}$."),
        (r"n \equiv 23 \pmod{35}", "So n is congruent to 22 modulo 35."),
        (r"n \equiv 23 \pmod{35}", "So n is not congruent to 23 modulo 35."),
    ],
    "families": [
        ("n=4k", r"\boxed{n = 8m, m\in\mathbb Z}"),
        ("x=7k+3", r"\boxed{x = 7t + 2, t \in \mathbb{Z}}"),
        ("n=4k", r"\boxed{n = 4m, m > 3}"),
    ],
    "both included": [
        ("[2,5]", "x lies strictly between 2 and 5."),
        ("(2,5)", "x lies between 2 and 5, both included."),
        ("[2,5]", "x lies between 2 and 6, both included."),
        ("[2,5]", "It is not true that x lies between 2 and 5, both included."),
    ],
    "said again": [
        (r"]-\infty, 2[", r"Réponse finale : $x < 2$, soit $]-\infty\,;\,3[$"),
        ("[2,5]", r"<answer>2 \le x \le 5, i.e. (2, 5)</answer>"),
    ],
    "units": [
        ("220", "#### 220x"),
        ("220", "#### 220m + 3"),
        ("98 g", "<answer>98 grams per mole</answer>"),
        ("2h30", r"\boxed{2.3 \text{ hours}}"),
    ],
    "unit vectors": [
        (r"\begin{pmatrix}1\\-6\\2\end{pmatrix}", r"\boxed{\mathbf{i}-6\mathbf{j}+3\mathbf{k}}"),
        (r"\begin{pmatrix}1\\-6\\2\end{pmatrix}", r"\boxed{\mathbf{i}-6\mathbf{j}}"),
        (r"\begin{pmatrix}1\\-6\end{pmatrix}", r"\boxed{\mathbf{i}-6\mathbf{j}+2\mathbf{k}}"),
        (r"\begin{pmatrix}1&0\\0&2\end{pmatrix}", r"\boxed{\mathbf{i}+2\mathbf{k}}"),
        (r"\begin{pmatrix}3\\4\end{pmatrix}", r"\boxed{4\mathbf{i}+3\mathbf{j}}"),
    ],
    "names": [
        ("x=2", "Answer: y = 2"),
        ("x=2", "So $y = 2$."),
        ("pH = 3", "<answer>The pH is 4.</answer>"),
        ("pH = 3", "<answer>The pOH is 3.</answer>"),
        ("pH = 3", "The pOH is 3."),
        ("143_5", "Answer: 143 in base 6"),
        ("143_5", "The answer is 143 in base seven."),
        ("143_5", r"\boxed{143} in base 6"),
    ],
    "parts": [
        ("(a) 7 (b) 10", "Part (b) is easier: 7. For part (a) I obtain 10."),
        ("(a) 7 (b) 10", "Part (b) is easier: 10."),
    ],
}


def rows(table):
    return [pytest.param(*row, id=f"{kind}-{row[1]}") for kind in table for row in table[kind]]


@pytest.mark.parametrize(("gold", "response"), rows(RIGHT))
def test_the_value_that_is_said_is_right(gold, response):
    assert grade(response, gold).correct


@pytest.mark.parametrize(("gold", "response"), rows(WRONG))
def test_another_value_is_wrong(gold, response):
    assert not grade(response, gold).correct
