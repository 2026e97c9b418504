"""Agents, chats and turns."""
