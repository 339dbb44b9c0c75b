"""One import for another: math-verify's functions, and those of trainers that call it, by rewardkit.

    from rewardkit.drop_in import parse, verify  # instead of: from math_verify import parse, verify
"""

from rewardkit.drop_in.comparison import math_metric as math_metric
from rewardkit.drop_in.comparison import verify as verify
from rewardkit.drop_in.extraction import ExprExtractionConfig as ExprExtractionConfig
from rewardkit.drop_in.extraction import LatexExtractionConfig as LatexExtractionConfig
from rewardkit.drop_in.extraction import StringExtractionConfig as StringExtractionConfig
from rewardkit.drop_in.extraction import parse as parse
