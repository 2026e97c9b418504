"""The state that mail and agents stand on: the database, the journal, the audit log, usage."""
