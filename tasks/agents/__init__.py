"""An agent's own reading of a message, without asking anybody: what is meant, what to say to it."""
