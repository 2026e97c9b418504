"""Outgoing mail: replies, forwards, news to trackers; proved, signed, attempted."""
