"""Whether an agent's call may happen: gates in a row, and what a yes is bound to."""
