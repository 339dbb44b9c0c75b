"""Samples as they are drawn: which there are to be, the record of each, and how far it is."""
