"""Pieces that pages of every part are made of."""
