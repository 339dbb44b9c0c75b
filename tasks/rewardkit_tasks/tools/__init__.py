"""Tools that any task can have, as NAME+TOOL: a calculator, Python in a jail, a search."""
