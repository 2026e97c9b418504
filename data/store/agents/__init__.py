"""Statements on agents, chats and turns."""
