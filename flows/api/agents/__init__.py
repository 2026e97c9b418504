"""The routes of agents, and of what they remember, plan and may use."""
