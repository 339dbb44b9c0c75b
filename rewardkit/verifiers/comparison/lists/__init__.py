"""Lists, sets and tuples, and what they say of their values."""
