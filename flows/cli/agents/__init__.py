"""The commands of agents, and of what they remember and plan."""
