"""Pieces that pages about agents are made of."""
