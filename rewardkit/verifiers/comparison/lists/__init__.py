"""Lists, tuples and endless lists; families of solutions with a parameter, and remainders."""
