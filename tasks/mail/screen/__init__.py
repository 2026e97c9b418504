"""The stage *screen* as the line asks it: messages in a batch, and the guard (its rules: core)."""
