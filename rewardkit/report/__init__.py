"""`rewardkit report`: a run folder becomes one page that a person can read.

reading.py    a run folder -> `RunRecord`, also while it is written and after a kill
panels.py     metrics -> what is drawn (`curves.svg` draws from the same table)
rollouts.py   rollouts.jsonl -> lengths by outcome, and the responses that fit into the page
solved.py     the table of counts -> solve rates, problems by steps
curves.py     the most telling panels as one picture
settings.py   the configuration, and what in it differs from the recipe and the defaults
page.py       all of it -> report.html

trackers.py   TensorBoard (tensorboard.py), Weights & Biases and trackio
display.py    a run while it goes on, on a terminal, in the columns of columns.py
terminal.py   a stream that falls silent once nobody reads it
"""
