"""Numbers as other languages write them are read as numbers, where the language is seen."""

import pytest

from rewardkit.verifiers import MathVerifier
from rewardkit.verifiers.extraction.text.elsewhere import as_elsewhere, in_digits

grade = MathVerifier()
IN_WORDS = [
    ("Es sind zwölf Äpfel.", "Es sind 12 Äpfel."),
    ("quarante-huit œufs", "48 œufs"),
    ("un sixième", "1/6"),
    ("zwei oder drei", "2 oder 3"),
    ("tre quarti", "3/4"),
    ("minus fünf", "-5"),
    ("vingt-cinq pour cent", "25%"),
    ("25 Prozent", "25%"),
    ("zweieinhalb Stunden", "2.5 Stunden"),
    ("2 heures et demie", "2.5 heures"),
    ("una hora y media", "1.5 hora"),
    ("5 Millionen Euro", "5000000 Euro"),
    ("двенадцать", "12"),
    ("двадцать пять яблок", "25 яблок"),
    ("две трети", "2/3"),
    ("C'est la moitié.", "C'est 1/2."),
    ("die Hälfte", "1/2"),
    ("die Hälfte der Äpfel", "die Hälfte der Äpfel"),
    ("百分之二十五", "25%"),
    ("百分之十二点五", "12.5%"),
    ("四分之三", "3/4"),
    ("5分の3", "3/5"),
    ("一万名居民", "10000名居民"),
    ("两千零八个", "2008个"),
    ("一百二", "120"),
    ("il y en a six", "il y en a 6"),
]


@pytest.mark.parametrize(("text", "digits"), IN_WORDS)
def test_what_is_said_in_words_is_written_in_digits(text, digits):
    assert in_digits(text) == digits


@pytest.mark.parametrize(
    "text",
    [
        "only once",
        "It is due in six days, set by the elf.",
        "He may seize the quince.",
        "ein Dreieck",
        "une droite",
        "Sie sind verschieden",
        "die Quadratzahl",
        "唯一的三角形",
        "第三",
        "二三十个",
        "5 million",
        "a cent",
        "",
        "une " * 300 + "deux",
    ],
)
def test_what_says_no_number_stays(text):
    assert in_digits(text) == text


@pytest.mark.parametrize(
    ("text", "around", "read"),
    [
        ("12.500 €", "Antwort: 12.500 €", "12500 €"),
        ("2.500 euro", "Risposta finale: 2.500 euro", "2500 euro"),
        ("1.250.000", "Respuesta: 1.250.000", "1250000"),
        ("12.500", "Das Auto kostet 12.500", "12500"),
        ("12.500", "Le prix est 12.500", "12500"),
        ("12.500 m", "It is 12.500 m", "12.500 m"),
        ("12.50 €", "Antwort: 12.50 €", "12.50 €"),
        ("1.2345", "Antwort: 1.2345", "1.2345"),
        ("0.125.5", "Antwort: 0.125.5", "0.125.5"),
        ("3.141", "The value of pi is 3.141 de facto", "3.141"),
    ],
)
def test_a_dot_between_thousands_needs_a_language_that_writes_one(text, around, read):
    assert as_elsewhere(text, around) == read


@pytest.mark.parametrize(
    ("response", "gold"),
    [
        ("Antwort: Es sind insgesamt einundzwanzig Flaschen.", "21"),
        ("Also bleiben vierundvierzig Stühle übrig.", "44"),
        ("Le prix après remise est donc de quatre-vingts euros.", "80"),
        ("Respuesta: un millón doscientos cincuenta mil habitantes", "1250000"),
        ("Risposta: il treno impiega novanta minuti.", "90"),
        ("Resposta final: dezesseis", "16"),
        ("Het antwoord is vijfendertig.", "35"),
        ("**Antwort:** zwei Drittel", r"\frac{2}{3}"),
        ("降价了50元，原价200元。答案：降低了百分之二十五", "25%"),
        ("したがって確率は5分の3である。", "3/5"),
        ("Le trajet dure 2 heures et demie.", "2h30"),
        ("Antwort: Das Auto kostet 12.500 €.", "12500"),
        ("Antwort: 0,4 kg Mehl", "400 g"),
        (r"\boxed{0,5}", r"\frac12"),
    ],
)
def test_an_answer_in_another_language_is_right(response, gold):
    assert grade(response, gold).correct


@pytest.mark.parametrize(
    ("response", "gold"),
    [
        ("Antwort: einundzwanzig", "20"),
        ("Antwort: einundzwanzig", "1"),
        ("Réponse : quarante-huit", "40"),
        ("Réponse : quarante-huit", "8"),
        ("Antwort: ein Dreieck", "1"),
        ("Risposta: due o tre", "3"),
        ("Risposta: due o tre", "2"),
        ("<answer>only once</answer>", "11"),
        ("Answer: 12.500 euros", "12500"),
        ("答案：唯一的三角形", "3"),
        (r"\boxed{2,5}", "25"),
        (r"\boxed{3,5}", "2, 5"),
        ("Antwort: 0,4 kg Mehl", "4 g"),
    ],
)
def test_another_answer_in_another_language_is_wrong(response, gold):
    assert not grade(response, gold).correct
