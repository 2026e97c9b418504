"""Word lists that rules lean on, one folder per user of them."""
