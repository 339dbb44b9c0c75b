"""Settings of ours as keys of verl's configuration: what becomes of each, and what is refused."""
