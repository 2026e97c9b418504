"""The mail line: from the spool to the outbox, and what people do with it."""
