"""Numbers with their nouns, in sentences for people."""


def amount(number: int, noun: str) -> str:
    """Return a number with its noun, e.g. `1 case`, `2 open cases` or `2 approved replies`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("ply") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
