"""Tests of the review window."""
