"""Spans of days, what repeats, when somebody is free, and calendar files."""
