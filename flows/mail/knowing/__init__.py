"""An organization's knowledge, gathered for those who ask."""
