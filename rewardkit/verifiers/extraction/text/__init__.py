"""What of a response is read: what its reader sees, its boxes and formulas, no tags or echoes."""
