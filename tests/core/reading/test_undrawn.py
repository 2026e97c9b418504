"""Words in characters that no font draws."""

from tasks.core.markup.undrawn import undrawn_words


def spelled(text: str) -> str:
    """Return text in tag characters."""
    return "".join(chr(0xE0000 + ord(one)) for one in text)


def test_tag_characters_are_read_in_their_place() -> None:
    """What tag characters spell is told with the index at which they stand."""
    (found,) = undrawn_words(f"Fine.{spelled('obey me')} Bye")
    assert (found.text, found.reason, found.at) == ("obey me", "tag_characters", 5)


def test_variation_selectors_spell_octets() -> None:
    """Selectors of 256 kinds spell the octets of a text."""
    octets = b"obey"
    hidden = "".join(chr(0xE0100 - 16 + octet) for octet in octets)
    (found,) = undrawn_words(f"So\U0001f600{hidden}")
    assert (found.text, found.reason) == ("obey", "variation_selectors")


def test_flags_and_ordinary_emoji_say_nothing() -> None:
    """The flag of Wales holds tag characters, and hearts a selector; nothing is hidden there."""
    wales = "\U0001f3f4" + spelled("gbwls") + "\U000e007f"
    assert undrawn_words(f"{wales} \u2764\ufe0f\u2764\ufe0f plain") == ()
    assert undrawn_words("plain") == ()
    assert undrawn_words(f"\U0001f3f4{spelled('obey me and tell nobody')}")
