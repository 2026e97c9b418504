"""Mails that hold a word of their own in each of thirty places."""

import random
from email.message import EmailMessage

FIELDS = (
    "from_name", "from_local", "subject", "to_name", "cc_name", "reply_to_name", "message_id",
    "in_reply_to", "references", "comments", "keywords", "organization", "x_mailer", "received",
    "return_path", "thread_topic", "first_line", "middle", "quoted", "signature", "html_text",
    "html_comment", "html_hidden", "alt", "title", "href", "filename", "attachment",
    "attachment_type", "ics",
)  # fmt: off
assert len(FIELDS) == 30
_LETTERS = "bcdfghjklmnpqrstvwxz"


def words(rng: random.Random) -> dict[str, str]:
    """Return a word for every field that no other mail, and no prompt of ours, holds."""
    return {field: "q" + "".join(rng.choices(_LETTERS, k=11)) for field in FIELDS}


def mail_with(own: dict[str, str], number: int, to: str) -> tuple[str, bytes]:
    """Return the sender and the bytes of a mail that asks for opening hours and holds `own`."""
    sender = f"{own['from_local']}@reed{number}.example"
    message = EmailMessage()
    message["Received"] = f"from {own['received']}.example by mx.teasel.example; {_DATE}"
    message["Return-Path"] = f"<{own['return_path']}@reed{number}.example>"
    message["From"] = f"{own['from_name'].title()} Reed <{sender}>"
    message["To"] = f"{own['to_name']} <{to}>"
    message["Cc"] = f"{own['cc_name']} <cc@reed{number}.example>"
    message["Reply-To"] = f"{own['reply_to_name']} <{sender}>"
    message["Subject"] = f"Opening hours {own['subject']}"
    message["Date"] = _DATE
    message["Message-ID"] = f"<{own['message_id']}@reed{number}.example>"
    message["In-Reply-To"] = f"<{own['in_reply_to']}@reed{number}.example>"
    message["References"] = f"<{own['references']}@reed{number}.example>"
    for name in ("comments", "keywords", "organization", "x_mailer", "thread_topic"):
        message[name.replace("_", "-").title()] = own[name]
    plain = (
        f"When is the workshop open on Monday? {own['first_line']}\n\n"
        f"I would like to come by with my table loom, {own['middle']}.\n\n"
        f"On Sunday somebody wrote:\n> Please bring the frame {own['quoted']}\n\n"
        f"-- \nReed {own['signature']}\n"
    )
    message.set_content(plain)
    message.add_alternative(
        f"<html><body><p>When is the workshop open on Monday? {own['html_text']}</p>"
        f"<p>{own['first_line']}</p><p>I would like to come by, {own['middle']}.</p>"
        f"<blockquote>Please bring the frame {own['quoted']}</blockquote>"
        f"<p>-- <br>Reed {own['signature']}</p>"
        f"<!-- {own['html_comment']} --><p style='display:none'>{own['html_hidden']}</p>"
        f"<img src='cid:1' alt='{own['alt']}' title='{own['title']}'>"
        f"<a href='https://reed{number}.example/{own['href']}'>the loom</a></body></html>",
        subtype="html",
    )
    message.add_attachment(
        f"Notes {own['attachment']}".encode(),
        maintype="application",
        subtype=f"x-{own['attachment_type']}",
        filename=f"{own['filename']}.txt",
    )
    message.add_attachment(
        f"BEGIN:VCALENDAR\nSUMMARY:{own['ics']}\nEND:VCALENDAR".encode(),
        maintype="text",
        subtype="calendar",
    )
    return sender, message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


_DATE = "Mon, 02 Mar 2026 09:59:00 +0000"
