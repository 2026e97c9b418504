"""The stage *check*: whether a draft may stand."""
