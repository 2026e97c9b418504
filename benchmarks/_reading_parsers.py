"""The parsers that reading is measured against, each as a function from bytes to same fields."""

import email
import email.policy
import logging
from collections.abc import Callable
from email.utils import getaddresses
from typing import Any

import fast_mail_parser
import mailparser

from tasks.core.parse.parsing import parse
from tasks.mail.read import read_mail

Fields = dict[str, Any]
logging.getLogger("mailparser").setLevel(logging.CRITICAL)


def postern(raw: bytes) -> Fields:
    """Read with this repository."""
    mail = parse(raw)
    return {
        "subject": mail.subject,
        "sender": mail.sender.email if mail.sender else None,
        "sender_name": mail.sender.name if mail.sender else None,
        "to": [one.email for one in mail.to],
        "date": mail.date.isoformat() if mail.date else None,
        "message_id": mail.message_id,
        "text": mail.text,
        "files": [one.filename for one in mail.attachments],
    }


def mail_parser(raw: bytes) -> Fields:
    """Read with mail-parser."""
    mail = mailparser.parse_from_bytes(raw)
    senders = mail.from_ or []
    return {
        "subject": mail.subject,
        "sender": senders[0][1] if len(senders) == 1 else None,
        "sender_name": senders[0][0] if len(senders) == 1 else None,
        "to": [address for _, address in mail.to or []],
        "date": mail.date.isoformat() if mail.date else None,
        "message_id": mail.message_id,
        "text": "\n\n".join(mail.text_plain) or mail.body,
        "files": [one["filename"] for one in mail.attachments],
    }


def standard_library(raw: bytes) -> Fields:
    """Read with `email` and its policy for people."""
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    body = mail.get_body(("plain", "html"))
    senders = mail["from"].addresses if mail["from"] else ()
    moment = mail["date"].datetime if mail["date"] else None
    return {
        "subject": str(mail["subject"] or ""),
        "sender": senders[0].addr_spec if len(senders) == 1 else None,
        "sender_name": senders[0].display_name if len(senders) == 1 else None,
        "to": [one.addr_spec for one in mail["to"].addresses] if mail["to"] else [],
        "date": moment.isoformat() if moment else None,
        "message_id": mail["message-id"],
        "text": body.get_content() if body is not None else "",
        "files": [one.get_filename() for one in mail.iter_attachments()],
    }


def fast(raw: bytes) -> Fields:
    """Read with fast-mail-parser."""
    mail = fast_mail_parser.parse_email(raw)
    ids = [value for name, value in mail.headers.items() if name.lower() == "message-id"]
    return {
        "subject": mail.subject,
        "sender": mail.from_.address if mail.from_ else None,
        "sender_name": mail.from_.display_name if mail.from_ else None,
        "to": [one.address for one in mail.to],
        "date": mail.date_parsed.isoformat() if mail.date_parsed else None,
        "message_id": ids[0][0] if ids else None,
        "text": "\n\n".join(mail.text_plain or mail.text_html),
        "files": [one.filename for one in mail.attachments],
    }


def classic_library(raw: bytes) -> Fields:
    """Read addresses as `email` does without a policy; only for its speed."""
    mail = email.message_from_bytes(raw)
    for part in mail.walk():
        part.get_payload(decode=True)
    return {"to": getaddresses([mail["to"] or ""])}


PARSERS: dict[str, Callable[[bytes], Fields]] = {
    "postern": postern,
    "mail-parser": mail_parser,
    "email (stdlib)": standard_library,
    "fast-mail-parser": fast,
}
"""Those that are asked for the right fields."""
TIMED: dict[str, Callable[[bytes], object]] = {
    "postern, with segments": read_mail,
    "postern": parse,
    "mail-parser": mail_parser,
    "email, default policy": standard_library,
    "email, compat32": classic_library,
    "fast-mail-parser": fast,
}
"""Those that are timed."""
