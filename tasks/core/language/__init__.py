"""The language of a text, and the comparison of words of several languages."""
