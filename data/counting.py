"""Numbers with their nouns and sizes of files, in sentences for people."""


def plural(count: int, noun: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 message`, `2 open cases`, `3 replies`, `1,204 messages`."""
    return f"{count:,} {noun if count == 1 else many or _plural_of(noun)}"


def _plural_of(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("ply") else f"{noun}s"


def size_words(count: int) -> str:
    """Return a size in bytes as `3.4 MB`."""
    amount = float(count)
    for unit in ("bytes", "kB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}"
        amount /= 1000
    return f"{amount:.1f} MB"
