"""The commands of the mail line."""
