"""The organization's own people by their names; their addresses are for machines."""

from data.records.core.screening import AuthResult
from data.records.mail.views import MessageView
from ui.core.session import organization

_LOCAL_MARKS = ".!#$%&*+-/=?^_`{|}~"
"""Signs that may stand before the @ of a plain address, less the apostrophe that quotes it."""
_SENTENCE = 5
"""Words from which a line is a sentence, and no name with a title."""


def name_of(address: str) -> str:
    """Return the name of the colleague with that address, else the address."""
    return _names().get(address.lower(), address)


def is_colleague(message: MessageView) -> bool:
    """Return whether one of the organization's people wrote a message, and nothing refutes it."""
    checked = message.authentication
    forged = checked is not None and checked.dmarc is AuthResult.FAIL
    sender = message.sender.email.lower() if message.sender else ""
    return sender in _names() and not forged


def with_names(sentence: str) -> str:
    """Return a sentence of the engine with the names of colleagues in place of addresses."""
    for address, name in _names().items():
        sentence = _put_name(sentence, address, name)
    return sentence


def _put_name(sentence: str, address: str, name: str) -> str:
    """Return a sentence with a name in place of an address, where that is no part of another."""
    put, *pieces = sentence.split(address) if address else [sentence]
    for piece in pieces:
        before, after = put[-1:], piece.lstrip(".")[:1]  # a full stop may end the sentence
        longer = before.isalnum() or (before and before in _LOCAL_MARKS)
        longer = longer or after.isalnum() or after in ("-", "@")
        put += f"{address if longer else name}{piece}"
    return put


def named_instead(body: str, assignee: str) -> str:
    """Return the colleague whom a letter names though somebody else has its case; else nothing.

    A name in a line of its own, as in a signature, says of nobody that he has it.
    """
    holder = name_of(assignee)
    if not assignee or holder in body:
        return ""
    lines = [line for line in body.splitlines() if len(line.split()) >= _SENTENCE]
    others = [name for name in _names().values() if name and name != holder]
    return next((name for name in others if any(name in line for line in lines)), "")


def _names() -> dict[str, str]:
    opened = organization()
    return {person.email.lower(): person.name for person in (opened.people if opened else ())}
