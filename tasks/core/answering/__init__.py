"""The answer to a question, out of sentences that an organization wrote."""
