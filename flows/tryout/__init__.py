"""`postern try`: messages through the pure stages, without state and without sending."""
