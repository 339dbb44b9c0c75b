"""What is asked once more of a right value, a question a file; `objection` asks them all."""
