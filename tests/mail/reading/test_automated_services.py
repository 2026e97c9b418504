"""Ticket systems, monitoring programs and services of forms, and people beside them."""

import pytest

from tests.mail.reading.test_automated import detect

RECEIPTS = {
    "it": (
        "[Richiesta ricevuta] Lampada rotta",
        "##- Scrivi la risposta sopra questa riga -##\n\nLa tua richiesta (88123) è stata ricevuta "
        "ed è in fase di revisione.\n\nPer aggiungere altri commenti, rispondi a questa e-mail.",
    ),
    "de": (
        "[Ticket#2026110210000123] Zählerstand",
        "Vielen Dank für Ihr Schreiben. Ihre Anfrage wird unter der Ticketnummer 2026110210000123 "
        "bearbeitet.",
    ),
    "nl": (
        "[Aanvraag ontvangen] Stoel",
        "Uw aanvraag (3310) is ontvangen en wordt momenteel bekeken door onze medewerkers.",
    ),
    "pl": (
        "Potwierdzenie zgłoszenia 20261",
        "Potwierdzamy przyjęcie zgłoszenia. Nadaliśmy mu numer 20261. Odpowiemy w ciągu 14 dni.",
    ),
    "en": (
        "Case #00014410: Broken hinge",
        "Thank you for contacting Heron Support. A case has been created for your inquiry and a "
        "representative will contact you within 1 business day.",
    ),
}
PEOPLE = {
    "en": (
        "Re: visit",
        "Thank you for your message regarding ticket #4471. I will be home on Friday.\n\nKim",
    ),
    "de": (
        "Re: [Ticket#4471]",
        "Vielen Dank für Ihre E-Mail. Ich melde mich, sobald ich unter der Ticketnummer 4471 "
        "nachgesehen habe.\n\nUwe",
    ),
    "fr": (
        "Re: 88123",
        "Merci pour votre message. Le colis est arrivé hier, le dossier 88123 peut être fermé.",
    ),
    "pt": ("Re: 3012", "Obrigado pelo seu contacto. O pedido 3012 nunca chegou. Podem reenviar?"),
}
REPORTS = [
    "***** Nagios *****\n\nNotification Type: PROBLEM\n\nHost: web01\nState: CRITICAL\n\n"
    "Date/Time: Mon Nov 2 10:00:01 UTC 2026\n\nCRITICAL - Socket timeout",
    "Problem started at 10:04:12\nProblem name: High CPU load\nHost: db2\nSeverity: High",
]


@pytest.mark.parametrize(("subject", "body"), RECEIPTS.values(), ids=RECEIPTS)
def test_a_ticket_systems_receipt_is_a_machines(subject: str, body: str) -> None:
    """The texts that such systems come with, in the languages of their customers."""
    assert detect(body=body, subject=subject).automated


@pytest.mark.parametrize(("subject", "body"), PEOPLE.values(), ids=PEOPLE)
def test_thanks_and_a_ticket_number_are_no_receipt(subject: str, body: str) -> None:
    """People begin with thanks for a message as well, and name its number."""
    assert not detect("In-Reply-To: <o@postern.example>\n", body, subject=subject).automated


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("program", ["nagios", "zabbix", "monitoring"])
def test_a_monitoring_programs_report_is_a_machines(report: str, program: str) -> None:
    """The Monday of its time stamp is nobody's *my*; a person who writes from there is one."""
    assert detect(body=report, sender=f"{program}@mon.example").automated
    asked = "Hello, our alarm went off at night. Can you tell me whom we should call?\n\nMara"
    assert not detect(body=asked, sender=f"{program}@mon.example").automated


@pytest.mark.parametrize(
    "sender",
    [
        "Squarespace <form-submission@builder.example>",
        "Builder <contact@forms-of-sites.example>",
    ],
)
def test_a_form_that_repeats_reply_to_is_its_writers(sender: str) -> None:
    """Whichever service's mailer sends it: the field and Reply-To name the same address."""
    body = "Name: Uta Kern\nEmail: uta@kern.example\nNachricht: Haben Sie sonntags offen?\n"
    form = detect("Reply-To: uta@kern.example\n", body, sender=sender)
    assert not form.automated
    assert form.form_writer is not None
    assert (form.form_writer.email, form.form_writer.name) == ("uta@kern.example", "Uta Kern")
    assert form.bars_sending


def test_a_card_with_the_address_of_reply_to_is_no_form() -> None:
    """Somebody who answers at work writes from home; nothing of the kind asks for a text."""
    body = "Hi, is the shed for sale?\n\nBen Low\nPhone: 0123 456\nEmail: ben@work.example"
    seen = detect("Reply-To: ben@work.example\n", body, sender="Ben <ben@home.example>")
    assert seen.form_writer is None
    assert not seen.automated


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("Namn: Nils Ek\nE-post: x@form.example\nMeddelande: Har ni öppet?", "Nils Ek"),
        ("Имя: Иван Петров\nПочта: x@form.example\nСообщение: Вы открыты?", "Иван Петров"),
        (
            "お名前：山田花子\nメールアドレス：x@form.example\nお問い合わせ内容：在庫は？",
            "山田花子",
        ),
        ("Ad Soyad: Ali Kaya\nE-posta: x@form.example\nMesaj: Açık mısınız?", "Ali Kaya"),
        ("Jméno: Jan Kos\nE-mail: x@form.example\nZpráva: Máte otevřeno?", "Jan Kos"),
        ("name=Sam Reed\nemail=x@form.example\nmessage=Do you post?", "Sam Reed"),
        (
            "What's your name?\nSam Reed\n\nWhat's your email?\nx@form.example\n\n"
            "How can we help?\nDo you post?",
            "Sam Reed",
        ),
    ],
)
def test_fields_of_forms_in_further_languages_and_shapes(body: str, name: str) -> None:
    """A colon of full width, an equals sign, and questions for labels part them too."""
    form = detect(body=body, sender="Website <wordpress@postern.example>", subject="A question")
    assert form.form_writer is not None
    assert (form.form_writer.email, form.form_writer.name) == ("x@form.example", name)


def test_an_order_with_a_name_and_a_model_is_no_form() -> None:
    """A person's own list bears no address and comes from no website."""
    body = "Hello,\n\nName: Sam Reed\nModel: LX-77\n\nthe switch is broken."
    assert detect(body=body).form_writer is None
