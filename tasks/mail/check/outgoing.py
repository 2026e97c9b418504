"""The last look at a reply: links and private marks in the very bytes that would leave.

The message is parsed as a mail program would, every header and text part decoded, so that nothing
that was put in between check and rendering, and no encoding, escapes.
"""

from collections.abc import Iterable, Iterator, Sequence
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32

from tasks.core.leaks.canary import echoes
from tasks.core.leaks.links import find_links, is_allowed
from tasks.mail.check.sources import contacts_of

_OURS = frozenset(
    {
        "date",
        "message-id",
        "in-reply-to",
        "references",
        "dkim-signature",
        "x-loop",
        "from",
        "to",
        "content-type",
        "content-transfer-encoding",
        "mime-version",
    }
)
"""Headers that code alone writes and no program makes clickable."""


def texts_of(raw: bytes, files: int = 0) -> Iterator[str]:
    """Yield the decoded headers that a reader sees, and every text part, of a rendered message.

    Its last `files` parts are left out.
    """
    message = message_from_bytes(raw, policy=compat32)
    for name, value in message.items():
        if name.lower() not in _OURS:
            yield str(make_header(decode_header(str(value))))
    parts = [part for part in message.walk() if not part.is_multipart()]
    for part in parts[: len(parts) - files]:
        yield _text(part)


def unlisted_links(raw: bytes, allowed: Iterable[str], own_lines: str) -> list[str]:
    """Return the links of a rendered message that neither the policy nor our own lines hold."""
    hosts, known_contacts = list(allowed), contacts_of(own_lines)
    return [
        link.text
        for text in texts_of(raw)
        for link in find_links(text)
        if not is_allowed(link, hosts) and link.text not in known_contacts
    ]


def holds_canary(raw: bytes, canary: str, files: int = 0) -> bool:
    """Return whether a rendered message repeats the mark of private context, headers included.

    Its last `files` parts are files of our own, whose text was looked through when they were
    attached; of these the bytes are compared with the mark as it is.
    """
    message = message_from_bytes(raw, policy=compat32)
    headers: Sequence[str] = [
        str(value) for name, value in message.items() if name.lower() != "dkim-signature"
    ]
    if any(echoes(text, canary) for text in (*headers, *texts_of(raw, files))):
        return True
    contents = (part.get_payload(decode=True) for part in list(message.walk())[-files:] if files)
    return bool(canary) and any(
        canary.encode() in content for content in contents if isinstance(content, bytes)
    )


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    return content.decode("utf-8", "replace")
