"""Sets of real numbers: intervals, inequalities, unions."""
