from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.records.core.parsed_mail import Address
from data.records.mail.delivery import Outgoing
from tasks.mail.compose.composing import (
    compose_reply,
    hash_for_approval,
    preview_reply,
    prove_composed,
)
from tasks.mail.compose.headers import (
    ComposeError,
    build_thread_ids,
    encode_text,
    format_mailbox,
    is_message_id,
)
from tasks.mail.compose.recipients import Recipients
from tests.mail.mind.examples import NOON, ORGANIZATION, POLICY, RECIPIENTS, SENDER, mail

INTENDED = ["From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "X-Loop"]
MIME = ["MIME-Version", "Content-Type", "Content-Transfer-Encoding"]


def composed(**more: object) -> Outgoing:
    """Return a rendered reply."""
    values: dict[str, Any] = {
        "subject": "Re: A question",
        "body": "Hello Wim,\n\nA single kayak costs 31.50 €.\n",
        "parent": mail(),
        "recipients": RECIPIENTS,
        "organization": ORGANIZATION,
        "policy": POLICY,
        "message_id": "<r1@lantern.example>",
        "date": NOON,
        "quote": False,
        "loop_token": "abc.def",
        "auto": False,
    }
    return compose_reply(**(values | more))


def test_a_reply_reads_back_as_meant() -> None:
    """Another parser sees the recipient, subject, threading and text that were meant."""
    made = composed()
    read = message_from_bytes(made.raw, policy=default)
    assert read["To"] == "wim@tulip.example"
    assert read["From"] == "Lantern Kayaks <paddle@lantern.example>"
    assert read["Subject"] == made.subject == "Re: A question"
    assert read["In-Reply-To"] == read["References"] == "<q1@tulip.example>"
    assert read["X-Loop"] == "abc.def"
    assert read.get_content().replace("\r\n", "\n") == made.body
    assert read.keys() == [*INTENDED, *MIME]
    assert made.rcpt_to == ("wim@tulip.example",)
    assert made.mail_from == "paddle@lantern.example"


def test_the_same_reply_has_the_same_bytes() -> None:
    """Rendering holds no chance and no clock, so every attempt sends identical bytes."""
    assert composed() == composed()


def test_an_automatic_reply_says_so() -> None:
    """What leaves by itself carries the marks that keep other machines silent (RFC 3834)."""
    read = message_from_bytes(composed(auto=True).raw, policy=default)
    assert read["Auto-Submitted"] == "auto-replied"
    assert read["X-Auto-Response-Suppress"] == "All"
    assert "Auto-Submitted" not in message_from_bytes(composed().raw, policy=default)


def test_the_references_are_capped() -> None:
    """Of a long thread the first id and the last twenty remain, ending with the parent."""
    ids = tuple(f"<{n}@tulip.example>" for n in range(50))
    read = message_from_bytes(composed(parent=mail(references=ids)).raw, policy=default)
    kept = read["References"].split()
    assert kept == [
        "<0@tulip.example>",
        *[f"<{n}@tulip.example>" for n in range(31, 50)],
        "<q1@tulip.example>",
    ]


def test_in_reply_to_stands_in_for_references() -> None:
    """A parent without References but with In-Reply-To passes that one on."""
    made = build_thread_ids("<b@x.test>", "<a@x.test>", ())
    assert made == ("<b@x.test>", ("<a@x.test>", "<b@x.test>"))


@pytest.mark.parametrize(
    "parent_id", [None, "<a b@c.test>", "<a@b.test>\r\nBcc: <x@y.test>", "a@b"]
)
def test_no_valid_parent_id_no_threading(parent_id: str | None) -> None:
    """Without a valid id of the parent neither threading header is written."""
    read = message_from_bytes(composed(parent=mail(message_id=parent_id)).raw, policy=default)
    assert "In-Reply-To" not in read
    assert "References" not in read


@pytest.mark.parametrize("text", ["<a@b>", "<a.b+c=d@[1.2.3.4]>", "<" + "a" * 200 + "@b.test>"])
def test_message_ids(text: str) -> None:
    """Ids by the strict grammar are accepted, long ones too, and survive rendering."""
    assert is_message_id(text)
    raw = composed(parent=mail(message_id=text)).raw
    assert message_from_bytes(raw)["In-Reply-To"].strip() == text


@pytest.mark.parametrize(
    "text", ["a@b", "<>", "<@b>", "<a@>", "<a@b", "<a@b>\n", "<a@b c>", "<ä@b>"]
)
def test_malformed_message_ids(text: str) -> None:
    """Anything else is no id."""
    assert not is_message_id(text)
    with pytest.raises(ComposeError, match="Message-ID"):
        composed(message_id=text)


@pytest.mark.parametrize(
    "subject",
    ["a\r\nBcc: eve@evil.test", "a\nb", "a\x00b", "a\u2028b", "a\x85b", "a\x0bb", "\ud800"],
)
def test_control_letters_in_the_subject_are_refused(subject: str) -> None:
    """A subject that could break out of its header is refused, not repaired."""
    with pytest.raises(ComposeError, match="control character"):
        composed(subject=subject)


@pytest.mark.parametrize("name", ["Wärme\r\nBcc: eve@evil.test", "ä\x00", "ä\x85", "ä\u2028"])
def test_control_letters_are_refused_before_they_are_encoded(name: str) -> None:
    """Nobody sees in an encoded word what it holds, so it is refused before."""
    with pytest.raises(ComposeError, match="control character"):
        encode_text("Subject", name)
    with pytest.raises(ComposeError, match="From holds the control character"):
        format_mailbox(name, "desk@heddle.example")


@pytest.mark.parametrize("body", ["a\x00b", "a\rb", "a\x1bb", "a\u2028b", "\udcff"])
def test_control_letters_in_the_body_are_refused(body: str) -> None:
    """A body with NUL, a bare CR or other control letters is refused."""
    with pytest.raises(ComposeError, match="control character"):
        composed(body=body)


@pytest.mark.parametrize(
    "to",
    [
        (),
        ("a@b.test", "c@d.test"),
        ("paddle@lantern.example",),
        ("a@b.test\r\nX: y",),
        ("ü@b.test",),
    ],
)
def test_other_recipients_are_refused(to: tuple[str, ...]) -> None:
    """No recipient, two, our own, a broken one, and one that needs SMTPUTF8 are refused."""
    with pytest.raises(ComposeError):
        composed(recipients=Recipients(to=to, reason="?"))


@pytest.mark.parametrize(
    ("domain", "leaves"),
    [
        ("bücher.test", "xn--bcher-kva.test"),
        ("straße.test", "xn--strae-oqa.test"),  # strasse.test is somebody else
        ("λόγος.test", "xn--oxapnm1c.test"),
        ("xn--strae-oqa.test", "xn--strae-oqa.test"),
        ("Quill.test", "Quill.test"),
    ],
)
def test_a_domain_beyond_ascii_is_written_in_ascii(domain: str, leaves: str) -> None:
    """An internationalized domain leaves in its ASCII form, which names the same domain."""
    made = composed(recipients=Recipients(to=(f"a@{domain}",), reason="?"))
    assert made.rcpt_to == (f"a@{leaves}",)


def test_long_and_foreign_text_survives() -> None:
    """Long lines, dots, tabs and letters of every script come out as they went in."""
    body = "." + "x" * 2000 + "\n.\n..\n\tтекст 語 ü  \n=20 From me\n" + "ß" * 500
    made = composed(body=body, subject="Grüße " + "語" * 60)
    assert made.body == body.rstrip() + "\n"
    assert max(len(line) for line in made.raw.split(b"\r\n")) <= 78
    assert b"\r\n." not in made.raw
    assert message_from_bytes(made.raw, policy=default)["Subject"] == made.subject


def test_quoting_names_the_author_in_the_language() -> None:
    """The quotation stands below, each line marked, under a line in the reply's language."""
    body = composed(quote=True, language="de", quoted_text="Zwei Zeilen\nText\x00\u200b").body
    assert body.endswith("\nAm 2026-03-04 12:00 schrieb Wim Tulip:\n> Zwei Zeilen\n> Text\n")


@pytest.mark.parametrize(
    ("timezone", "when"), [("Europe/Amsterdam", "2026-03-04 13:00"), ("UTC", "2026-03-04 12:00")]
)
def test_quoting_tells_the_time_of_the_organization(timezone: str, when: str) -> None:
    """When somebody wrote is told in the time of who answers, as all of its times are."""
    organization = ORGANIZATION.model_copy(update={"timezone": timezone})
    made = composed(quote=True, quoted_text="Text", organization=organization)
    assert f"On {when}, Wim Tulip wrote:" in made.body


def test_an_automatic_reply_repeats_no_foreign_links() -> None:
    """What a stranger wrote is not passed on by a machine when it holds unlisted links."""
    told = "Look at www.evil.test"
    assert "evil" in composed(quote=True, quoted_text=told).body
    assert "evil" not in composed(quote=True, quoted_text=told, auto=True).body
    assert "> Hi" in composed(quote=True, quoted_text="Hi", auto=True).body


def test_a_hostile_display_name_is_not_repeated() -> None:
    """A display name that is no name is replaced by the address in the attribution."""
    parent = mail(sender=Address(name="visit evil.test", email=SENDER.email))
    assert "wim@tulip.example wrote:" in composed(quote=True, parent=parent).body


def test_the_bounce_tag_marks_the_reverse_path_only() -> None:
    """A tag makes bounces recognizable without showing in From."""
    made = composed(bounce_tag="b-7f")
    assert made.mail_from == "paddle+b-7f@lantern.example"
    assert b"7f" not in made.raw
    with pytest.raises(ComposeError, match="bounce tag"):
        composed(bounce_tag="a@b")


@pytest.mark.parametrize(
    "change",
    [
        (b"To: wim@", b"To: eve@"),
        (b"X-Loop", b"Bcc: eve@evil.test\r\nX-Loop"),
        (b"31.50", b"99.50"),
        (b"Hello", b"Hello\n"),
        (b"Hello", b"Hel\x00lo"),
        (b"A question", b"Another"),
    ],
)
def test_the_proof_catches_any_change(change: tuple[bytes, bytes]) -> None:
    """Bytes that do not read back as meant are refused."""
    made = composed()
    read = message_from_bytes(made.raw)
    headers = [(name, " ".join(value.split())) for name, value in read.items()]
    prove_composed(made.raw, headers, made.subject, made.body)
    with pytest.raises(ComposeError):
        prove_composed(made.raw.replace(*change), headers, made.subject, made.body)


def test_the_preview_shows_what_leaves() -> None:
    """The reviewer sees the true recipient, subject and whole body."""
    made = composed(quote=True)
    assert preview_reply(made) == f"To: wim@tulip.example\nSubject: {made.subject}\n\n{made.body}"


def test_the_approval_hash_covers_every_part() -> None:
    """Another recipient, subject, body or attachment is another approval, however it is cut."""
    hashes = {
        hash_for_approval(["a@b.test"], "s", "b"),
        hash_for_approval(["a@b.test", "c@d.test"], "s", "b"),
        hash_for_approval(["a@b.test"], "sb", ""),
        hash_for_approval(["a@b.test"], "", "sb"),
        hash_for_approval(["a@b.test"], "s", "b", ["f" * 64]),
        hash_for_approval(["a@b.testc@d.test"], "s", "b"),
    }
    assert len(hashes) == 6
    assert hash_for_approval(("a@b.test",), "s", "b") in hashes


@given(text=st.text(max_size=300), subject=st.text(max_size=100))
def test_any_text_leaves_exactly_or_not_at_all(text: str, subject: str) -> None:
    """Whatever a draft holds, the headers are the intended ones and no line end is bare."""
    try:
        made = composed(body=text, subject=subject, auto=True)
    except ComposeError:
        return
    read = message_from_bytes(made.raw)
    assert read.keys() == [
        *INTENDED[:-1],
        "Auto-Submitted",
        "X-Auto-Response-Suppress",
        "X-Loop",
        *MIME,
    ]
    assert read["To"] == SENDER.email
    bare = made.raw.replace(b"\r\n", b"")
    assert not {0, 10, 13} & set(bare)
