"""`rewardkit verify`: one verdict explained, and a verifier measured on labels."""
