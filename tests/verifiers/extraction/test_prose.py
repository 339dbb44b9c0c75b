"""What prose states, and which words are an answer."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.verifiers import MathVerifier
from rewardkit.verifiers.extraction.endings.replaced import replaced
from rewardkit.verifiers.extraction.prose import cuts, denials, in_signs, leads, spoken, wholes
from rewardkit.verifiers.extraction.prose.prose import statement
from rewardkit.verifiers.extraction.prose.spoken import said
from rewardkit.verifiers.extraction.text.beside import restated
from rewardkit.verifiers.extraction.text.plain import without_money, without_tags, without_turns

STATEMENTS = {
    "Austin picked 13 and 11 bags. So that is a total of 24 bags of fruit.": "24",
    "Of the 24 pieces 7 are left.": "7",
    "so 50% of 14 is 7": "7",
    "Step 1: 2+3=5. Step 2: multiply by 4: 20.": "20",
    "Tom bought 30 for $5 each and sold 6, so he has 24 left.": "24",
    "He earned $10 on Monday and $14 on Tuesday, for a total of $24.": "24",
    "Janet could save 2 albums for $20.": "2",
    "12 hours * 60 minutes/hour equals 720 minutes.": "720 minutes",
    "They need two more people.": "2",
    "The circumference is 2πr.": "2πr",
    "Therefore, the midpoint is $(-1, 6)$.": "(-1, 6)",
    "It might be 24.": None,
    "It is 24. This is wrong.": None,
    "7 is half of 14": None,
    "24": None,
}


@pytest.mark.parametrize(("text", "value"), STATEMENTS.items())
def test_prose_states_the_quantity_of_its_main_clause(text, value):
    assert statement(text) == value


SAID = {
    "C because A and B are wrong.": "C",
    "D, it can't be A or B": "D",
    "option **C** is correct": "C",
    "C or D": None,
    "C, but D is as good": None,
    "C, but also D": None,
    "A number": None,
    "Yes, because 7 is prime.": "yes",
    "**No**, it is not possible.": "no",
    "Yes or no": None,
    "No, wait, yes.": None,
    "The statement is false.": "false",
    "\\text{There is no solution}": "no solution",
    "There is no solution other than 5": None,
    "This is not possible.": "impossible",
    "It is impossible to tell.": "cannot be determined",
    "She has 7.": None,
}


@pytest.mark.parametrize(("text", "word"), SAID.items())
def test_words_answer_with_or_without_a_reason(text, word):
    assert said(text) == word


def test_what_says_nothing_of_a_value_is_taken_off():
    assert without_tags("</label> 43 </ answer>").strip() == "43"
    assert without_tags("x < 5 and $y>3$") == "x < 5 and $y>3$"
    assert (
        without_money("He pays $13 and $11, so $x$ is $24.") == "He pays 13 and 11, so $x$ is 24."
    )
    assert without_money("So $2x = 4$ and $5 = y$.") == "So $2x = 4$ and $5 = y$."
    assert without_turns("It is 7.\nUser: And 8?\nAssistant: 9") == "It is 7."


@pytest.mark.parametrize(("correction", "value"), [("read", "25"), ("ignore", "24")])
def test_a_correction_takes_the_box_back_if_it_may(correction, value):
    response = r"\boxed{24} Correction: the answer is 25."
    assert MathVerifier(correction=correction)(response, value).correct


AWAY = (denials._LEADS_AWAY, denials._LEADS_AWAY_SIGNS, denials._LEADS_AWAY_IN_CHINESE)


@pytest.mark.parametrize("pattern", AWAY)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_no_words_that_lead_away_are_overlooked_by_their_last_one(pattern, data):
    drawn = st.from_regex(re.compile(pattern.pattern, pattern.flags))
    found = pattern.search(data.draw(drawn))
    # `re.I` takes a long s for an s; no model writes one
    if found[0].upper().lower() == found[0].lower():
        assert denials._may_lead_away(found[0])


@pytest.mark.parametrize("phrase", [wholes._MIXED, wholes._TWO_UNITS])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_no_measure_in_two_units_is_overlooked_by_what_stands_between_them(phrase, data):
    source = re.compile(phrase.source)  # with re.I, each draw takes a second
    assert wholes._UNITS_BESIDE.search(data.draw(st.from_regex(source)))


CUTS = (*cuts.LEADING, *cuts.PHRASES, *cuts.CLAUSES, *in_signs.NUMBERS, *in_signs.RELATIONS)


@pytest.mark.parametrize("cut", CUTS, ids=lambda cut: cut.name)
def test_each_cut_leaves_of_its_example_what_it_says(cut):
    sentence, left = cut.example.split(" -> ")
    assert cut.made_in(sentence) == left


@pytest.mark.parametrize(("pattern", "example"), leads.WORDS)
def test_each_word_that_leads_to_a_value_is_found_in_its_example(pattern, example):
    place = re.search(rf"\W{pattern}", f" {example}").start()
    assert leads._last_lead(example) == place


LEADS = leads._LEADS.pattern.replace(r"\W", r"\b", 1)
WORDS = "7 12 $5 -3 = : , . and for in by at is are each with to of total 3x which costs"
SENTENCES = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join)


@given(SENTENCES)
@settings(max_examples=100, deadline=None)
def test_what_stands_beside_a_value_is_found_behind_it_as_in_the_whole_clause(clause):
    """Searching from the first value on finds what a search of all of the clause does."""
    led = [match.start() for match in re.finditer(rf"=|:\s|{LEADS}", clause)]
    value = leads.VALUE.search
    first = value(clause)
    verb = leads._main_verb(clause, first.end()) if first else -1
    last = max([*led, verb], default=-1)
    equals = last if last >= 0 and value(clause, last) else -1
    cut = clause
    for aside in leads._ASIDE.finditer(cut):
        if aside.start() > equals and value(cut, 0, aside.start()):
            cut = cut[: aside.start()]
            break
    for phrase in reversed(list(leads._PHRASE.finditer(cut, equals + 1))):
        if value(cut, equals + 1, phrase.start()):
            cut = cut[: phrase.start()]
    assert leads.without_beside(clause) == cut


@pytest.mark.parametrize("pattern", [spoken._OPTION, spoken._YES_NO, spoken._ELSEWHERE])
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_no_option_and_no_yes_is_overlooked_by_the_first_word(pattern, data):
    text = pattern.match(
        data.draw(st.from_regex(re.compile(rf"\A(?:{pattern.pattern})", pattern.flags)))
    )[0]
    if text.isascii() or text.upper().lower() == text.lower():
        assert spoken._may_open(text)


@pytest.mark.parametrize("text", ["yesです", "hayır", "Cです", "não", "no.", "(B) 7", "**Yes**"])
def test_first_words_that_go_on_in_another_script_are_read(text):
    assert spoken._may_open(text)


@pytest.mark.parametrize("blank", [" ", "\n", "\n "])
def test_blanks_are_read_once(blank):
    # a pattern that tried each of them as its beginning would not end
    many = blank * 20_000
    assert restated(f"7{many}8") == []
    assert restated(f"7{many}, soit{many}8") == ["7", "8"]
    assert replaced(f"7{many}. The answer is 8, no{many}", str, "9") is None
