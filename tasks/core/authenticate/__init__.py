"""The stage *authenticate*: whether the sender is who From says."""
