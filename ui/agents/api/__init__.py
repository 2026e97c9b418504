"""The parts of the API about agents."""
