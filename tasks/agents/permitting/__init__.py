"""The permission of an agent's call: gates in a row, and what a yes is bound to."""
