"""The end of a response without a mark: what it chooses, asks, leaves open or takes back."""
