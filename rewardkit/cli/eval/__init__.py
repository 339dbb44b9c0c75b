"""`rewardkit eval` and its second words: one file a subcommand."""
