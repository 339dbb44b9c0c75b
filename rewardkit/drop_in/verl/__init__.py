"""verl: its `math_verify` and `math_dapo`, to be imported from here instead."""
