"""The stage *thread*: which messages are one conversation."""
