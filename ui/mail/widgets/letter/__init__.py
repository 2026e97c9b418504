"""The reply as it is written, checked and shown."""
