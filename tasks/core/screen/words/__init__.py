"""The words of a text: folded, looked up, found together, with what stands around them."""
