"""Tools that any task can have, as NAME+TOOL: a calculator, and Python in the jail of `code`."""
