"""What is looked for because the gold is one: parts, labels, a date, a time, a set in words."""
