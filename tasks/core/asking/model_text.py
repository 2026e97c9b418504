"""A model's text as people read it."""

from tasks.core.screen.words.folding import keep_visible


def make_readable(text: str) -> str:
    """Return a model's text without characters that draw nothing, with plain line ends."""
    plain = keep_visible(text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(letter for letter in plain if letter == "\n" or letter.isprintable()).strip()
