"""The tokens of a message for the judge that learns: words and marks, as bounded hashes."""

import hashlib
from collections.abc import Iterator

from data.records.core.parsed_mail import Automated, ParsedMail, Segments
from tasks.core.patterns import compiled
from tasks.core.screen.message.hosts import list_targets, registrable
from tasks.core.screen.words.folding import fold

RANGE = 1 << 18
"""Tokens are numbers below this, so the table of counts cannot grow beyond it."""
MOST = 800
"""Distinct tokens of one message; the first ones count, for spam says what it wants early."""
_CHARACTERS = 20_000
_WORD = compiled(r"[\p{Han}]|[\pL\pN$€£%][\pL\pN'$€£%]*")
_LONGEST = 24


def spam_tokens(mail: ParsedMail, segments: Segments, automated: Automated) -> dict[int, str]:
    """Return the distinct tokens of a message, each with a form to show.

    What the sender quotes and signs with is left out: it is somebody else's, or always the same.
    """
    token_names: dict[int, str] = {}
    for token in _tokens(mail, segments, automated):
        token_names.setdefault(hash_token(token), token)
        if len(token_names) >= MOST:
            break
    return token_names


def hash_token(token: str) -> int:
    """Return the number of a token; the same on every machine."""
    digest = hashlib.blake2b(token.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % RANGE


def _tokens(mail: ParsedMail, segments: Segments, automated: Automated) -> Iterator[str]:
    if mail.sender is not None:
        address = mail.sender.email.lower()
        yield f"from:{address}"
        yield f"from:{registrable(address.rpartition('@')[2])}"
        yield from (f"name:{word}" for word in _words(mail.sender.name))
    yield f"kind:{automated.kind}"
    for name in ("list-unsubscribe", "list-id", "precedence", "x-mailer"):
        value = mail.header(name)
        if value:
            yield f"{name}:{' '.join(_words(value)[:3])}" if name == "x-mailer" else name
    if mail.html and not mail.text.strip():
        yield "html without text"
    for attachment in mail.attachments[:10]:
        yield f"attached:{attachment.filename.rpartition('.')[2].lower()[:10]}"
    yield from (f"link:{registrable(link.host)}" for link in list_targets(mail)[:40] if link.host)
    subject = _words(mail.subject)
    yield from (f"subject:{word}" for word in subject)
    body = _words(f"{segments.new}\n{segments.forwarded}")
    yield from subject
    yield from _with_pairs(body)


def _with_pairs(words: list[str]) -> Iterator[str]:
    """Yield each word, and each with the one before it."""
    before = ""
    for word in words:
        yield word
        if before:
            yield f"{before} {word}"
        before = word


def _words(text: str) -> list[str]:
    """Return the words of a text, folded; an ideograph is a word."""
    folded = fold(text[:_CHARACTERS])
    return [word[:_LONGEST] for word in _WORD.findall(folded)]
