"""Counts with their nouns, as people write them."""


def plural(count: int, noun: str, many: str | None = None) -> str:
    """Return `1 message`, `2 messages`, `1,204 messages`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
