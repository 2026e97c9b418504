"""Words by which agents recognize what people ask them (docs/agents.md#triage)."""
