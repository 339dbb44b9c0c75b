"""What stands around `=` and `<`: the name of a value, chains of equalities, inequalities."""
