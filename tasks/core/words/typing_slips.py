"""Slips of typing: a word that is another one but for a letter or two."""


def is_slip(word: str, meant: str) -> bool:
    """Whether a word has one letter too few, too many, or wrong, or two changed about.

    A word that only goes on (*orders*, *receivers*) is no slip of the shorter one.
    """
    if word.startswith(meant) or meant.startswith(word) or abs(len(word) - len(meant)) > 1:
        return False
    at = next(place for place, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b)
    rest, other = word[at:], meant[at:]
    swapped = len(rest) > 1 and len(other) > 1 and rest[1::-1] == other[:2]
    return (
        rest[1:] == other[1:]
        or rest[1:] == other
        or rest == other[1:]
        or (swapped and rest[2:] == other[2:])
    )
