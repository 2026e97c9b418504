"""Mailboxes of organizations: who watches them, and what is done at each."""
