"""The stage *plan*: what to do about each wish."""
