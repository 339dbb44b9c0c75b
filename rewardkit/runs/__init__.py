"""A run folder and what keeps it whole.

folder.py     the files of a run: configuration, manifest, records, results
lock.py       one process a folder
signals.py    handlers for a while
seal.py       folders that are there whole or not at all, and that tell when they were damaged
retention.py  which checkpoints stay
records.py    rows appended step by step, plain or compressed
rollouts.py   a row a response: which are kept, and the one reader of them
graded_rows.py  a response with its gold, maybe a label, maybe a verdict, in one spelling
results.py    the schema of results.json; training_results.py is how a run fills it
manifest.py   versions, code, seed, hardware
"""

from rewardkit.runs.folder import RECORDS, RunFolder
from rewardkit.runs.manifest import manifest
from rewardkit.runs.rollouts import read_rollouts, rollout_rows

__all__ = ["RECORDS", "RunFolder", "manifest", "read_rollouts", "rollout_rows"]
