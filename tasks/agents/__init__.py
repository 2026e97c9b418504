"""What an agent works out without asking anybody: what is meant, and what to say to it."""
