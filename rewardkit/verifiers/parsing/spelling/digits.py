"""Numbers of so many equal digits under a brace: `1\\underbrace{00\\ldots0}_{50}` is `10^{50}`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND

BRACED = (
    r"(?<![\d.,\\])(?P<before>\d{0,9})\\underbrace\s*\{(?P<digit>\d)(?P=digit)*\s*(?:\\[lcd]?dots|\.{3}|…)[cbm]?"
    r"\s*(?P=digit)+\}\s*_\s*(?:(?P<one>[\da-z])|\{\s*(?P<count>\d{1,5}|[a-z]|[a-z]\s*[-+]\s*\d|\d[a-z])\s*"
    rf"(?:\\[,;: ]|\s)*(?:{TEXT_COMMAND}\s*\{{\s*[a-z\s']{{0,20}}\}})?\s*\}})(?![\d.])"
)
"""Digits, and one digit so many times behind them."""


def counted(braced: re.Match[str]) -> str:
    r"""Return the value of a `BRACED` number as powers of ten.

    >>> counted(re.match(BRACED, r"7\underbrace{22\ldots2}_{9\text{ digits}}"))
    '(7 \\cdot 10^{9} + 2 \\cdot \\frac{10^{9} - 1}{9})'
    """
    power = f"10^{{{braced['one'] or braced['count']}}}"
    leads = f"{braced['before']} \\cdot {power}" if braced["before"] else ""
    if braced["digit"] == "0":
        return f"({leads})" if leads else "0"
    repeated = f"{braced['digit']} \\cdot \\frac{{{power} - 1}}{{9}}"
    return f"({leads} + {repeated})" if leads else f"({repeated})"
