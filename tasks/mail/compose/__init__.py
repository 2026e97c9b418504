"""The reply as bytes: to whom, under which headers."""
