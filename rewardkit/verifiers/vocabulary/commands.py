"""LaTeX's commands and environments: which hold text, which are style or space, which are twins."""

import re

from rewardkit.verifiers.vocabulary.patterns import alternatives, same_as, words

TEXT_COMMANDS = words("""text mathrm textbf mbox textrm textnormal textit mathbf operatorname textsf
    texttt hbox textup mathtt emph""")
"""What sets its braces upright or bold: words, a unit, an option, or a number all the same."""
TEXT_COMMAND = r"\\" + alternatives(TEXT_COMMANDS)
"""One of them, in a regular expression."""
STYLED_TEXT = re.compile(TEXT_COMMAND + r"\s*\{([^{}]*)\}")
"""One of them with what it holds."""
PROSE_COMMANDS = frozenset(("text", "textrm", "textbf", "textit", "mbox"))
"""Those of them in which letters side by side are a word and no product."""
FORMULA_COMMANDS = ("text", "mathrm")
"""Those in which formulas of chemistry are written, which are compared letter by letter."""
SPACING_COMMANDS = words("quad qquad thinspace enspace hspace space nobreakspace")
SPACE = r"(?:\\[,;:! ]|\\" + alternatives(SPACING_COMMANDS) + r"\b|~)"
"""A command that is only space, in a regular expression."""
STYLE_COMMANDS = words("""left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr
    displaystyle textstyle scriptstyle limits nolimits mathopen mathclose rm bf it middle therefore
    ensuremath num blacksquare qed hline tiny scriptsize footnotesize LARGE huge Huge cdotp
    boldsymbol bm mathit mathsf mathcal mathscr mathfrak hat widehat tilde boxed underline fbox
    framebox mathring Large large small normalsize""")
"""Size, shape, brackets' size and marks of an end: dropped, what they stand before is read."""
COMMAND_SYNONYMS = same_as(r"""frac: dfrac tfrac cfrac nicefrac sfrac; binom: dbinom tbinom;
    le: leqslant leq leqq; ge: geqslant geqq geq; <: lt; >: gt; to: rightarrow longrightarrow;
    sqrt: surd; ne: neq; *: times cdot ast; /: div; :: colon; and: land wedge; emptyset: varnothing;
    infty: infin; \{: lbrace; \}: rbrace; or: lor vee; [: lbrack; ]: rbrack; |: mid vert lvert rvert
    Vert; setminus: backslash smallsetminus; ~: approx simeq doteq; ldots: dotsc dots cdots dotsb
    dotsm vdots; circ: textcirc degree; cup: bigcup; cap: bigcap; \\: cr; T: top intercal;
    epsilon: varepsilon; phi: varphi; theta: vartheta; rho: varrho; sigma: varsigma;
    subset: subsetneq subsetneqq; supset: supsetneq supsetneqq; subseteq: subseteqq;
    supseteq: supseteqq; i: imath; j: jmath; operatorname: operatorname*; .: ldotp""") | {"pmb": ""}
"""Command -> the one that says the same, a sign, or nothing."""
MATRICES = words("pmatrix bmatrix matrix Bmatrix vmatrix Vmatrix smallmatrix array")
ALIGNED = frozenset(["aligned", "align", "align*", "gathered", "split", "eqnarray"])
CASES = frozenset(["cases", "dcases", "rcases"])
