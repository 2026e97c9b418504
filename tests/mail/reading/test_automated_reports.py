"""What reports, absence notes, filters and calendars say, and what only resembles them."""

from datetime import date

import pytest

from data.records.core.parsed_mail import AutomatedKind
from tasks.mail.automated.freeform import own_part
from tests.mail.reading.test_automated import REPORT, detect, envelope


def test_every_recipient_of_a_report_is_listed() -> None:
    """All recipients are named with action, status and what the server said; failures first."""
    head, _, body = REPORT.partition("\n\n")
    found = detect(head + "\n", body, sender="MAILER-DAEMON@y.example", via=envelope(""))
    assert [(one.address, one.action, one.status) for one in found.report] == [
        ("bob@inner.y.example", "failed", "5.1.1"),
        ("late@y.example", "delayed", "4.4.1"),
    ]
    assert found.report[0].diagnostic == "550 5.7.1 no"
    assert not found.delayed


FORMS = [
    (
        "Hi. This is the program at mx.y.example.\n\n<bob@y.example>:\nSorry, no mailbox here by "
        "that name. (#5.1.1)\n\n<cy@z.example>:\nRemote host said: 552 over quota\n\n"
        "--- Below this line is a copy of the message.\n\nTo: other@w.example",
        [("bob@y.example", "5.1.1"), ("cy@z.example", "5.2.2")],
    ),
    (
        "A message that you sent could not be delivered to one or more of its recipients.\n\n"
        "  bob@y.example\n    host mx.y.example [192.0.2.1]\n    SMTP error from remote mail "
        "server after RCPT TO:<bob@y.example>:\n    550 5.7.1 rejected\n",
        [("bob@y.example", "5.7.1")],
    ),
    (
        "<bob@y.example> (expanded from <team@y.example>): host mx.y.example[192.0.2.1] said: 550\n"
        "    5.1.1 unknown (in reply to RCPT TO command)\n",
        [("bob@y.example", "5.1.1")],
    ),
    (
        "   ----- The following addresses had permanent fatal errors -----\n<bob@y.example>\n"
        "    (reason: 553 5.3.0 no)\n\n   ----- Transcript of session follows -----\n",
        [("bob@y.example", "5.3.0")],
    ),
    (
        "Your message did not reach some or all of the intended recipients.\n\n"
        "The following recipient(s) cannot be reached:\n\n      bob@y.example on 02/01/2024 10:00\n"
        "            The e-mail account does not exist at the organization.\n",
        [("bob@y.example", "5.1.1")],
    ),
    (
        "Address not found\n\nYour message wasn't delivered to bob@y.example because the address "
        "couldn't be found.\n",
        [("bob@y.example", "5.1.1")],
    ),
    (
        "Your message\n\n  Subject: Gears\n\nwas not delivered to:\n\n  bob@y.example\n\n"
        "because:\n\n  User bob not listed in the directory\n",
        [("bob@y.example", "5.1.1")],
    ),
    (
        "Ihre Nachricht konnte nicht zugestellt werden.\n\nbob@y.example: Postfach ist voll\n",
        [("bob@y.example", "5.2.2")],
    ),
]


@pytest.mark.parametrize(("body", "expected"), FORMS)
def test_free_forms_of_many_servers(body: str, expected: list[tuple[str, str]]) -> None:
    """Recipients and reasons are read from the prose of delivery systems, all of them."""
    found = detect(
        body=body, sender="MAILER-DAEMON@y.example", subject="failure notice", via=envelope("")
    )
    assert [(one.address, one.status) for one in found.report] == expected


def test_a_copy_is_cut_off_where_it_begins() -> None:
    """Letters that are two when they are written in small move no place in the text."""
    note = "Straße, Maß und Größe.\n"
    assert own_part(f"{note}----- Original Message -----\nTo: a@b.example") == note


def test_a_delay_is_no_failure() -> None:
    """A warning that delivery is still being tried says so of every recipient."""
    body = (
        "This is a warning message only. Your message has not yet been delivered to\n\n"
        "<bob@y.example>: connection timed out\n\nWe will keep trying for five days."
    )
    found = detect(body=body, sender="MAILER-DAEMON@y.example", subject="Warning: message delayed")
    assert found.kind is AutomatedKind.BOUNCE
    assert found.delayed
    assert found.report[0].action == "delayed"


@pytest.mark.parametrize(
    "subject",
    ["Delivery failed", "Failed delivery of my loom", "On vacation next week", "Abwesend"],
)
def test_people_write_of_failed_deliveries_and_holidays(subject: str) -> None:
    """Such subjects make no machine of a person; with a sign of a machine they count."""
    assert not detect(subject=subject, body="The parcel came back. What now?").automated
    assert detect("Auto-Submitted: auto-generated\n", subject=subject).automated


@pytest.mark.parametrize(
    ("body", "until"),
    [
        ("I am away until 15 January.", date(2024, 1, 15)),
        ("Back on January 8th, 2024", date(2024, 1, 8)),
        ("Ich bin bis einschließlich 12.01. nicht da.", date(2024, 1, 12)),
        ("Je suis absent jusqu'au 9 janvier 2024.", date(2024, 1, 9)),
        ("Estaré fuera hasta el 5 de febrero.", date(2024, 2, 5)),
        ("Rientro il 10/01/2024", date(2024, 1, 10)),
        ("Estou ausente até 30 de janeiro de 2024.", date(2024, 1, 30)),
        ("Ik ben er niet t/m 17-01-2024.", date(2024, 1, 17)),
        ("Wracam 8 stycznia.", date(2024, 1, 8)),
        ("Away until 05/06/2024.", None),
        ("Away for a while.", None),
    ],
)
def test_until_when_somebody_is_away(body: str, until: date | None) -> None:
    """An absence note's end is read in eight languages; what nobody can tell is left open."""
    head = "Auto-Submitted: auto-replied\nDate: Tue, 2 Jan 2024 10:00:00 +0000\n"
    found = detect(head, body, subject="Automatic reply: Gears")
    assert found.kind is AutomatedKind.OUT_OF_OFFICE
    assert found.away_until == until


def test_an_absence_that_only_the_text_tells_bars_sending() -> None:
    """A person may write so too: it is not called automated, and nothing leaves by itself."""
    found = detect(body="I am out of the office until Monday. Can you call Tuesday?")
    assert not found.automated
    assert found.bars_sending == ("reads like an absence note",)


def test_a_filter_that_asks_for_a_proof_is_a_machine() -> None:
    """A challenge is never answered; somebody who quotes one is a person."""
    body = "Please click to prove that you are human, and your message will be delivered."
    assert detect(body=body).kind is AutomatedKind.CHALLENGE
    assert not detect(body=f"What is this?\n\n> {body}").automated


def test_calendars_answer_and_invite() -> None:
    """A calendar's answer is a machine's; an invitation is a person's and bars sending."""
    part = "Content-Type: text/calendar; method={0}\n", "BEGIN:VCALENDAR\nMETHOD:{0}\nEND:VCALENDAR"
    head = "Content-Type: multipart/mixed; boundary=b\n"
    body = "--b\n\nSee you\n--b\n" + "\n".join(part) + "\n--b--\n"
    assert detect(head, body.format("REPLY")).kind is AutomatedKind.CALENDAR
    invited = detect(head, body.format("REQUEST"))
    assert not invited.automated
    assert invited.bars_sending == ("holds a calendar entry",)


def test_a_complaint_is_known_by_its_report() -> None:
    """A feedback report counts whatever the message calls itself (RFC 5965)."""
    head = "Content-Type: multipart/mixed; boundary=b\n"
    report = "Content-Type: message/feedback-report\n\nFeedback-Type: abuse\n"
    body = f"--b\n\nA complaint.\n--b\n{report}--b--\n"
    assert detect(head, body).kind is AutomatedKind.COMPLAINT
