"""What a calculation in words comes to: `It is 7 times 3, or 21` states 21."""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern

_SIGNS = r"(?:times|plus|minus|multiplied\sby|divided\sby|percent\sof)"
_COMES_TO = as_pattern(
    r"(?:(?<=\d)|(?<=[a-z%)]))\s?,?\sor\s(?:simply\s|just\s|about\s)?(?=[$€£]?\d[\d.,]*(?:\s[a-z]+){0,3}\W*\Z)"
)
_CALCULATED = as_pattern(
    r"(?:\d+\stimes|twice)\s(?:that|as\s(?:much|many))\Z|\d\s(?:less|more|fewer)\sthan\s[A-Z]?[a-z]+,?\Z"
    r"|\bthe\s(?:remaining\s(?:amount|part|half)|other\shalf|rest|difference)\Z"
    rf"|\d[\d.,]*(?:\s[a-z]+){{0,2}}(?:\s{_SIGNS}\s|\s?%\sof\s|\s?[-+*×]\s?|\s/\s)(?:the\s|her\s|his\s)?[$€£]?\d"
    r"[^,;]*\Z"
)
"""A calculation, said or written: `80% of $400`, `7 times 3`."""


def comes_to(sentence: str) -> str:
    """Return a sentence with what a calculation in words comes to behind a sign of equality.

    >>> comes_to("It is 7 times 3, or 21 dollars"), comes_to("It is 7 or 21 dollars")
    ('It is 7 times 3 = 21 dollars', 'It is 7 or 21 dollars')
    """
    if " or " not in sentence:
        return sentence
    found = _COMES_TO.search(sentence)
    if found is None or not _CALCULATED.search(sentence, max(0, found.start() - 80), found.start()):
        return sentence
    return f"{sentence[: found.start()]} = {sentence[found.end() :]}"
