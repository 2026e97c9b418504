"""Records of the agents that people talk to: agents, chats and turns."""
