"""Numbers with their nouns, in sentences for people."""


def plural(count: int, noun: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 message`, `2 open cases`, `3 replies`, `1,204 messages`."""
    return f"{count:,} {noun if count == 1 else many or _plural_of(noun)}"


def _plural_of(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("ply") else f"{noun}s"
