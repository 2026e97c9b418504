"""The routes of the mail line, and what its views are made of."""
