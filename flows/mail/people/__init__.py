"""What people do: each action is one guarded transaction with an audit event."""
