"""What machines say in their bodies, and people who write about the same things."""

import pytest

from data.records.core.parsed_mail import AutomatedKind
from tests.mail.reading.test_automated import detect

RECEIPTS = [
    ("Ticket Received - 286614", "Dear customer,\n\nwe have received your request and created "
     "ticket 286614 for it. A member of our team will get back to you within two working days."),
    ("[#4711] Hilfe", "Guten Tag,\n\nwir haben Ihre Anfrage erhalten. Ihre Ticketnummer ist 4711. "
     "Wir melden uns so schnell wie möglich."),
    ("Demande n° 5512", "Bonjour,\n\nnous avons bien reçu votre message. Le numéro de dossier est "
     "le dossier 5512. Nous vous répondrons dans les plus brefs délais."),
    ("Caso 8841", "Hemos recibido su mensaje. Se ha creado el caso 8841. Le responderemos lo antes "
     "posible."),
    ("Richiesta 8841", "Abbiamo ricevuto la tua richiesta. È stato aperto il ticket 8841. Ti "
     "risponderemo il prima possibile."),
    ("Chamado 8841", "Recebemos a sua mensagem. Foi aberto o chamado 8841. Responderemos "
     "em breve."),
    ("Melding 8841", "Wij hebben uw bericht ontvangen onder ticketnummer 8841 en beantwoorden het "
     "zo snel mogelijk."),
    ("Votre demande n° 55213", "Nous avons bien reçu votre demande et l'avons enregistrée sous le "
     "numéro 55213."),
    ("Zgłoszenie 8841", "Otrzymaliśmy Twoje zgłoszenie. Numer zgłoszenia: 8841. Odpowiemy jak "
     "najszybciej."),
]  # fmt: skip
RECEIPTS += [
    ("Request received", "##- Please type your reply above this line -##\n\nYour request (88) has "
     "been received and is being reviewed by our staff."),
    ("Ticket received - looms", "We would like to acknowledge that we have received your request "
     "and a ticket has been created with Ticket ID - 31. Somebody will send a personal response "
     "(usually within 24 hours)."),
    ("Anfrage #88", "Ihre Anfrage (#88) ist bei uns eingegangen. Wir melden uns in Kürze."),
    ("Solicitud recibida", "Hemos recibido su solicitud con el número 88123. Un agente le "
     "contestará en un plazo de 48 horas. No modifique el asunto."),
    ("Ticket", "Abbiamo ricevuto la sua segnalazione n. 99812. Un operatore la contatterà entro "
     "due giorni."),
    ("Demande", "Votre demande (nº88) a été reçue. Un conseiller vous répondra dès que possible "
     "sous la référence de demande #88."),
]  # fmt: skip
PEOPLE = [
    ("Automatic reply does not work on my phone", QUESTION := "It is broken. Can you mend it?"),
    ("Out of office assistant for looms", QUESTION),
    ("Delivery failed", "My parcel did not come. Can you send it again?"),
    ("Undeliverable: my parcel", "The driver says nobody was at home. What now?"),
    ("Ticket received - 12", "You wrote that you have received my ticket 12. When do I hear more?"),
    (
        "Ticket 286614",
        "Thank you, I have your ticket number 286614. My loom hums still, please ring.",
    ),
    (
        "Your ticket 12",
        "We have received your request for a quote, ticket 12, will you send the plans?",
    ),
    ("This is odd", "On your site it says: this is an automated message. It is not, is it?"),
    ("Spam", "Your mail was reported as spam by our filter, did you send it?"),
    (
        "Undeliverable: your desk",
        'My mail came back: "550 mailbox unavailable". Which address do you read?',
    ),
    ("Returned mail", "I wrote to your hire desk and the mail server says user unknown. Why?"),
    ("Out of office next week", "I am out of the office until 14 May. Can you mend it before?"),
    ("Facture", "Nous avons bien reçu votre facture, dossier 5521. Merci de la corriger vite."),
    (
        "Loom",
        "We have received your message about loom number 2231. Cancel it as soon as possible.",
    ),
    ("Loom", "Please do not reply to this address, I am leaving the mill. Cancel loom 12."),
]


@pytest.mark.parametrize(("subject", "body"), RECEIPTS, ids=[one for one, _ in RECEIPTS])
def test_an_acknowledgement_of_a_ticket_system_is_a_machines(subject: str, body: str) -> None:
    """It says what it received, by which number, and that somebody will answer."""
    assert detect(body=body, subject=subject).kind is AutomatedKind.NOTIFICATION


@pytest.mark.parametrize(("subject", "body"), PEOPLE, ids=[one for one, _ in PEOPLE])
def test_people_who_write_of_machines_are_people(subject: str, body: str) -> None:
    """A subject alone, a number alone, or a machine's sentence in a question prove nothing."""
    assert not detect(body=body, subject=subject).automated


@pytest.mark.parametrize(
    ("subject", "body", "kind"),
    [
        ("Automatic reply: Gears", "I am out of the office until Monday.", "out_of_office"),
        ("Abwesend bis 5. Juni", "Ich bin bis zum 5. Juni abwesend.", "out_of_office"),
        ("Undeliverable: Gears", "User unknown: <bob@y.example>", "bounce"),
        ("Your order", "Thanks.\n\nThis is an automated message, do not answer.", "notification"),
        ("Ihr Paket", "Es kommt.\nBitte antworten Sie nicht auf diese Mail.", "notification"),
        ("Order", "It is on its way. This mailbox is not monitored.", "notification"),
        ("Rechnung", "Sie liegt bereit. Diese Mail wurde automatisch erstellt.", "notification"),
        ("Commande", "C'est parti. \nCette boîte n’est pas consultée.", "notification"),
        ("Notification d’échec de remise", "Votre message n’a pas pu être remis. 550", "bounce"),
        ("Order", "Sent. This mailbox is no longer monitored.", "notification"),
        ("Fwd: Gears", "This is an email abuse report for an email message.\n\n> A", "complaint"),
        ("complaint", "Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\n", "complaint"),
    ],
)  # fmt: skip
def test_a_subject_with_its_body_is_a_machines(subject: str, body: str, kind: str) -> None:
    """What the subject says, the body says in the words of a machine too."""
    assert detect(body=body, subject=subject).kind == kind


@pytest.mark.parametrize(
    "body",
    [
        "Frau Rau hat das Unternehmen verlassen. Wenden Sie sich an Tom Heron, tom@heron.example.",
        "Ada Rau no longer works for Heron. Please direct your enquiries to Tom, "
        "tom@heron.example.",
        "Je suis en congé, la lampe est cassée. Contactez Tom (tom@heron.example) pour la "
        "livraison.",
    ],
)
def test_who_tells_whom_to_turn_to_is_answered_by_a_person_only(body: str) -> None:
    """A note for everybody says so, and somebody who tells of a change as well."""
    seen = detect(body=body)
    assert not seen.automated
    assert seen.bars_sending == ("reads like an absence note",)


@pytest.mark.parametrize(
    "body",
    [
        "Hemos recibido su pedido 55120 incompleto. Envíen el resto lo antes posible.",
        "Hemos recibido su mensaje 55120, pero la lámpara sigue rota. Manden a alguien en breve.",
        "Recebemos a sua encomenda 55120 partida. Enviem outra o mais breve possível.",
        "Wir haben Ihre Nachricht erhalten, aber der Auftrag 55120 ist unvollständig. Schicken Sie "
        "den Rest schnellstmöglich.",
        "Wir haben Ihre Anfrage erhalten (Nr. 55120). Wir können zeitnah liefern, wie besprochen.",
    ],
)
def test_who_has_received_something_and_goes_on_about_it_is_a_person(body: str) -> None:
    """A number and haste make no ticket system of somebody whose parcel is broken."""
    seen = detect(body=body, subject="55120")
    assert not seen.automated
    assert seen.bars_sending == ("reads like an acknowledgement",)


ANSWERED = [
    "On Mon, Sep 2, 2024 at 9:00 AM Desk <desk@postern.example> wrote:\n> This is an automated "
    "message. Your order has left us.\n> Please do not reply to this message.",
    "From: Desk <desk@postern.example>\nSent: Monday, September 2, 2024 9:00 AM\nTo: Ada\n"
    "Subject: Your order\n\nThis is an automated message. Your order has left us.",
    "Am 02.09.2024 um 09:00 schrieb Desk:\n> Wir haben Ihre Anfrage erhalten. Ihre Vorgangsnummer "
    "ist 55120.\n> Wir melden uns in Kürze.",
    "Le lun. 2 sept. 2024 à 09:00, Desk <desk@postern.example> a écrit :\n> Ceci est un message "
    "automatique, merci de ne pas répondre.",
    "> This is an email abuse report for an email message received from IP 192.0.2.4",
    "On Mon, Sep 2, 2024 at 9:00 AM Desk <desk@postern.example> wrote:\n> I am out of the office "
    "until 12 September. In urgent cases contact tom@heron.example.",
]


@pytest.mark.parametrize("earlier", ANSWERED)
@pytest.mark.parametrize("subject", ["Re: Your order", "Fwd: Your order"])
def test_who_answers_a_machine_is_none(earlier: str, subject: str) -> None:
    """What our own automatic mail says below an answer says nothing of who has written that."""
    answer = "In-Reply-To: <ours@postern.example>\n" if subject.startswith("Re") else ""
    seen = detect(answer, f"Thanks, cancel it please.\n\nAda\n\n{earlier}", subject=subject)
    assert not seen.automated
    assert seen.bars_sending == ()


def test_who_tells_what_a_machine_has_sent_is_a_person() -> None:
    """It stands below words of his own; a machine's own words stand alone."""
    told = "This is an automated message. Your order has left us."
    assert not detect(body=f"I received this from you:\n\n{told}\n\nI never ordered it.").automated
    assert detect(body=f"Hello Ada,\n\n{told}").automated


@pytest.mark.parametrize(
    "body",
    [
        "This is a system-generated error I get: E55. The loom does not start.",
        "Dies ist eine automatische Spule, die nicht dreht. Ich brauche Ersatz.",
        "Automatisch erstellt Ihr System falsche Rechnungen. Das muss aufhören.",
        "Diese Adresse wird nicht beliefert, sagt Ihr Shop. Wir wohnen in Bonn.",
        "Cette adresse n'est pas livrée, dit votre site. Nous habitons à Lyon.",
        "Esta dirección no se encuentra, dice su web. Vivimos en Madrid.",
        "Questo indirizzo non viene trovato dal sito. Abitiamo a Roma.",
        "Este endereço não é encontrado pelo site. Moramos em Lisboa.",
        "Dit adres wordt niet gevonden door de site. Wij wonen in Gent.",
        "Ta skrzynka nie zamyka się dobrze.",
        "Este buzón no cierra bien.",
        "Ceci est un message automatique que je reçois chaque jour, arrêtez-le.",
    ],
)
def test_an_address_or_a_box_that_does_not_work_is_a_persons_matter(body: str) -> None:
    """Only what is said of a mailbox that nobody reads is a machine's."""
    assert not detect(body=body).automated


@pytest.mark.parametrize(
    "body",
    [
        "Sie liegt bereit. Diese E-Mail-Adresse wird nicht gelesen.",
        "C'est parti. Cette adresse n'est pas consultée.",
        "Enviado. Este buzón no se supervisa.",
        "Spedito. Questo indirizzo non è presidiato.",
        "Enviado. Este endereço não é monitorizado.",
        "Verzonden. Dit adres wordt niet gelezen.",
        "Wysłano. Ta skrzynka nie jest monitorowana.",
        "Verstuurd. Dit is een automatisch bericht.",
    ],
)
def test_a_mailbox_that_nobody_reads_is_a_machines(body: str) -> None:
    """In eight languages."""
    assert detect(body=body).automated


def test_who_acknowledges_in_his_own_name_is_a_person() -> None:
    """*I will*, *our offer is enclosed*: a ticket system has no I and nothing to offer."""
    for body in (
        "Vielen Dank für Ihre Nachricht, Vorgang 55120. Ich habe die Daten im Betreff ergänzt und "
        "melde mich in Kürze.",
        "Nous avons bien reçu votre demande n° 55120. Je vous répondrai, référence de votre "
        "dossier "
        "en main, dans les meilleurs délais.",
        "Vielen Dank für Ihre Anfrage Nr. 55120. Anbei unser Angebot. Bei Rückfragen rufen Sie an.",
    ):
        assert not detect(body=body, subject="55120").automated


def test_what_may_be_an_acknowledgement_never_leaves_by_itself() -> None:
    """Without a number a person's thanks say the same."""
    body = "Thanks for contacting the mill. One of our colleagues will look into this."
    seen = detect(body=body)
    assert not seen.automated
    assert seen.bars_sending == ("reads like an acknowledgement",)


def test_an_answer_marked_by_the_senders_own_program_is_a_machines() -> None:
    """X-Loop with the address of who answers is what filters write; alone it says nothing."""
    answer = "In-Reply-To: <ours@postern.example>\nX-Loop: ada@x.example\n"
    assert detect(answer).kind is AutomatedKind.NOTIFICATION
    assert not detect("X-Loop: ada@x.example\n").automated
    assert not detect("In-Reply-To: <a@b.example>\nX-Loop: list@z.example\n").automated
