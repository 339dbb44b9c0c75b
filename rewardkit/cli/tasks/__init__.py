"""`rewardkit tasks`: what can be trained on, and a task looked through."""
