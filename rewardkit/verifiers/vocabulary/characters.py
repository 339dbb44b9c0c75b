"""Unicode's characters and the LaTeX that they are read as."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.patterns import same_as

_COMMANDS = same_as("""le: ≤ ⩽ ≦; ge: ≥ ⩾ ≧; ne: ≠; equiv: ≡; approx: ≈ ≅; cup: ∪; cap: ∩; in: ∈;
    notin: ∉; infty: ∞; emptyset: ∅; pi: π; sqrt: √; pm: ±; mp: ∓; ldots: …; setminus: ∖; euro: €;
    pounds: £ ₤; yen: ¥; rupees: ₹; langle: ⟨ 〈; rangle: ⟩ 〉; sum: ∑; prod: ∏; int: ∫; lfloor: ⌊;
    rfloor: ⌋; lceil: ⌈; rceil: ⌉; wedge: ∧; vee: ∨; neg: ¬; forall: ∀; circ: ∘; subset: ⊂ ⊊ ⫋;
    supset: ⊃ ⊋; subseteq: ⊆; supseteq: ⊇; parallel: ∥; perp: ⊥; exists: ∃; alpha: α; beta: β;
    gamma: γ; delta: δ; epsilon: ε; theta: θ; lambda: λ; mu: μ µ; rho: ρ; sigma: σ; tau: τ; zeta: ζ;
    eta: η; kappa: κ; nu: ν; xi: ξ; chi: χ; psi: ψ; Theta: Θ; Lambda: Λ; Phi: Φ; Psi: Ψ; Sigma: Σ;
    phi: φ; omega: ω; Omega: Ω; Delta: Δ; Gamma: Γ""")
CHARACTERS = {sign: f"\\{command} " for sign, command in _COMMANDS.items()} | {
    **dict.fromkeys("−–—‒﹣－", "-"), **dict.fromkeys("×·⋅∙∗", "*"), **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("′’", "'"), **dict.fromkeys("，、和", ","), "″": "''", "；": ";", "∶": ":",
    "∣": "|", "（": "(", "）": ")", "％": "\\%", "∛": "\\sqrt[3] ", "¢": "\\text{ cents}",
    "°": "^\\circ ", "º": "^\\circ ", "℃": "^\\circ C", "℉": "^\\circ F",
    **{doubled: f"\\mathbb{{{name}}}" for doubled, name in zip("ℝℤℕℚℂ", "RZNQC", strict=True)},
}  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₙ", "0123456789+-n")
EATEN_ESCAPES = str.maketrans({"\x0c": "\\f", "\x08": "\\b", "\x0b": "\\v", "\x07": "\\a"})
"""What a string literal made of the first letter of `\\frac`, and what was written."""
_DIGIT = re.compile("[0-9]")


def has_digit(text: str) -> bool:
    """Return whether any character is a digit, of any script, raised or lowered."""
    if _DIGIT.search(text):
        return True
    return not text.isascii() and any(map(str.isdigit, text))


_MULTIPLIES = "百千万萬亿億兆백천만억조割할折半打"
"""Words of one letter that make another number of the one before them."""


def spells_words(letter: str) -> bool:
    """Return whether one letter alone may be a word, as no formula has letters of its script.

    >>> spells_words("個"), spells_words("ट"), spells_words("x"), spells_words("ж")
    (True, True, False, False)
    """
    return letter >= "\u0590" and not ("\u2000" <= letter < "\u3040" or letter in _MULTIPLIES)
