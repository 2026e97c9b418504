"""The quarantine: what the screen stopped, what people made of it, and what holds for senders."""
