"""The verl backend: the same recipe on verl's FSDP and vLLM workers.

`plugin` registers with verl what is `inside` its processes; `cpu` makes verl run on a CPU, for
tests and trials. Neither is imported, nor verl, before a run starts.
"""
