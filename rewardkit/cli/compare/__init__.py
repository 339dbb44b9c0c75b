"""`rewardkit compare`: two evaluations paired, many as a matrix, two models in turn."""
