"""Language models: asked within caps, with tools, and counted."""
