"""Which language a text is in, and how words of several languages are compared."""
