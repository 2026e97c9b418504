"""Records of the mail line."""
