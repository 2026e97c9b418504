"""Pieces that pages about mail are made of."""
