"""One module per stage: what it needs from the store, the pure function it calls, what follows."""
