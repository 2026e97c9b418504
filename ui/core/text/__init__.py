"""Words for what is shown, and text made harmless; nothing here draws."""
