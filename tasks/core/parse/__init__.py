"""The stage *parse*: bytes to what a message says, and nothing believed of it."""
