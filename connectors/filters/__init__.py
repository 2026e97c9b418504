"""Spam filters of others, asked about each message: SpamAssassin (spamd) and rspamd."""
