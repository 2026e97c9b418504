"""What people decide about mail, as callbacks, and what they stand on."""
