"""What is worth remembering, for whom, of what it is a restatement, and what fits a question."""
