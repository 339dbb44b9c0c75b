"""`rewardkit curate`: how hard problems are, and which are worth training on."""
