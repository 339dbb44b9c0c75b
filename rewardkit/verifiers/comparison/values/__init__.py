"""One value beside another: numbers, measures, units, signs, matrices, derivatives, constants."""
