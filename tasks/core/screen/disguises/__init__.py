"""What a text hides: words that are masked, torn, misspelt or in a code, written plainly."""
