"""What machines write in all its forms, and whether any of it would be answered (RFC 3834)."""

from datetime import UTC, datetime

from data.records.core.parsed_mail import Automated
from tasks.mail.compose.recipients import Recipients
from tasks.mail.route.gates import GATES, RouteEvidence
from tasks.mail.route.signals import RouteSignals
from tests.mail.reading.test_automated import detect, envelope

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
NOBODY = Recipients(reason="not asked here")
REPORT = "Content-Type: multipart/report; report-type={}; boundary=b\n"
HEADERS = [
    *("Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated (rule 3)"),
    *("Auto-Submitted: AUTO-NOTIFIED; owner-email=a@b.example", "auto-submitted:\tauto-replied"),
    *("Auto-Submitted: yes", "Precedence: bulk", "Precedence: list", "Precedence: junk"),
    *("Precedence: auto_reply", "X-Auto-Response-Suppress: All", "X-Auto-Response-Suppress: OOF"),
    *("X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply", "X-Autoreply: yes"),
    *("X-Autorespond: vacation", "X-Autoresponder: 1", "Delivered-To: Autoresponder"),
    *("List-Id: Gears <gears.x.example>", "List-Post: NO", "List-Help: <mailto:h@x.example>"),
    *(
        "List-Unsubscribe: <https://x.example/u>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    ),
    *("List-Owner: <mailto:o@x.example>", "List-Archive: <https://x.example/a>"),
    *("Feedback-ID: 1:2:campaign", "X-Loop: ours", "X-Failed-Recipients: bob@y.example"),
    *("Return-Path: <>", "Received: from a by b\n" * 100 + "Received: from a by b"),
    *(REPORT.format("delivery-status").strip(), REPORT.format("feedback-report").strip()),
    REPORT.format("disposition-notification").strip(),
]
SENDERS = [
    *("MAILER-DAEMON@x.example", "mailer-daemon@x.example", "noreply@x.example"),
    *("no-reply@x.example", "no_reply@x.example", "donotreply@x.example", "do-not-reply@x.example"),
    *("bounce@x.example", "bounces+12@x.example", "notifications@x.example", "alerts@x.example"),
    *("newsletter@x.example", "listserv@x.example", "majordomo@x.example"),
    *("gears-request@x.example", "owner-gears@x.example", "gears-bounces@x.example"),
    *("desk@postern.example", "Desk@Postern.Example"),
]
SUBJECTS = [
    *("Out of office", "Automatic reply: Gears", "Auto: Gears", "Abwesenheitsnotiz: Gears"),
    *("Automatische Antwort: Gears", "Réponse automatique : Gears", "Respuesta automática: Gears"),
    *("Risposta automatica: Gears", "Resposta automática: Gears", "Automatisch antwoord: Gears"),
    *("Autosvar: Gears", "Automatyczna odpowiedź: Gears", "Undelivered Mail Returned to Sender"),
    *(
        "Delivery Status Notification (Failure)",
        "Mail delivery failed: returning message to sender",
    ),
]
BODIES = [
    "I am out of the office until Monday.",
    "Ich bin bis zum 4. Mai nicht im Büro.",
    "Je suis absent du bureau jusqu'au 4 mai.",
]
PEOPLE = [
    *("X-Mailer: Loom 3", "Importance: high", "Auto-Submitted: no", "Precedence: first-class"),
    *("X-Auto-Response-Suppress: None", "Reply-To: Ada <ada@x.example>", "X-Priority: 1"),
    *("Received: from a by b\n" * 20 + "Received: from a by b", "Return-Path: <ada@x.example>"),
    *("Organization: Gears", "Disposition-Notification-To: ada@x.example", "Sensitivity: private"),
]


def would_leave(found: Automated) -> bool:
    """Whether the gates about machines and about doubtful forms would let a reply leave by itself.

    The second gets what bars sending among the defects, as the line gives it.
    """
    signals = RouteSignals(now=NOON, recipients=NOBODY, defects=found.bars_sending)
    evidence = RouteEvidence.model_construct(automated=found, signals=signals)
    gates = dict(GATES)
    return all(gates[name](evidence)[0] for name in ("automated", "message_form"))


def machines() -> dict[str, Automated]:
    """Return each case of a machine's mail with what is found."""
    found = {f"header {one}": detect(f"{one}\n") for one in HEADERS}
    found |= {f"from {one}": detect(sender=f"Desk <{one}>") for one in SENDERS}
    found |= {f"subject {one}": detect(subject=one, via=envelope("")) for one in SUBJECTS}
    found |= {f"body {one}": detect(body=one) for one in BODIES}
    return found | {
        "our own Message-ID": detect(ids=("<m@x.example>",)),
        "null sender alone": detect(via=envelope("")),
        "empty sender and a receipt": detect("Auto-Submitted: auto-replied\n", via=envelope("")),
    }


def test_nothing_that_a_machine_wrote_would_be_answered() -> None:
    """Of more than sixty kinds none gets through the gate, by whatever sign it was known."""
    found = machines()
    wrong = [name for name, one in found.items() if would_leave(one)]
    print(f"\nmachines' mail: {len(wrong)} of {len(found)} kinds would be answered by themselves")
    assert len(found) >= 60
    assert wrong == []


def test_what_people_write_is_no_machines_mail() -> None:
    """Headers that people's programs write as well stop nothing."""
    found = {one: detect(f"{one}\n") for one in PEOPLE}
    wrong = [name for name, one in found.items() if not would_leave(one)]
    print(f"\npeople's mail: {len(wrong)} of {len(found)} kinds taken for a machine's")
    assert wrong == []
