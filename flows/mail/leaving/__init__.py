"""What leaves: replies, forwards, news to trackers; proved, signed, attempted."""
