"""Which mail a machine wrote, and what a bounce is about (RFC 3834)."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.records.core.envelope import Channel, Envelope
from data.records.core.parsed_mail import Automated, AutomatedKind, ParsedMail
from tasks.core.parse.parsing import parse
from tasks.mail.automated.detecting import detect_automated
from tasks.mail.automated.wording import Wording
from tasks.mail.read import Reading, read

OWN = ("desk@postern.example",)


def envelope(mail_from: str = "ada@x.example", *, bare_eol: bool = False) -> Envelope:
    """Return the envelope of a message to us."""
    return Envelope(
        spool_id="01",
        channel=Channel.SMTP,
        received_at=datetime(2024, 1, 2, tzinfo=UTC),
        mail_from=mail_from,
        rcpt_to=OWN,
        bare_eol=bare_eol,
        size_bytes=1,
        sha256="0",
    )


def detect(
    head: str = "",
    body: str = "Hello",
    *,
    sender: str = "Ada <ada@x.example>",
    subject: str = "Gears",
    to: str = "desk@postern.example",
    via: Envelope | None = None,
    ids: tuple[str, ...] = (),
) -> Automated:
    """Detect on a literal mail."""
    raw = f"From: {sender}\nTo: {to}\nSubject: {subject}\nMessage-ID: <m@x.example>\n{head}\n{body}"
    return detect_automated(
        parse(raw.encode()), via or envelope(), OWN, frozenset(ids), lambda value: value == "ours"
    )


def test_a_person_is_no_machine() -> None:
    """An ordinary mail has no sign."""
    assert detect() == Automated()


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("Auto-Submitted: auto-replied\n", AutomatedKind.OUT_OF_OFFICE),
        ("Auto-Submitted: auto-generated\n", AutomatedKind.NOTIFICATION),
        ("Auto-Submitted: auto-notified; owner-email=a@b\n", AutomatedKind.NOTIFICATION),
        ("Precedence: auto_reply\n", AutomatedKind.OUT_OF_OFFICE),
        ("X-Autoreply: yes\n", AutomatedKind.OUT_OF_OFFICE),
        ("X-Autorespond:\n", AutomatedKind.OUT_OF_OFFICE),
        ("X-Autoresponder: vacation\n", AutomatedKind.OUT_OF_OFFICE),
        ("Delivered-To: Autoresponder\n", AutomatedKind.OUT_OF_OFFICE),
        ("Preference: auto_reply\n", AutomatedKind.OUT_OF_OFFICE),
        ("Return-Path: <>\n", AutomatedKind.NOTIFICATION),
        ("X-Failed-Recipients: bob@y.example\n", AutomatedKind.BOUNCE),
        ("X-Loop: ours\n", AutomatedKind.OWN),
        ("Received: from a by b\n" * 101, AutomatedKind.NOTIFICATION),
        (
            "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n",
            AutomatedKind.BOUNCE,
        ),
        (
            "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n",
            AutomatedKind.RECEIPT,
        ),
        (
            "Content-Type: multipart/report; report-type=feedback-report; boundary=b\n",
            AutomatedKind.COMPLAINT,
        ),
    ],
)
def test_headers_of_machines(head: str, kind: AutomatedKind) -> None:
    """Each header that machines write makes a message automated, with a reason."""
    found = detect(head)
    assert found.automated
    assert found.kind is kind
    assert found.reasons


@pytest.mark.parametrize(
    "head",
    [
        "Auto-Submitted: no\n",
        "Precedence: normal\n",
        "X-Auto-Response-Suppress: None\n",
        "X-Loop: theirs\n",
        "X-Autoreply: no\n",
        "Return-Path: <ada@x.example>\n",
        "In-Reply-To: <ours@postern.example>\n",
        "Received: from a by b\n" * 100,
    ],
)
def test_headers_of_people(head: str) -> None:
    """Headers that say nothing about machines do not count."""
    assert not detect(head, ids=("<ours@postern.example>",)).automated


@pytest.mark.parametrize(
    ("local", "kind"),
    [
        ("MAILER-DAEMON", AutomatedKind.BOUNCE),
        ("postmaster", AutomatedKind.NOTIFICATION),
        ("bugs-daemon", AutomatedKind.NOTIFICATION),
        ("noreply", AutomatedKind.NOTIFICATION),
        ("No-Reply", AutomatedKind.NOTIFICATION),
        ("do-not-reply", AutomatedKind.NOTIFICATION),
        ("noreply-invoices", AutomatedKind.NOTIFICATION),
        ("shop-noreply", AutomatedKind.NOTIFICATION),
        ("gears-request", AutomatedKind.MAILING_LIST),
        ("gears-bounces", AutomatedKind.MAILING_LIST),
        ("owner-gears", AutomatedKind.MAILING_LIST),
    ],
)
def test_local_parts_of_machines(local: str, kind: AutomatedKind) -> None:
    """A machine is known by its address, in From and in the reverse-path."""
    assert detect(sender=f"{local}@x.example").kind is kind
    if kind is not AutomatedKind.MAILING_LIST:  # whose reverse-path stands on people's mail too
        assert detect(via=envelope(f"{local}@x.example")).kind is kind


@pytest.mark.parametrize("local", ["ada", "ownership", "request", "norepl", "bouncer", "replyann"])
def test_local_parts_of_people(local: str) -> None:
    """Names that only resemble a machine's are people's."""
    assert not detect(sender=f"{local}@x.example", via=envelope(f"{local}@x.example")).automated


def test_null_reverse_path_is_a_machine() -> None:
    """Nobody answers the null sender; whether it is a bounce the text tells."""
    assert detect(via=envelope("")).kind is AutomatedKind.NOTIFICATION
    text = "The message could not be delivered to <bob@y.example>: 550 5.1.1 no such user"
    found = detect(body=text, via=envelope(""))
    assert found.kind is AutomatedKind.BOUNCE
    assert found.failed_recipient == "bob@y.example"
    assert found.status_code == "5.1.1"


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: Gears",
        "Out of Office: Gears",
        "Abwesenheitsnotiz: Gears",
        "Réponse automatique : Gears",
        "Respuesta automática: Gears",
        "Risposta automatica: Gears",
        "Resposta automática: Gears",
        "Automatisch antwoord: Gears",
        "Odpowiedź automatyczna: Gears",
        "Message d’absence : Gears",
        "Automatická odpověď: Gears",
        "Otomatik yanıt: Gears",
        "Automatikus válasz: Gears",
        "자동 회신: Gears",
        "Αυτόματη απάντηση: Gears",
        "Răspuns automat: Gears",
        "Автоматична відповідь: Gears",
        "自動回覆: Gears",
    ],
)
def test_subjects_of_absence(subject: str) -> None:
    """An absence notice is known by its subject in an answer; replies to one, and it alone, not."""
    answer = "In-Reply-To: <ours@postern.example>\n"
    assert detect(answer, subject=subject).kind is AutomatedKind.OUT_OF_OFFICE
    assert not detect(answer, subject=f"Re: {subject}").automated
    alone = detect(subject=subject)
    assert not alone.automated
    assert alone.bars_sending == ("the subject is one that machines write",)


def test_own_mail_is_own() -> None:
    """Our address, our Message-ID or our token mean that we wrote it."""
    assert detect(sender="Desk <DESK@postern.example>").kind is AutomatedKind.OWN
    assert detect(ids=("<m@x.example>",)).kind is AutomatedKind.OWN
    assert detect("X-Loop: ours\n", sender="mailer-daemon@x.example").kind is AutomatedKind.OWN


def test_doubtful_mail_of_people_only_bars_sending() -> None:
    """A blind copy, bare line ends and two From headers bar sending and are not automated."""
    blind = detect(to="others@y.example")
    assert not blind.automated
    assert blind.bars_sending == ("our address is neither in To nor in Cc",)
    assert detect(via=envelope(bare_eol=True)).bars_sending == ("bare CR or LF on the wire",)
    double = detect("From: eve@y.example\n")
    assert not double.automated
    assert double.bars_sending == ("From is not exactly one address",)


def test_plus_tag_is_our_address_still() -> None:
    """A tagged address of ours in To counts as ours."""
    assert detect(to="desk+gears@postern.example").bars_sending == ()


REPORT = """\
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b

This is the mail system. Your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.y.example

Final-Recipient: rfc822; late@y.example
Action: delayed
Status: 4.4.1

Original-Recipient: rfc822;bob@y.example
Final-Recipient: rfc822;
 bob@inner.y.example
Action: failed
Status: 5.1.1 (no such user)
Diagnostic-Code: smtp; 550 5.7.1 no

--b
Content-Type: text/rfc822-headers

From: desk@postern.example
To: bob@y.example
--b--
"""


def test_delivery_report_names_recipient_and_status() -> None:
    """Of a report the first failed recipient counts, not a delayed one (RFC 3464)."""
    head, _, body = REPORT.partition("\n\n")
    found = detect(head + "\n", body, sender="MAILER-DAEMON@y.example", via=envelope(""))
    assert found.kind is AutomatedKind.BOUNCE
    assert found.failed_recipient == "bob@inner.y.example"
    assert found.status_code == "5.1.1"


@pytest.mark.parametrize(
    ("body", "recipient", "status"),
    [
        (
            "I wasn't able to deliver.\n\n<bob@y.example>:\n550 5.1.1 unknown\n",
            "bob@y.example",
            "5.1.1",
        ),
        (
            "The following address failed:\n\n  bob@y.example\n    user unknown\n",
            "bob@y.example",
            "5.1.1",
        ),
        ("<bob@y.example>: host mx said: 452 4.2.2 over quota", "bob@y.example", "4.2.2"),
        ("Could not be delivered to bob@y.example, reply was 550 no", "bob@y.example", "5.0.0"),
        ("Something went wrong.", None, None),
    ],
)
def test_free_form_bounces(body: str, recipient: str | None, status: str | None) -> None:
    """Bounces without a report part give what their text says."""
    found = detect(
        body=body,
        sender="MAILER-DAEMON@y.example",
        subject="Mail delivery failed",
        via=envelope(""),
    )
    assert found.kind is AutomatedKind.BOUNCE
    assert found.failed_recipient == recipient
    assert found.status_code == status


INBOX = Path(__file__).parents[3] / "data" / "samples" / "fieldfare-audio" / "inbox"


def test_what_was_looked_at_when_it_was_read_is_what_is_found() -> None:
    """The reading process looks at the words; with its answer the same is said of who wrote."""
    mails = [file.read_bytes() for file in sorted(INBOX.glob("*.eml"))]
    readings = [Reading.model_validate_json(read(raw)) for raw in mails]
    assert len(readings) > 100
    said = []
    for reading in readings:
        assert reading.wording is not None

        def who(wording: Wording | None, mail: ParsedMail = reading.mail) -> Automated:
            return detect_automated(mail, envelope(), OWN, (), lambda _: False, wording=wording)

        assert who(reading.wording) == who(None)
        said.append(reading.wording)
    assert any(wording.doubt for wording in said)
    assert any(wording.signs or wording.content for wording in said)


def test_words_that_were_looked_at_are_not_looked_at_again() -> None:
    """What the reading process says of them counts, beside what is found now."""
    mail = parse(b"From: Ada <ada@x.example>\nTo: desk@postern.example\nSubject: Gears\n\nHello")
    doubtful = Wording(doubt="it hums like an otter")
    found = detect_automated(mail, envelope(), OWN, (), lambda _: False, wording=doubtful)
    assert found.bars_sending == ("it hums like an otter",)
