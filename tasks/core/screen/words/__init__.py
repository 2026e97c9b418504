"""What a text says: its words folded, looked up, found together, and what stands around them."""
