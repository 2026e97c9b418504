"""Disguises of words in a text: masked, torn, misspelt or in a code; here written plainly."""
