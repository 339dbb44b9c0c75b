"""The verl backend: the same recipe on verl's FSDP and vLLM workers.

`plugin` registers rewardkit's pieces with verl; `cpu` makes verl run on a CPU for tests and trials.
"""
