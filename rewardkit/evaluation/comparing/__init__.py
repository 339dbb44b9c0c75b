"""Several results beside each other: two models, many, one checkpoint after another."""
