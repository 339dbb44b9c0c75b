"""Problems rated by models and chosen for training: rated, merged, kept in a band, flagged.

ratings.py   what is known of a problem: counts by model, and the posterior of its solve rate
rating.py    from a model and a task to ratings, on the ledger of an evaluation
files.py     ratings in .jsonl and .parquet files, and several of them as one
texts.py     questions as words: duplicates, near duplicates, n-grams in common
choosing.py  the band, the flags, and what is left
contamination.py  an evaluation split by what stands in training data
"""
