"""Unicode's characters and the LaTeX that they are read as."""

from __future__ import annotations

import re

CHARACTERS = {
    "−": "-", "–": "-", "—": "-", "‒": "-", "﹣": "-", "－": "-", "×": "*", "·": "*", "⋅": "*",
    "∙": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/", "≤": "\\le ", "≥": "\\ge ", "⩽": "\\le ",
    "⩾": "\\ge ", "≦": "\\le ", "≧": "\\ge ", "≠": "\\ne ", "≡": "\\equiv ", "≈": "\\approx ",
    "≅": "\\approx ",
    "∪": "\\cup ", "∩": "\\cap ", "∈": "\\in ", "∉": "\\notin ", "∞": "\\infty ",
    "∅": "\\emptyset ",
    "π": "\\pi ", "√": "\\sqrt ", "∛": "\\sqrt[3] ", "°": "^\\circ ", "º": "^\\circ ", "′": "'",
    "℃": "^\\circ C", "℉": "^\\circ F",
    "’": "'", "″": "''", "±": "\\pm ", "∓": "\\mp ", "…": "\\ldots ", "ℝ": "\\mathbb{R}",
    "ℤ": "\\mathbb{Z}", "ℕ": "\\mathbb{N}", "ℚ": "\\mathbb{Q}", "ℂ": "\\mathbb{C}",
    "∖": "\\setminus ",
    "€": "\\euro ", "£": "\\pounds ", "¥": "\\yen ", "₹": "\\rupees ",
    "⟨": "\\langle ", "⟩": "\\rangle ", "〈": "\\langle ", "〉": "\\rangle ", "¢": "\\text{ cents}",
    "‰": "\\text{ permille}",
    "％": "\\%", "∑": "\\sum ", "∏": "\\prod ", "∫": "\\int ", "⌊": "\\lfloor ", "⌋": "\\rfloor ",
    "⌈": "\\lceil ", "⌉": "\\rceil ", "∧": "\\wedge ", "∨": "\\vee ", "¬": "\\neg ", "∶": ":",
    "∣": "|", "，": ",", "；": ";", "（": "(", "）": ")", "、": ",", "和": ",",
    "∀": "\\forall ",
    "∘": "\\circ ", "⊂": "\\subset ", "⊃": "\\supset ", "⊆": "\\subseteq ", "⊇": "\\supseteq ",
    "⊊": "\\subset ", "⫋": "\\subset ", "⊋": "\\supset ", "∥": "\\parallel ", "⊥": "\\perp ",
    "∃": "\\exists ",
    "α": "\\alpha ", "β": "\\beta ", "γ": "\\gamma ", "δ": "\\delta ", "ε": "\\epsilon ",
    "θ": "\\theta ", "λ": "\\lambda ", "μ": "\\mu ", "µ": "\\mu ", "ρ": "\\rho ", "σ": "\\sigma ",
    "τ": "\\tau ", "ζ": "\\zeta ", "η": "\\eta ", "κ": "\\kappa ", "ν": "\\nu ", "ξ": "\\xi ",
    "χ": "\\chi ", "ψ": "\\psi ", "Θ": "\\Theta ", "Λ": "\\Lambda ", "Φ": "\\Phi ",
    "Ψ": "\\Psi ", "Σ": "\\Sigma ",
    "φ": "\\phi ", "ω": "\\omega ", "Ω": "\\Omega ", "Δ": "\\Delta ", "Γ": "\\Gamma ",
}  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₙ", "0123456789+-n")
EATEN_ESCAPES = {"\x0c": "\\f", "\x08": "\\b", "\x0b": "\\v", "\x07": "\\a"}
"""What a string literal made of the first letter of `\\frac`, and what was written."""
_DIGIT = re.compile("[0-9]")


def has_digit(text: str) -> bool:
    """Return whether any character is a digit, of any script, raised or lowered."""
    if _DIGIT.search(text):
        return True
    return not text.isascii() and any(map(str.isdigit, text))


CJK = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"
"""A sign of Chinese, Japanese or Korean: letters of formulas stand beside them without a space."""
