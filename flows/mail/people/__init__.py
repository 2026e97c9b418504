"""Actions of people: each is one guarded transaction with an audit event."""
