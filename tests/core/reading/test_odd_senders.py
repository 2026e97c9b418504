"""From and Reply-To that are written oddly, and yet name one mailbox."""

import pytest

from data.records.core.parsed_mail import ParsedMail
from tasks.core.parse.parsing import parse


def read(value: bytes, *, name: bytes = b"From") -> ParsedMail:
    """Read a mail with this From, or another header."""
    other = b"" if name == b"From" else b"From: Ada <ada@fell.example>\n"
    return parse(other + name + b": " + value + b"\nSubject: Gears\n\nhello")


@pytest.mark.parametrize(
    ("value", "name", "email"),
    [
        (b"Quill, Nora <nora@fell.example>", "Quill, Nora", "nora@fell.example"),
        (b"Nora Quill, Dr. med. <nora@fell.example>", "Nora Quill, Dr. med.", "nora@fell.example"),
        (b"Quill, Nora nora@fell.example", "Quill, Nora", "nora@fell.example"),
        (b'"Quill, Nora <nora@fell.example>', "Quill, Nora", "nora@fell.example"),
        (b'Quill, Nora" <nora@fell.example>', "Quill, Nora", "nora@fell.example"),
        (b"Nora Quill <mailto:nora@fell.example>", "Nora Quill", "nora@fell.example"),
        (b"nora@fell.example <mailto:nora@fell.example>", "", "nora@fell.example"),
        (b"Nora Quill <nora@fell.example", "Nora Quill", "nora@fell.example"),
        (b"Nora Quill <<nora@fell.example>>", "Nora Quill", "nora@fell.example"),
        (b"Nora Quill (desk <nora@fell.example>", "Nora Quill desk", "nora@fell.example"),
        (b"<nora@fell.example> Nora Quill", "Nora Quill", "nora@fell.example"),
        (b"'nora@fell.example'", "", "nora@fell.example"),
        (b"O'Dell, Nora <nora.o'dell@fell.example>", "O'Dell, Nora", "nora.o'dell@fell.example"),
        (b"Qu\xe9ll, Nora <nora@fell.example>", "Quéll, Nora", "nora@fell.example"),
        ("Quéll, Nora <nora@fell.example>".encode(), "Quéll, Nora", "nora@fell.example"),
        (b"=?utf-8?q?Qu=C3=A9ll,_Nora?= <nora@fell.example>", "Quéll, Nora", "nora@fell.example"),
        (b"=?utf-8?q?Nora_=3Cnora=40fell=2Eexample=3E?=", "Nora", "nora@fell.example"),
        (b"Nora Quill <nora@fell.example>;", "Nora Quill", "nora@fell.example"),
        (b"Re: Nora Quill <nora@fell.example>", "Re: Nora Quill", "nora@fell.example"),
        (b"nora@fell.example.", "", "nora@fell.example"),
        (b"Nora Quill &lt;nora@fell.example&gt;", "Nora Quill", "nora@fell.example"),
        (b"Quill&nbsp;&amp; Sons &lt;nora@fell.example&gt;", "Quill & Sons", "nora@fell.example"),
        (b"Quill &amp; Sons <nora@fell.example>", "Quill & Sons", "nora@fell.example"),
        ("Nora Quill ＜nora＠fell.example＞".encode(), "Nora Quill", "nora@fell.example"),
        ("Nora Quill <nora＠fell.example>".encode(), "Nora Quill", "nora@fell.example"),
        (b"nora@fell.example, nora@fell.example", "", "nora@fell.example"),
        (b"nora@fell.example, Nora Quill <Nora@fell.example>", "Nora Quill", "Nora@fell.example"),
    ],
)
def test_only_address_of_an_odd_from_is_the_sender(value: bytes, name: str, email: str) -> None:
    """Where exactly one address stands in From, it is the sender, and the oddity is a defect."""
    mail = read(value)
    assert mail.sender is not None
    assert (mail.sender.name, mail.sender.email) == (name, email)
    assert "address in header from is written oddly" in mail.defects


@pytest.mark.parametrize(
    "value",
    [
        b'"ada@fell.example, Nora <nora@fell.example>',
        b"Quill, Nora <nora@fell.example> (ada@fell.example)",
        b"Quill, Nora ada@evil.example@fell.example",
        b"Quill, Nora <nora>",
        b"=?utf-8?q?ada=40fell.example,_?= x <nora@fell.example> <ada@fell.example>",
        b"nora@fell.example, ada@fell.example",
        b"Ada &lt;ada@fell.example&gt;, nora@fell.example",
        b"",
        b"nora@fell.example..quill.example",
    ],
)
def test_two_addresses_or_none_are_no_sender(value: bytes) -> None:
    """Where two addresses stand, or none, or a word that goes on behind one, nobody is."""
    assert read(value).sender is None


@pytest.mark.parametrize(
    "value", [b"Nora Quill <nora@fell.example>", b'"Quill, Nora" <nora@fell.example>']
)
def test_plain_from_has_no_defect(value: bytes) -> None:
    """What is written as RFC 5322 asks is no oddity."""
    assert not [one for one in read(value).defects if "from" in one]


def test_odd_reply_to_is_read_as_well() -> None:
    """An unquoted comma in Reply-To does not make two persons of its name."""
    (reply_to,) = read(b"Quill, Nora <nora@fell.example>", name=b"Reply-To").reply_to
    assert (reply_to.name, reply_to.email) == ("Quill, Nora", "nora@fell.example")


@pytest.mark.parametrize(
    ("value", "pairs"),
    [
        (b"<SMTP:nora@fell.example>", [("", "nora@fell.example")]),
        (b'"Quill, Nora" <smtp:nora@fell.example>', [("Quill, Nora", "nora@fell.example")]),
        (b"Nora [SMTP:nora@fell.example]", [("Nora", "nora@fell.example")]),
        (b"Nora <Smtp: nora@fell.example>", [("Nora", "nora@fell.example")]),
        (b"[mailto:nora@fell.example]", [("", "nora@fell.example")]),
        (b"nora@fell.example [mailto:nora@fell.example]", [("", "nora@fell.example")]),
        (b"RFC822:nora@fell.example", [("", "nora@fell.example")]),
        (
            b"Nora <SMTP:nora@fell.example>, Ada [mailto:ada@fell.example]",
            [("Nora", "nora@fell.example"), ("Ada", "ada@fell.example")],
        ),
        (
            b"Nora <nora@fell.example>; Ada <ada@fell.example>",
            [("Nora", "nora@fell.example"), ("Ada", "ada@fell.example")],
        ),
    ],
)
@pytest.mark.parametrize("header", [b"From", b"To", b"Cc", b"Reply-To"])
def test_forms_of_exchange_and_outlook_are_addresses(
    header: bytes, value: bytes, pairs: list[tuple[str, str]]
) -> None:
    """The kind of an address before it, in any brackets, and semicolons, hide no mailbox."""
    mail = read(value, name=header)
    field = {b"From": mail.senders, b"To": mail.to, b"Cc": mail.cc, b"Reply-To": mail.reply_to}
    assert [(address.name, address.email) for address in field[header]] == pairs
    assert f"address in header {header.decode().lower()} is written oddly" in mail.defects
    if header == b"From":
        assert (mail.sender is not None) is (len(pairs) == 1)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (b"\"'nora@fell.example'\" <nora@fell.example>", ""),
        (b"=?utf-8?q?'nora=40fell.example'?= <nora@fell.example>", ""),
        (b"\"'Nora Quill'\" <nora@fell.example>", "Nora Quill"),
        (b"\"O'Dell, Nora'\" <nora@fell.example>", "O'Dell, Nora'"),
        (b'"ada@fell.example" <nora@fell.example>', "ada@fell.example"),
    ],
)
def test_address_in_apostrophes_is_no_name(value: bytes, name: str) -> None:
    """Outlook writes an address, or a name, in apostrophes; an address is not its own name."""
    mail = read(value)
    assert mail.sender is not None
    assert (mail.sender.name, mail.sender.email) == (name, "nora@fell.example")
