"""What a sentence states: its main clause, its last quantity, what is said, denied or doubted."""
