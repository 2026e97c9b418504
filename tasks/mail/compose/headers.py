"""Header fields of a reply, rendered by our own rules (RFC 5322, RFC 2047).

The standard library folds and encodes differently from release to release, and repairs what it
should refuse; here every field is ASCII, folded only at spaces, and refused when it holds a control
character.
"""

from base64 import b64encode
from collections.abc import Sequence

from data.errors import UnfitError
from tasks.core.patterns import compiled

_MESSAGE_ID = compiled(
    r"^<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\-]+@(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\-]+|\[[A-Za-z0-9.:\-]+\])>$"
)
_LONGEST_ID = 250
_KEPT_REFERENCES = 20
_LINE = 76
_WORD_BYTES = 39
"""Bytes of text in one encoded word: with base64 and frame 64 letters, RFC 2047 allows 75."""


class ComposeError(UnfitError):
    """A reply cannot be rendered safely; the sentence says which part, and a person corrects it."""


def is_message_id(text: str) -> bool:
    """Return whether `text` is a msg-id by the strict part of RFC 5322 section 3.6.4."""
    return len(text) <= _LONGEST_ID and bool(_MESSAGE_ID.match(text))


def build_thread_ids(
    message_id: str | None, in_reply_to: str | None, references: Sequence[str]
) -> tuple[str | None, tuple[str, ...]]:
    """Return In-Reply-To and References of a reply to a message with these ids.

    References are the parent's (else its In-Reply-To) and the parent itself: the first and the last
    20. A parent without a valid id gives neither field; ids that are not valid are left out.
    """
    if message_id is None or not is_message_id(message_id):
        return None, ()
    earlier = [name for name in references if is_message_id(name)]
    if not earlier and in_reply_to is not None and is_message_id(in_reply_to):
        earlier = [in_reply_to]
    chain = [*dict.fromkeys(name for name in earlier if name != message_id), message_id]
    if len(chain) > _KEPT_REFERENCES + 1:
        chain = [chain[0], *chain[-_KEPT_REFERENCES:]]
    return message_id, tuple(chain)


def build_field(name: str, value: str) -> bytes:
    """Return one header field with CRLF, folded at spaces; ComposeError on control letters."""
    refuse_controls(name, value)
    if not value.isascii():
        raise ComposeError(
            f"Header {name!r} holds letters beyond ASCII: {value!r}; encode it first."
        )
    lines = [f"{name}:"]
    for word in value.split(" "):
        # Never right after the name: a first line without text is obsolete, and read differently.
        first = lines == [f"{name}:"]
        if len(lines[-1]) + 1 + len(word) > _LINE and word and not first:
            lines.append("")
        lines[-1] += f" {word}"
    return "\r\n".join(lines).encode("ascii") + b"\r\n"


def encode_text(name: str, text: str) -> str:
    """Return `text` as it is when plain ASCII, else as RFC 2047 encoded words in UTF-8.

    Control letters are refused here, because nobody sees them once they are encoded.
    """
    refuse_controls(name, text)
    if text.isascii() and "=?" not in text and not text.startswith(" ") and not text.endswith(" "):
        return text
    words: list[str] = []
    chunk = ""
    for letter in text:
        if len((chunk + letter).encode()) > _WORD_BYTES:
            words.append(chunk)
            chunk = ""
        chunk += letter
    words.append(chunk)
    return " ".join(f"=?utf-8?b?{b64encode(word.encode()).decode()}?=" for word in words)


def format_mailbox(name: str, address: str) -> str:
    """Return `name <address>` for From; the name is quoted or encoded as it needs."""
    if not name:
        return address
    if not name.isascii() or "=?" in name:
        return f"{encode_text('From', name)} <{address}>"
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}" <{address}>'


def refuse_controls(name: str, value: str) -> None:
    """Raise ComposeError when `value` holds a control letter, a line separator, a surrogate."""
    if value.isprintable():  # none of them is
        return
    for letter in value:
        code = ord(letter)
        if (
            code < 0x20
            or 0x7F <= code <= 0x9F
            or code in (0x2028, 0x2029)
            or 0xD800 <= code <= 0xDFFF
        ):
            raise ComposeError(
                f"{name} holds the control character U+{code:04X} in {value[:80]!r}; remove it."
            )
