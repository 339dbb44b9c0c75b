"""What only the characters of an answer say: words, option letters, commas, calculations."""
