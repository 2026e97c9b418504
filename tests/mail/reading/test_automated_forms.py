"""Mail that a website sends for a person is neither dropped nor answered by itself."""

import pytest

from data.records.core.parsed_mail import AutomatedKind
from tests.mail.reading.test_automated import OWN, detect

PAGES = [
    ("Name: Mara Heron\nEmail: mara@heron.example\nMessage: Do you mend looms?", "en"),
    ("Vorname: Mara\nE-Mail-Adresse: mara@heron.example\nNachricht:\nReparieren Sie das?", "de"),
    ("Nom : Mara Heron\nCourriel : mara@heron.example\nMessage : Réparez-vous ?", "fr"),
    ("Nombre: Mara\nCorreo electrónico: mara@heron.example\nMensaje: ¿Reparan?", "es"),
    ("Nome: Mara\nIndirizzo email: mara@heron.example\nMessaggio: Riparate telai?", "it"),
    ("Nome: Mara\nSeu e-mail: mara@heron.example\nMensagem: Consertam teares?", "pt"),
    ("Naam: Mara\nE-mailadres: mara@heron.example\nBericht: Repareert u?", "nl"),
    ("Imię: Mara\nAdres e-mail: mara@heron.example\nWiadomość: Czy naprawiacie?", "pl"),
    ("From: Mara Heron <mara@heron.example>\nSubject: Looms\n\nMessage Body:\nDo you mend "
     "looms?\n\n--\nThis e-mail was sent from a contact form on Fell Looms", "address by name"),
    ("De : Mara Heron (mara@heron.example)\nObjet : Métiers"
     "\n\nMessage :\nRéparez-vous ?", "French address by name"),
    ("Name | Mara\nE-mail | mara@heron.example\nComments | Do you mend looms?", "table"),
    ("Name\n\nMara\n\nnothing here", "other"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "case"), PAGES[:-1], ids=[case for _, case in PAGES[:-1]])
@pytest.mark.parametrize("reply_to", ["Reply-To: Mara <mara@heron.example>\n", ""])
@pytest.mark.parametrize("sender", ["wordpress@shop.example", "no-reply@shop.example", OWN[0]])
def test_a_form_is_a_persons_mail(body: str, case: str, reply_to: str, sender: str) -> None:
    """A form names its writer, counts as no machine, and bars sending by itself."""
    del case
    found = detect(reply_to, body, sender=sender, subject="New enquiry")
    assert not found.automated
    assert found.kind is AutomatedKind.NONE
    assert found.form_writer is not None
    assert found.form_writer.email == "mara@heron.example"
    assert found.form_writer.name.startswith("Mara")
    assert any("web form" in bar for bar in found.bars_sending)


def test_a_form_by_a_service_that_sends_for_others_is_one_too() -> None:
    """Headers of sending services and Auto-Submitted do not hide the person behind a form."""
    head = "Auto-Submitted: auto-generated\nFeedback-ID: 1:web\nReply-To: mara@heron.example\n"
    found = detect(head, PAGES[0][0], sender="no-reply@shop.example", subject="Contact form")
    assert not found.automated
    assert found.form_writer is not None


@pytest.mark.parametrize(
    ("head", "body", "sender"),
    [
        ("", "Your parcel is on its way.\nOrder: 12\n", "no-reply@shop.example"),
        ("Reply-To: reply+abc@git.example\n", "Ada commented.", "notifications@git.example"),
        ("List-Id: <news.x.example>\n", PAGES[0][0], "no-reply@shop.example"),
        ("Auto-Submitted: auto-replied\n", PAGES[0][0], "no-reply@shop.example"),
        ("", PAGES[-1][0], "no-reply@shop.example"),
        ("X-Loop: ours\nReply-To: mara@heron.example\n", PAGES[0][0], OWN[0]),
    ],
)  # fmt: skip
def test_what_is_no_form(head: str, body: str, sender: str) -> None:
    """Notifications, lists, automatic answers and our own mail stay what they are."""
    found = detect(head, body, sender=sender, subject="News")
    assert found.automated
    assert found.form_writer is None


def test_a_person_who_quotes_fields_is_answered_as_usual() -> None:
    """Field labels in a person's own mail make no form of it."""
    found = detect(body=PAGES[0][0])
    assert not found.automated
    assert found.form_writer is None
    assert found.bars_sending == ()


def test_two_addresses_in_reply_to_name_nobody() -> None:
    """A form with several Reply-To addresses has no clear writer and stays a notification."""
    head = "Reply-To: mara@heron.example, eve@crow.example\n"
    assert detect(head, PAGES[0][0], sender="no-reply@shop.example").automated


@pytest.mark.parametrize(
    "head",
    [
        "Reply-To: Mara <mara@heron.example>\n",
        "Reply-To: mara@heron.example\nList-Unsubscribe: <https://u.example/1>\nX-SG-EID: k\n",
        "X-Original-From: Mara <mara@heron.example>\nPrecedence: list\n"
        "List-Id: <desk.postern.example>\n",
        "X-Original-Sender: mara@heron.example\n",
    ],
)
def test_what_comes_from_our_own_address_for_somebody_is_that_persons(head: str) -> None:
    """Without a single field: Reply-To, or whom our group has replaced, is the writer."""
    found = detect(head, "When are you open?", sender=f"'Mara' via Desk <{OWN[0]}>")
    assert not found.automated
    assert found.form_writer is not None
    assert found.form_writer.email == "mara@heron.example"


def test_our_own_mail_for_nobody_else_is_ours_still() -> None:
    """From us with our own Reply-To, or without any, and no form's fields: we wrote it."""
    for head in ("", f"Reply-To: {OWN[0]}\n", f"X-Original-From: {OWN[0]}\n"):
        assert detect(head, "When are you open?", sender=OWN[0]).kind is AutomatedKind.OWN


def test_a_form_that_asks_for_no_address_is_a_persons_all_the_same() -> None:
    """Somebody left a telephone number: not a machine's, and nobody whom a reply could go to."""
    body = "Name: Mara Heron\nPhone: 0123 4567\nMessage: Please call me about my loom."
    for sender in (OWN[0], "wordpress@shop.example"):
        found = detect(body=body, sender=sender, subject="New enquiry")
        assert not found.automated
        assert found.form_writer is None
        assert any("no address" in bar for bar in found.bars_sending)


@pytest.mark.parametrize(
    "subject",
    [
        "New message from the website",
        "Contact form",
        "Nachricht von der Website",
        "Message du site",
    ],
)
def test_a_form_of_our_own_that_labels_nothing_is_a_persons(subject: str) -> None:
    """Its subject is a form's, and it answers nothing: somebody wrote on the site."""
    body = "Mara Heron wrote on the website:\n\nHello, do you mend looms?"
    found = detect("", body, sender=OWN[0], subject=subject)
    assert not found.automated
    assert any("names no address" in bar for bar in found.bars_sending)
    answer = detect("Auto-Submitted: auto-replied\n", body, sender=OWN[0], subject=subject)
    assert answer.automated


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("First name | Mara\nLast name | Heron\nYour e-mail | m@heron.example", "Mara Heron"),
        ("Nachname*: Heron\nVorname*: Mara\nE-Mail (Pflichtfeld): m@heron.example", "Mara Heron"),
        ("Prénom : Mara\nNom : Heron\nVotre courriel : m@heron.example", "Mara Heron"),
        ("Nombre: Mara\nApellidos: Heron Mills\nTu correo: m@heron.example", "Mara Heron Mills"),
        ("Nom : Mara Heron\nCourriel : m@heron.example", "Mara Heron"),
    ],
)
def test_both_parts_of_a_name_greet_the_writer(body: str, name: str) -> None:
    """In whatever order, with stars and remarks beside the labels."""
    writer = detect(body=body, sender="no-reply@shop.example").form_writer
    assert writer is not None
    assert (writer.name, writer.email) == (name, "m@heron.example")
