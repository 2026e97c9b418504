"""Agents that people talk to: installed from the catalogue, asked in chats, working in turns."""
