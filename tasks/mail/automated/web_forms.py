"""Mail that a website's mailer, or a group of ours, sends for a person.

Its From is a machine's or one of ours, yet somebody waits for an answer: the address in Reply-To,
in the header by which a group keeps whom it has replaced, or in the field of a form that asks for
it. Nobody has proved to own that address, so a reply is always for a person to send.
"""

from collections.abc import Collection

from data.records.core.parsed_mail import Address, ParsedMail
from tasks.core.parse.addresses import read_addresses
from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import lexicon, phrases
from tasks.mail.automated.noreply_senders import writer_behind
from tasks.mail.automated.signs import is_machine
from tasks.mail.automated.travel_marks import group_named

LINES = 120
"""Lines of the body in which fields are looked for."""
FIELDS = 2
"""Kinds of fields that make a form."""

_NOT_LETTERS = compiled(r"\([^)]*\)|[^\pL\pN]")
"""What forms write beside a label, or leave out of it: *E-Mail (required) \\**."""


def _label(written: str) -> str:
    return str(_NOT_LETTERS.sub("", written.casefold()))


_KINDS = {
    _label(str(label)): kind
    for kind, labels in lexicon("forms")["fields"].items()
    for label in labels
}
_GIVEN = frozenset(map(_label, phrases("forms", "given_names")))
_FAMILY = frozenset(map(_label, phrases("forms", "family_names")))
_HEADERS = phrases("forms", "headers")
_LOCALS = phrases("forms", "local_parts")
_MARKS = ("\uff1a", " | ", "=")
"""What stands between a label and its value where no colon does."""
_PARTS = compiled(r"[-_.+]")
_SUBJECTS = tuple(phrases("forms", "subjects"))
_REPLACED = ("x-original-from", "x-original-sender")
"""Headers in which a group keeps the sender whom it has replaced by itself."""
_ANSWERING = frozenset({"x-failed-recipients", "x-autoreply"})
"""Headers that only mail of a machine has which answers, or says what was not delivered."""
_KINDS_OF_ANSWER = {
    "precedence": "auto_reply",
    "x-precedence": "auto_reply",
    "auto-submitted": "auto-replied",
    "content-type": "multipart/report",
}
"""Headers that say so with the beginning of their value."""
_ADDRESS = compiled(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")


def form_writer(mail: ParsedMail, own_addresses: Collection[str]) -> Address | None:
    """Return who filled in the form, or wrote through an address that takes no answers.

    None for no such mail, or for one that names nobody. `own_addresses` are ours.
    """
    own = frozenset(address.casefold() for address in own_addresses)
    fields = _form(mail, own)
    if fields is not None:
        return _writer(mail, fields, own)
    writer = writer_behind(mail, own)
    return None if writer is None or answers_or_lists(mail, own) else writer


def is_form(mail: ParsedMail, own_addresses: Collection[str]) -> bool:
    """Return whether a website's mailer sends this for somebody, whoever that is."""
    return _form(mail, frozenset(address.casefold() for address in own_addresses)) is not None


def is_nameless(mail: ParsedMail, own_addresses: Collection[str]) -> bool:
    """Return whether a form of our own site holds what somebody wrote, and no address of his."""
    if mail.reply_to:
        return False
    own = frozenset(address.casefold() for address in own_addresses)
    local, at, _ = mail.sender.email.casefold().rpartition("@") if mail.sender else ("", "", "")
    by_site = _is_mailer(local) or bool(at and mail.sender and mail.sender.email.casefold() in own)
    if not by_site:
        return False
    called = mail.subject.casefold().startswith(_SUBJECTS) and not answers_or_lists(mail, own)
    return called or bool((_form(mail, own) or {}).get("message"))


def _form(mail: ParsedMail, own: frozenset[str]) -> dict[str, str] | None:
    """Return what the fields of a form say, by kind; None for what is no form."""
    if mail.sender is None:
        return None
    local = mail.sender.email.rpartition("@")[0].casefold()
    from_us = mail.sender.email.casefold() in own
    by_form = any(name in _HEADERS for name, _ in mail.headers)
    by_site = from_us or by_form or is_machine(local) or _is_mailer(local)
    if not (by_site or _is_for_another(mail)) or answers_or_lists(mail, own):
        return None
    fields = _fields(mail.text)
    if not by_site and not _repeats_reply_to(mail, fields):
        return None
    if from_us and _named_for(mail, own):
        return fields
    is_contact_form = by_form or mail.subject.casefold().startswith(_SUBJECTS)
    if len(fields) < FIELDS and not (is_contact_form and mail.reply_to):
        return None
    if "email" not in fields and "message" not in fields and not is_contact_form:
        return None
    return fields


def _is_mailer(local: str) -> bool:
    """Return whether websites write from a case-folded local part: `form-submission`.

    A machine's may hold such a word as well: `mailer-daemon`.
    """
    if local in _LOCALS:
        return True
    return not is_machine(local) and not _LOCALS.isdisjoint(_PARTS.split(local))


def _is_for_another(mail: ParsedMail) -> bool:
    """Return whether Reply-To names one address, and another one than From does."""
    if len(mail.reply_to) != 1 or mail.sender is None:
        return False
    return mail.reply_to[0].email.casefold() != mail.sender.email.casefold()


def _repeats_reply_to(mail: ParsedMail, fields: dict[str, str]) -> bool:
    """Return whether a field holds the address of Reply-To, which no From names, and one a text.

    That is a form, whoever's mailer has sent it.
    """
    match = _ADDRESS.search(fields.get("email", ""))
    same = match is not None and match.group(0).casefold() == mail.reply_to[0].email.casefold()
    return same and "message" in fields


def _named_for(mail: ParsedMail, own: frozenset[str]) -> list[Address]:
    """Return whom a mail from an address of ours was sent for, as its headers say."""
    writers = [mailbox for mailbox in mail.reply_to if mailbox.email.casefold() not in own]
    if writers or mail.reply_to:
        return writers
    for header in _REPLACED:
        for value in mail.header_values(header):
            addresses, clear = read_addresses(value.encode("utf-8", "replace"), header, [])
            if clear and len(addresses) == 1 and addresses[0].email.casefold() not in own:
                return list(addresses)
    return []


def answers_or_lists(mail: ParsedMail, own: frozenset[str]) -> bool:
    """Return whether a mail answers, reports on delivery, or went to a list of others'."""
    names = {name for name, _ in mail.headers}
    if not names.isdisjoint(_ANSWERING):
        return True
    for name in _KINDS_OF_ANSWER.keys() & names:
        beginning = _KINDS_OF_ANSWER[name]
        if any(
            value.casefold().strip().startswith(beginning) for value in mail.header_values(name)
        ):
            return True
    listed = not names.isdisjoint(("list-id", "list-post"))
    return bool(mail.reports) or (listed and group_named(mail, own) is None)


def _fields(text: str) -> dict[str, str]:
    """Return what the fields of a form say, by kind; the first of a kind counts."""
    fields: dict[str, str] = {}
    parts: dict[str, str] = {}
    lines = [line.strip(" \t*_|>") for line in text.split("\n")[:LINES]]
    for at, line in enumerate(lines):
        label, mark, value = line.partition(":")
        for other in _MARKS:
            if not mark:
                label, mark, value = line.partition(other)
        kind = _KINDS.get(_label(label))
        if kind is None:
            continue
        if not value.strip(" *_|"):
            value = next((filled_line for filled_line in lines[at + 1 : at + 3] if filled_line), "")
        fields.setdefault(kind, value.strip(" *_|"))
        if kind == "name":
            parts.setdefault(_label(label), value.strip(" *_|"))
    given_name = next((name for label, name in parts.items() if label in _GIVEN), "")
    family_name = next((name for label, name in parts.items() if label in _FAMILY), "")
    if given_name and family_name:
        fields["name"] = f"{given_name} {family_name}"
    return fields


def _writer(mail: ParsedMail, fields: dict[str, str], own: frozenset[str]) -> Address | None:
    """Return the one address in Reply-To, else the one in the field that asks for it."""
    sender = mail.sender.email.casefold() if mail.sender else ""
    if len(mail.reply_to) > 1 or len(mail.header_values("reply-to")) > 1:
        return None
    writers = [
        mailbox for mailbox in mail.reply_to if mailbox.email.casefold() not in {sender, *own}
    ]
    if not writers and sender in own:
        writers = _named_for(mail, own)
    if writers:
        return _with_name(writers[0], fields)
    # Some write the address behind the name: `From: Ada Fell <ada@fell.example>`.
    match = _ADDRESS.search(fields.get("email") or fields.get("name", ""))
    if match is None or match.group(0).casefold() in {sender, *own}:
        return None
    addresses, clear = read_addresses(match.group(0).encode(), "reply-to", [])
    return _with_name(addresses[0], fields) if clear and len(addresses) == 1 else None


def _with_name(address: Address, fields: dict[str, str]) -> Address:
    """Return the address with the name of the form when it has none."""
    name = " ".join(_ADDRESS.sub("", fields.get("name", "")).strip(" <>()[]").split())
    if address.name or not name or "@" in name or len(name) > 80:
        return address
    return address.model_copy(update={"name": name})
