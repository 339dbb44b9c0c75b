"""Samples -> numbers: scores, results.json, accuracy by length, near misses."""
