"""The parts of the API about mail."""
