"""Work that every rule waits for, done for several messages at once.

The tables of an automaton, of the vocabulary or of the classifier are larger than what a processor
keeps at hand. One message after the other they push each other out, and a table that has to be
fetched anew costs more than the work; so one kind of work after the other is done for all messages.
"""

from collections.abc import Sequence
from contextlib import suppress

from tasks.core.screen.disguises.ciphers import cipher_signs
from tasks.core.screen.message.views import Views
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.scanned import Text


def look_ahead(messages: Sequence[Views]) -> None:
    """Make the forms of every place of `messages`, with their signs and words; never raises.

    Where a message fails, its first rule meets the same error and tells of it.
    """
    for forms in (_places, _hidden):
        texts = [text for views in messages for text in forms(views)]
        with suppress(Exception):
            _read_signs(texts)
        for text in texts:
            with suppress(Exception):
                _ = text.spotted


def _places(views: Views) -> Sequence[Text]:
    with suppress(Exception):
        return views.plain
    return ()


def _hidden(views: Views) -> Sequence[Text]:
    with suppress(Exception):
        return [text for text in views.texts if text.disguised]
    return ()


def _read_signs(texts: Sequence[Text]) -> None:
    """Let every text know its signs; the same words in many places are read once."""
    cipher_signs()  # registers with the gate, so it comes before any signs
    different = tuple(dict.fromkeys(text.text for text in texts))
    signs = dict(zip(different, GATE.signs_of(different), strict=True))
    for text in texts:
        text.know(signs[text.text])
