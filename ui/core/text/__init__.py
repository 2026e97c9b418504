"""What things are called, and text made harmless; nothing here draws."""
