"""A plugin of pytest: `math_verify`, wherever a test imports it, is `rewardkit.drop_in`."""

import sys
from types import ModuleType

from rewardkit import drop_in

NAMES = (
    "parse", "verify", "LatexExtractionConfig", "ExprExtractionConfig", "StringExtractionConfig",
)  # fmt: skip


def sympy_expr_eq(gold, pred, float_rounding=6, numeric_precision=15):
    """Compare two expressions of sympy, as math-verify's function of that name."""
    return drop_in.verify(gold, pred, float_rounding)


package, grader, parser = (ModuleType(f"math_verify{end}") for end in ("", ".grader", ".parser"))
package.__path__ = []
package.grader, package.parser = grader, parser
for name in NAMES:
    for module in (package, grader, parser):
        setattr(module, name, getattr(drop_in, name))
grader.sympy_expr_eq = sympy_expr_eq
sys.modules.update({module.__name__: module for module in (package, grader, parser)})
