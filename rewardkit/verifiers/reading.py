"""A response -> the one value that it gives as its answer, or why it gives none."""

from __future__ import annotations

from rewardkit.verifiers.format.declared import declared
from rewardkit.verifiers.format.found import NOT_A_VALUE, Found, Missing
from rewardkit.verifiers.kinds import Kind
from rewardkit.verifiers.limits import MAX_ANSWER_CHARS, MAX_RESPONSE_CHARS
from rewardkit.verifiers.options import checked


def read(
    response: str, answer_in: str | tuple[str, ...], kind: Kind, *, unclosed_think: str = "read"
) -> Found | Missing:
    r"""Return the answer of a response: what the declared mark holds, or a lenient reading.

    It never sees the gold answer, so that naming several values pays no more than guessing one.

    Args:
        response: as the model wrote it.
        answer_in: where the answer is declared to stand; empty for the lenient reading.
        kind: what kind of answer is asked for; only the lenient reading looks at it.
        unclosed_think: whether an answer within thoughts that never end is read, or ignored.

    >>> read(r"\boxed{4} or so. It is 5.", ("box",), "number").text
    '4'
    >>> read("So it is 5.", ("box",), "number").reason, read("So it is 5.", (), "number").text
    ('no \\boxed{...} in the response', '5')
    """
    cut = max(0, len(response) - MAX_RESPONSE_CHARS)
    text = response[cut:] if cut else response
    if answer_in:
        found = declared(text, checked(answer_in), unclosed_think=unclosed_think)
    else:
        from rewardkit.verifiers.lenient.read import read as read_leniently

        found = read_leniently(text, kind, unclosed_think=unclosed_think)
    if isinstance(found, Missing):
        return found
    if len(found.text) > 2 * MAX_ANSWER_CHARS:
        return Missing(NOT_A_VALUE, f"the {found.by} holds {len(found.text):,} characters")
    return found._replace(start=found.start + cut, end=found.end + cut) if cut else found
