"""Chats: who is asked, who answers, and a day of questions."""
