"""Operating Postern from outside: through the engine, or in the state when it is down."""
