"""What a step will hold and take on GPUs, before anything is loaded: what all backends plan with.

cards.py       what a GPU can do
model.py       what a model's configuration says of its size
memory.py      what a card holds beside tensors, and what a step holds at the very least
ledger.py      who holds how many bytes, at every moment
fake_gpu.py    tensors without storage, for which code takes the paths of a GPU
simulation.py  weights, ranks and optimiser of a step that is run on such tensors
seconds.py     how long a step is at best
page.py        what is foreseen, and its page
"""
