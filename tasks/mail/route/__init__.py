"""The stage *route*: whether a reply leaves by itself, or a person looks first."""
