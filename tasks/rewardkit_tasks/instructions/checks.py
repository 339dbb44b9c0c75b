"""The checks, one a function: (text, its arguments) -> whether the text follows the instruction.

They go by the names and arguments of IFEval, whose rows hold both. What they find is what IFEval's
own code finds but for sentences, which are told apart here by rules and there by a trained model,
and but for keywords, which are read here as they are written and there as patterns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rewardkit_tasks.instructions.language import language_of
from rewardkit_tasks.instructions.sentences import sentences, words

Check = Callable[..., bool]
_CONSTRAINED = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_FENCE = re.compile(r"\A```(?:json)?(.*?)(?:```)?\Z", re.S | re.I)


def _compares(found: int, relation: str, wanted: int) -> bool:
    """Compare a count as the relation says.

    Raises:
        ValueError: no such relation.
    """
    if relation not in ("at least", "less than"):
        raise ValueError(f"relation {relation!r}; expected 'at least' or 'less than'")
    return found >= wanted if relation == "at least" else found < wanted


def keywords(text: str, keywords: Sequence[str]) -> bool:
    """All of the keywords occur."""
    return all(keyword.lower() in text.lower() for keyword in keywords)


def keyword_frequency(text: str, keyword: str, frequency: int, relation: str) -> bool:
    """A keyword occurs so often."""
    return _compares(text.lower().count(keyword.strip().lower()), relation, frequency)


def forbidden_words(text: str, forbidden_words: Sequence[str]) -> bool:
    """None of the words occurs as a word of its own."""
    return not any(re.search(rf"\b{re.escape(w)}\b", text, re.I) for w in forbidden_words)


def letter_frequency(text: str, letter: str, let_frequency: int, let_relation: str) -> bool:
    """A letter, large or small, occurs so often."""
    return _compares(text.lower().count(letter.strip().lower()), let_relation, let_frequency)


def response_language(text: str, language: str) -> bool:
    """The text is in a language, by its ISO 639-1 code."""
    return language_of(text) in (language, None)


def number_sentences(text: str, num_sentences: int, relation: str) -> bool:
    """There are so many sentences."""
    return _compares(len(sentences(text)), relation, num_sentences)


def number_paragraphs(text: str, num_paragraphs: int) -> bool:
    """There are exactly so many paragraphs, divided by ***."""
    parts = [part.strip() for part in re.split(r"\s?\*\*\*\s?", text)]
    return all(parts[1:-1]) and len([part for part in parts if part]) == num_paragraphs


def number_words(text: str, num_words: int, relation: str) -> bool:
    """There are so many words."""
    return _compares(len(words(text)), relation, num_words)


def nth_paragraph_first_word(
    text: str, num_paragraphs: int, nth_paragraph: int, first_word: str
) -> bool:
    """There are exactly so many paragraphs, and the n-th begins with a word."""
    parts = text.split("\n\n")
    count = len([part for part in parts if part.strip()])
    if count != num_paragraphs or not 1 <= nth_paragraph <= count:
        return False
    begin = parts[nth_paragraph - 1].split()
    return bool(begin) and _first_word(begin[0]) == first_word.lower()


def _first_word(word: str) -> str:
    return re.split(r"[.,?!'\"]", word.lstrip("'").lstrip('"').lower(), maxsplit=1)[0]


def number_placeholders(text: str, num_placeholders: int) -> bool:
    """There are at least so many placeholders, such as [address]."""
    return len(re.findall(r"\[.*?\]", text)) >= num_placeholders


def postscript(text: str, postscript_marker: str) -> bool:
    """A line, or the rest of one, begins with P.S., P.P.S or another marker."""
    marker = postscript_marker.strip()
    patterns = {"P.S.": r"p\.\s?s\.", "P.P.S": r"p\.\s?p\.\s?s"}
    return re.search(patterns.get(marker, re.escape(marker.lower())), text.lower()) is not None


def number_bullet_lists(text: str, num_bullets: int) -> bool:
    """There are exactly so many points of lists, with * or -."""
    stars = re.findall(r"^\s*\*[^*].*$", text, re.M)
    return len(stars) + len(re.findall(r"^\s*-.*$", text, re.M)) == num_bullets


def constrained_response(text: str) -> bool:
    """One of the three answers that IFEval offers is given."""
    return any(answer in text for answer in _CONSTRAINED)


def number_highlighted_sections(text: str, num_highlights: int) -> bool:
    """There are at least so many parts in *italics*, and each in **bold** counts as well."""
    found = re.findall(r"\*[^\n*]*\*", text) + re.findall(r"\*\*[^\n*]*\*\*", text)
    return len([part for part in found if part.strip("*").strip()]) >= num_highlights


def multiple_sections(text: str, section_spliter: str, num_sections: int) -> bool:
    """There are at least so many sections, each begun by a word and a number."""
    begin = rf"\s?{re.escape(section_spliter.strip())}\s?\d+\s?"
    return len(re.findall(begin, text)) >= num_sections


def json_format(text: str) -> bool:
    """The whole is JSON, in a fenced block or bare."""
    stripped = text.strip()
    fence = _FENCE.match(stripped)
    try:
        json.loads(fence[1].strip() if fence else stripped)
    except (ValueError, RecursionError):
        return False
    return True


def title(text: str) -> bool:
    """There is a title in <<double angular brackets>>."""
    return any(t.lstrip("<").rstrip(">").strip() for t in re.findall(r"<<[^\n]+>>", text))


def two_responses(text: str) -> bool:
    """There are two different answers, divided by ******."""
    parts = [part.strip() for part in text.split("******")]
    given = [part for part in parts if part]
    return all(parts[1:-1]) and len(given) == 2 and given[0] != given[1]


def repeat_prompt(text: str, prompt_to_repeat: str) -> bool:
    """The prompt is repeated first."""
    return text.strip().lower().startswith(prompt_to_repeat.strip().lower())


def end_checker(text: str, end_phrase: str) -> bool:
    """The text ends with a phrase."""
    return text.strip().strip('"').lower().endswith(end_phrase.strip().lower())


def capital_word_frequency(text: str, capital_frequency: int, capital_relation: str) -> bool:
    """So many words are all in capital letters; with a hyphen it is one word."""
    found = re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", text)
    return _compares(len([w for w in found if w.isupper()]), capital_relation, capital_frequency)


def english_capital(text: str) -> bool:
    """The text is English, in capital letters throughout."""
    return text.isupper() and language_of(text) in ("en", None)


def english_lowercase(text: str) -> bool:
    """The text is English, in small letters throughout."""
    return text.islower() and language_of(text) in ("en", None)


def no_comma(text: str) -> bool:
    """There is no comma."""
    return "," not in text


def quotation(text: str) -> bool:
    """The whole stands in double quotation marks."""
    stripped = text.strip()
    return len(stripped) > 1 and stripped[0] == stripped[-1] == '"'


CHECKS: Mapping[str, Check] = {
    "keywords:existence": keywords,
    "keywords:frequency": keyword_frequency,
    "keywords:forbidden_words": forbidden_words,
    "keywords:letter_frequency": letter_frequency,
    "language:response_language": response_language,
    "length_constraints:number_sentences": number_sentences,
    "length_constraints:number_paragraphs": number_paragraphs,
    "length_constraints:number_words": number_words,
    "length_constraints:nth_paragraph_first_word": nth_paragraph_first_word,
    "detectable_content:number_placeholders": number_placeholders,
    "detectable_content:postscript": postscript,
    "detectable_format:number_bullet_lists": number_bullet_lists,
    "detectable_format:constrained_response": constrained_response,
    "detectable_format:number_highlighted_sections": number_highlighted_sections,
    "detectable_format:multiple_sections": multiple_sections,
    "detectable_format:json_format": json_format,
    "detectable_format:title": title,
    "combination:two_responses": two_responses,
    "combination:repeat_prompt": repeat_prompt,
    "startend:end_checker": end_checker,
    "startend:quotation": quotation,
    "change_case:capital_word_frequency": capital_word_frequency,
    "change_case:english_capital": english_capital,
    "change_case:english_lowercase": english_lowercase,
    "punctuation:no_comma": no_comma,
}
"""The instructions by the names that rows give them."""


def follows(name: str, text: str, arguments: Mapping[str, Any]) -> bool:
    """Return whether a text follows one instruction; arguments that are None are not given.

    Raises:
        ValueError: no such instruction, or arguments that do not fit; says which.

    >>> follows("length_constraints:number_words", "One, two.", {"num_words": 2,
    ...     "relation": "at least"})
    True
    """
    if name not in CHECKS:
        raise ValueError(f"no instruction is called {name!r}")
    given = {key: value for key, value in arguments.items() if value is not None}
    try:
        return bool(text.strip()) and CHECKS[name](text, **given)
    except (TypeError, AttributeError) as error:
        raise ValueError(f"{name} with {given}: {error}") from error
