"""The stage *automated*: whether a machine wrote a message, and which."""
