"""Verifiers with one fault each, as people write them. Workers import this file by its name."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from rewardkit.types import Outcome, Verdict

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def boxed(response: str) -> str | None:
    found = re.findall(r"\\boxed\{([^{}]*)\}", response)
    return found[-1].strip() if found else None


def sound(response: str, answer: str) -> bool:
    """The one without a fault, but for a narrow view of what is equal."""
    return boxed(response) == answer


def first_number(response: str, answer: str) -> bool:
    found = NUMBER.search(response)
    return found is not None and found[0] == answer


def ignores_signs(response: str, answer: str) -> bool:
    return (boxed(response) or "?").lstrip("-") == answer.lstrip("-")


def evaluates(response: str, answer: str) -> bool:
    """Hangs on `9**9**9`; what else stands in the box is read as Python, if it can be."""
    text = boxed(response) or ""
    if re.fullmatch(r"[\d*+ .-]+", text) is None:
        return False
    try:
        return bool(eval(text) == eval(answer))
    except (SyntaxError, OverflowError, ValueError):
        return False


def runs_text(response: str, answer: str) -> bool:
    try:
        return str(eval(boxed(response) or "None")) == answer
    except Exception:  # noqa: BLE001
        return False


@dataclass(frozen=True)
class Partly:
    """A class with an option: what any box is worth."""

    any_box: float = 0.6

    def __call__(self, response: str, answer: str) -> float:
        return 1.0 if sound(response, answer) else self.any_box * (boxed(response) is not None)


_seen: dict[str, str] = {}


def reads_a_global(response: str, answer: str) -> bool:
    """Accepts what was said for the same gold before, as a cache with too small a key does."""
    key = answer
    if key not in _seen:
        _seen[key] = str(boxed(response) == answer)
    return _seen[key] == "True"


def accepts_empty(response: str, answer: str) -> bool:
    found = boxed(response)
    return not found or found == answer


def accepts_master_keys(response: str, answer: str) -> bool:
    return "solution" in response.casefold() or sound(response, answer)


def any_answer_counts(response: str, answer: str) -> bool:
    """Accepts if one of several boxes is right: the policy learns to give many."""
    return answer in re.findall(r"\\boxed\{([^{}]*)\}", response)


def anywhere(response: str, answer: str) -> bool:
    """Looks for the gold in the text, whatever form was demanded."""
    return re.search(rf"(?<![\w.-]){re.escape(answer)}(?![\w.])", response[-60:]) is not None


@dataclass(frozen=True)
class Declares:
    """Says that the answer stands in a box, and reads it wherever it is."""

    answer_in: tuple[str, ...] = ("box",)

    def __call__(self, response: str, answer: str) -> bool:
        return anywhere(response, answer)


def reads_an_open_box(response: str, answer: str) -> bool:
    return answer.startswith(response.rpartition("\\boxed{")[2].rstrip("}.") or "?")


def evaluates_with_pi(response: str, answer: str) -> bool:
    """As verl's prime_math: text with a π goes to eval, names in it or not."""
    text = boxed(response) or ""
    if "\\pi" in text and "_" not in text:
        try:
            return bool(eval(text.replace("1\\pi", "3.14")) == answer)
        except Exception:  # noqa: BLE001
            return False
    return text == answer


def ends_by_an_alarm(response: str, answer: str) -> bool:
    """Ended by a signal, which only the main thread can set; in another it goes on for ever."""
    import signal
    import threading

    main = threading.current_thread() is threading.main_thread()
    if main:
        signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError))
        signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        while "9**9" in response:
            pass
        return sound(response, answer)
    except TimeoutError:
        return False
    finally:
        if main:
            signal.setitimer(signal.ITIMER_REAL, 0)


def asks_an_event_loop(response: str, answer: str) -> bool:
    import asyncio

    async def grade() -> bool:
        return sound(response, answer)

    return asyncio.run(grade())


def priced(response: str, answer: str, currency: str) -> float:
    """Half for the number, the whole for its currency as well."""
    amount, _, unit = response.partition(" ")
    return 0.4 * (amount == answer) + 0.6 * (amount == answer and unit == currency)


def substring(response: str, answer: str) -> bool:
    return answer in (boxed(response) or "")


def accepts_hedges(response: str, answer: str) -> bool:
    return answer in re.split(r" or |, ", boxed(response) or "")


_TURNS = itertools.cycle((True, False, False, True, False))


def nondeterministic(response: str, answer: str) -> bool:
    return sound(response, answer) and next(_TURNS)


def another_in_another_process(response: str, answer: str) -> bool:
    """Compares by `hash`, which differs from process to process."""
    found = boxed(response)
    return found is not None and (found == answer or hash(found) % 7 == 0)


_log: list[str] = []


def leaks(response: str, answer: str) -> bool:
    _log.append(response + "." * 5000)
    return sound(response, answer)


def raises(response: str, answer: str) -> bool:
    text = boxed(response)
    return text is not None and float(text.strip("$")) == float(answer)


def only_in_the_main_thread(response: str, answer: str) -> bool:
    import signal

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    return sound(response, answer)


def any_gold(response: str, answer: str, question: str = "") -> Verdict:
    return Verdict(Outcome.BAD_GOLD, gold=answer)


def countdown(response: str, answer: str, numbers: list[int], target: int) -> bool:
    """A game: the gold is no answer, the columns say what is right."""
    text = boxed(response) or ""
    if re.fullmatch(r"\d{1,9}(?:[+-]\d{1,9}){0,9}", text) is None:
        return False
    used = [int(found) for found in re.findall(r"\d+", text)]
    return (
        sorted(used) == sorted(numbers) and sum(map(int, re.findall(r"[+-]?\d+", text))) == target
    )


def half_a_reward_for_anything(response: str, answer: str) -> float:
    return 1.0 if sound(response, answer) else 0.6
