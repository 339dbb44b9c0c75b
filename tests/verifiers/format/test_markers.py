"""Words that name an answer: which do, and how far their answer goes."""

import pytest

from rewardkit.verifiers.format.markers import LABELS, last_marker, markers


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("#### 42", "42"),
        ("so it is 42. #### 42", "42"),
        ("Answer: 12", "12"),
        ("**Answer:** 12 apples.", "12 apples"),
        ("Answer: **12**", "12"),
        ("Answer: `12`", "12"),
        ("Final Answer: The final answer is $5$. I hope it is correct.", "$5$"),
        ("### Final Answer\n\n$$\n5\n$$", "$$\n5\n$$"),
        ("### Final Answer ###\n\n5", "5"),
        ("FINAL ANSWER: 5", "5"),
        ("The answer is 5. Then he sleeps.", "5"),
        ("the answer is: 3.5", "3.5"),
        ("So the answer should be 12 p.m. on Monday.", "12 p.m. on Monday"),
        ("The answer to the second question is 5", "5"),
        ("The correct answer is therefore (B) 24.", "(B) 24"),
        ("Ans: 7", "7"),
        ("Answer \\( 9 \\)", "\\( 9 \\)"),
        ('{"steps": "...", "answer": "C"}', "C"),
        ("【答案】C", "C"),
        ("答案是 42。", "42"),
        ("La respuesta es 5.", "5"),
        ("Antwort: 5", "5"),
        ("Ответ: 5", "5"),
        ("Answer: 3\nAnswer: 4", "4"),
        ("Answer: Mr. Smith pays 5.", "Mr. Smith pays 5"),
    ],
)
def test_the_last_mark_names_the_answer(text, held):
    assert last_marker(text).text == held


@pytest.mark.parametrize(
    "text",
    [
        "",
        "There is an answer here somewhere",
        "He will answer: then he goes",
        "The answer is not 5.",
        "Not the answer: 14",
        "####\nnext line",
        "means 5",
    ],
)
def test_other_words_name_none(text):
    assert last_marker(text) is None


def test_all_marks_are_found_from_the_last_to_the_first_over_any_distance():
    text = "".join(f"Answer: {n}\n{'and so on. ' * 900}\n" for n in range(5))
    assert [mark.text for mark in markers(text)] == ["4", "3", "2", "1", "0"]


@pytest.mark.parametrize("label", LABELS)
def test_each_label_of_the_table_marks_with_a_colon(label):
    assert last_marker(f"Hmm.\n{label.capitalize()}: 12").text == "12"
