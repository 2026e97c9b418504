"""Text whoever wrote it: read, compared, answered from, and guarded."""
