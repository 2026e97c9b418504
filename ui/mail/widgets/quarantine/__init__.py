"""What the screen found and stopped, what people made of it, and what holds for senders."""
