"""The mail line, from the gate to the outbox."""
