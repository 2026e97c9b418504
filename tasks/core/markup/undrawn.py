"""Words that are spelled in characters which no font draws, and where in a text they stand.

(Unicode 16 section 23.9, tag characters; section 23.4, variation selectors, of which 256 spell the
octets of any text.) Flags of emoji hold tag characters too, and are left alone.
"""

from data.records.core.parsed_mail import Hidden
from data.tag_characters import spell_tags
from tasks.core.patterns import compiled

PIECES = 50
"""Places that are kept."""
CHARACTERS = 2_000
"""Characters of each."""

_FLAG = 6
"""Tag characters of the flag of a region: its code (ISO 3166-2)."""
_TAGS = compiled(r"(\x{1F3F4}?)([\x{E0020}-\x{E007E}]{4,})")
_SELECTORS = compiled(r"[\x{FE00}-\x{FE0F}\x{E0100}-\x{E01EF}]{4,}")


def undrawn_words(text: str) -> tuple[Hidden, ...]:
    """Return what a text spells in tag characters or variation selectors, in the order found."""
    if text.isascii():
        return ()
    undrawn = [
        Hidden(
            text=spell_tags(match.group(2))[:CHARACTERS],
            reason="tag_characters",
            at=match.start(2),
        )
        for match in _TAGS.finditer(text)
        if not match.group(1) or len(match.group(2)) > _FLAG
    ]
    for match in _SELECTORS.finditer(text):
        octets = bytes(
            ord(selector) - (0xFE00 if ord(selector) < 0xE0000 else 0xE0100 - 16)
            for selector in match.group()
        )
        decoded = octets.decode("utf-8", "replace")
        if decoded.isprintable() and any(map(str.isalpha, decoded)):
            undrawn.append(
                Hidden(text=decoded[:CHARACTERS], reason="variation_selectors", at=match.start())
            )
    return tuple(undrawn[:PIECES])
