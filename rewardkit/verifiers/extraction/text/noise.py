"""Where a response ends in noise: lines that mix letters of other scripts into Latin words."""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern

_LETTER = as_pattern(
    "[\u0400-\u052f\u0590-\u06ff\u0900-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
)
"""One that no formula holds, as it holds Greek ones."""
_LATIN = as_pattern("[A-Za-z]")
_MEANT = as_pattern(
    r"(?<![\w/])\d[\d.,]{0,40}(?![\w/])|\\boxed|<\s?answer|nswer\s?[:=]|####"
    r"|\n\W{0,9}(?:So|Thus|Hence|Therefore)\b"
)
"""What a text may still say something with."""
_LEAST = 40
"""So much of a response stands before the noise at least."""
_WORD = 60
"""So far on either side the word around a letter is read."""


def up_to_noise(response: str) -> str:
    """Return a response in Latin letters up to the lines of noise that it ends with, if any.

    >>> up_to_noise("He sells 35 + 70 = 105 cakes in these two weeks.\\nrunСобC可 {} of")
    'He sells 35 + 70 = 105 cakes in these two weeks.'
    >>> up_to_noise("He sells 35 + 70 = 105 cakes in these two weeks.\\nrunСобC可 = 7")[-5:]
    '可 = 7'
    """
    if response.isascii() or (first := _LETTER.search(response)) is None:
        return response
    at = first.start()
    start = response.rfind("\n", 0, at)
    thought = response.rfind("</think>", max(0, start), at)
    start = thought + len("</think>") if thought >= 0 else start
    if start < _LEAST or not any(map(str.isdigit, response[:start])):
        return response
    before = f"{response[max(start, at - _WORD) : at]}|".split()[-1]
    behind = response[at : at + _WORD].split()[0]
    if not _LATIN.search(before + behind):
        return response
    return response if _MEANT.search(response, start) else response[:start]
