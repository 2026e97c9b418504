"""What an organization knows, gathered for those who ask."""
