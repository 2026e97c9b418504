"""The stage *draft*: the reply, out of the organization's own sentences."""
