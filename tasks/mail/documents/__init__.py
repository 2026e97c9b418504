"""Text of attached files, read in a process with limits, and only when somebody asks."""
