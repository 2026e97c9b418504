"""Absence notes in several sentences without any header: the whole body says it, or none."""

import pytest

from data.records.mail.mail import AutomatedKind
from tasks.automated.absence import is_absence_note
from tests.reading.test_automated import detect

NOTES = [
    "Hello,\n\nI am out of the office until 5 December. I have limited access to my email. For "
    "urgent matters please contact Priya Fell at priya@fell.example.\n\nBest regards,\nAda Fell",
    "Thank you for your email. I am on annual leave until Monday 7 December and will reply when I "
    "return. If your request is urgent, please call 044 555 12 12.\n\nAda",
    "I'm currently out of the office, returning on 5 December. I will not be checking email "
    "during this time. Your message will not be forwarded.",
    "Hi, thanks for your message. I am away until 12/12 with sporadic internet access. I will "
    "respond as soon as possible after my return. In an emergency call Tom Heron on +44 20 7946 "
    "0000.",
    "Guten Tag\n\nIch bin bis zum 5. Dezember im Urlaub. Ihre E-Mail wird nicht "
    "weitergeleitet. In dringenden Fällen wenden Sie sich bitte an Frau Priya Fell "
    "(priya@fell.example).\n\nFreundliche Grüsse\nAda Fell",
    "Vielen Dank für Ihre Nachricht. Ich bin derzeit nicht im Büro und ab dem 7. Dezember "
    "wieder erreichbar. Ihre Nachricht werde ich nach meiner Rückkehr beantworten. Mit "
    "freundlichen Grüßen",
    "Bonjour,\n\nJe suis absente du bureau jusqu'au 5 décembre. Je n'ai pas accès à ma messagerie "
    "pendant cette période. En cas d'urgence, vous pouvez contacter Luc Fell : luc@fell.example."
    "\n\nCordialement,\nAda Fell",
    "I will be out of the office starting 02/08/2026 and will not return until 06/08/2026.\n\nI am "
    "out of the office until Tuesday 6th August. I will reply to messages on my return.",
    "Hola:\n\nEstoy de vacaciones hasta el 5 de diciembre. Durante este período no tendré acceso a "
    "mi correo electrónico. Para asuntos urgentes, contacte con Luz Fell en luz@fell.example.\n\n"
    "Saludos\nAda Fell",
    "Gentile cliente,\n\nsono in ferie fino al 5 dicembre. Durante questo periodo non avrò accesso "
    "alla posta. In caso di urgenza può contattare Luca Fell: luca@fell.example.",
]  # fmt: skip
LETTERS = [
    "I am out of the office until 5 December. For urgent matters contact Priya. Please hold the "
    "parcel until then.",
    "I am out of the office until 5 December. I have limited access to my email. Can you mend the "
    "loom before?",
    "I am on holiday until 5 December, so leave the loom with my neighbour at number twelve. For "
    "urgent matters call me.",
    "I am away until 5 December. I will be back on the 7th.",
    "I am out of the office until 5 December. In urgent cases call Priya.\n\nCANCEL ORDER",
    "I am out of the office until 5 December. In urgent cases call Priya.\n\nCancel Order 4711",
    "I am out of the office until 5 December. I have limited access to my account. The invoice is "
    "wrong.",
    "Ich bin bis zum 5. Dezember im Urlaub. In dringenden Fällen wenden Sie sich an Frau Fell. Die "
    "Lieferung bitte erst danach.",
    "Ich bin bis zum 5. Dezember im Urlaub und brauche dringend eine Antwort. Danke.",
    "Je suis absente jusqu'au 5 décembre. En cas d'urgence appelez mon mari. La livraison doit "
    "attendre.",
    "Estoy de vacaciones hasta el 5 de diciembre. Es urgente. Cancele el pedido.",
    "Ich bin bis 5. Dezember im Urlaub. Ich habe keinen Zugriff auf mein Kundenkonto.",
    "It is urgent. I have no access to my account. Please reply.",
    "I am out of the office and cannot access the invoice. It is urgent, please send it again.",
    "I am on leave and need a reply. It is urgent.",
    "I'm on leave for a week. Please respond to my message as soon as possible.",
    "I am out of the office this week, please call me on my mobile number 0171 5551212 about my "
    "request. It is urgent for me.",
    "I will be on holiday from Monday. Please reply to my email before, it is urgent if you can.",
    "Ich bin ab Montag im Urlaub. Bitte beantworten Sie die Anfrage so schnell wie möglich.",
]  # fmt: skip


@pytest.mark.parametrize("note", NOTES)
def test_a_note_of_several_sentences_is_an_absence(note: str) -> None:
    """Away, and how it goes on meanwhile, and nothing else: no header is needed."""
    assert is_absence_note(note)
    assert detect(body=note, subject="Re: Gears").kind is AutomatedKind.OUT_OF_OFFICE


@pytest.mark.parametrize("letter", LETTERS)
def test_one_sentence_or_word_more_makes_a_case(letter: str) -> None:
    """What is not accounted for may be a wish; it is a person's, and no answer leaves by itself."""
    assert not is_absence_note(letter)
    assert not detect(body=letter).automated
