"""Sets of numbers by their elements: intervals, inequalities, unions, runs of integers."""
