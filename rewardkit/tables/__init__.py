"""Verdicts for tables of any length: a file in units, units over cores or a cluster, one file.

kinds.py    what all tables have: units and batches
opening.py  the table in a file: .parquet in parquet.py, .jsonl in lines.py
grade.py    the verdict columns of one unit
engines.py  units over the cores of this machine, or over Ray
job.py      which units are left, progress, and the file at the end
"""
