"""Absence notes in several sentences without any header: the whole body says it, or none."""

import pytest

from data.records.core.parsed_mail import AutomatedKind
from tasks.mail.automated.absence import is_absence_note
from tests.mail.reading.test_automated import detect

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
    "Beste,\n\nIk ben tot en met 5 december op vakantie en heb geen toegang tot mijn e-mail. "
    "Voor dringende zaken kunt u contact opnemen met Joost Fell via "
    "joost@fell.example.\n\nMet vriendelijke groet,\nAda Fell",
    "Hartelijk dank voor uw bericht. Ik ben momenteel afwezig en vanaf maandag 7 december "
    "weer bereikbaar. Uw e-mail wordt niet doorgestuurd. Bij spoed belt u 020 555 12 12.",
    "Goedemorgen,\n\nWegens ouderschapsverlof ben ik afwezig tot 12/12. Na mijn terugkomst "
    "zal ik uw bericht zo snel mogelijk beantwoorden. In dringende gevallen kunt u mijn "
    "collega Joost Fell bereiken op 06 55512123.",
    "Olá,\n\nEstou de férias até 5 de dezembro e não terei acesso ao e-mail. Em caso de "
    "urgência, por favor contacte Rui Fell através de "
    "rui@fell.example.\n\nCumprimentos,\nAda Fell",
    "Prezado cliente,\n\nAgradeço a sua mensagem. Estarei fora do escritório até "
    "segunda-feira, 7 de dezembro. Responderei à sua mensagem assim que possível após o meu "
    "regresso. Para assuntos urgentes, ligue para 21 555 12 12.\n\nAtenciosamente,\nAda",
    "Obrigado pelo seu contato. Encontro-me ausente de 1 a 5 de dezembro. As mensagens não "
    "serão lidas nem encaminhadas durante este período. Se for urgente, entre em contato com "
    "Rui Fell.",
    "Dzień dobry,\n\njestem na urlopie do 5 grudnia i nie mam dostępu do poczty. W pilnych "
    "sprawach proszę o kontakt z Janem Fell: jan@fell.example.\n\nPozdrawiam\nAda Fell",
    "Dziękuję za wiadomość. Do 7 grudnia jestem nieobecna w biurze. Na Państwa wiadomość "
    "odpowiem po powrocie. W sprawach pilnych proszę dzwonić pod numer 22 555 12 12.\n\nZ "
    "poważaniem\nAda Fell",
    "Szanowni Państwo, przebywam poza biurem do piątku 4 grudnia z ograniczonym dostępem do "
    "internetu. Wiadomości nie będą przekazywane. Zastępuje mnie Jan Fell, tel. 22 555 12 "
    "12.",
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
    "Ik ben tot 5 december op vakantie. Voor dringende zaken belt u mijn man. De levering "
    "graag pas daarna.",
    "Ik ben tot 5 december op vakantie en heb dringend een antwoord nodig.",
    "Ik ben vanaf maandag met verlof. Beantwoord mijn vraag graag voor die tijd.",
    "Ik ben niet op kantoor en heb geen toegang tot mijn account. Het is dringend.",
    "Ik ben op vakantie. Reageer zo snel mogelijk op dit bericht.",
    "Ik ben tot 5 december op vakantie. Bij spoed kunt u mij bellen. Annuleer Bestelling "
    "4711",
    "Estou de férias até 5 de dezembro. Em caso de urgência ligue para o meu marido. A "
    "entrega tem de esperar.",
    "Estou de férias a partir de segunda-feira. Responda por favor antes, é urgente.",
    "Estou fora do escritório e não tenho acesso à fatura. É urgente.",
    "Estou de férias até 5 de dezembro. Preciso de uma resposta até amanhã.",
    "Estarei ausente a partir de 5 de dezembro. Agradeço a sua resposta o mais rapidamente "
    "possível.",
    "Estou de férias até 5 de dezembro. Para mim é urgente. Obrigado.",
    "Jestem na urlopie do 5 grudnia. W pilnych sprawach proszę dzwonić do męża. Paczkę "
    "proszę wysłać później.",
    "Jestem na urlopie od poniedziałku. Proszę o odpowiedź przed tym dniem.",
    "Jestem na urlopie do 5 grudnia i pilnie czekam na odpowiedź.",
    "Jestem nieobecna w biurze i nie mam dostępu do konta. To pilne.",
    "Jestem na urlopie do 5 grudnia. Proszę o pilny kontakt w sprawie faktury.",
    "Jestem na urlopie. To pilne, proszę o kontakt telefoniczny.",
    "Jestem na urlopie do 5 grudnia. Kiedy mogę liczyć na odpowiedź",
    "Ik ben op vakantie tot 5 december. Ik wacht op antwoord.",
    "Ik ben tot 5 december op vakantie. Neem daarna contact met mij op over mijn dringende "
    "bestelling.",
    "I am out of the office until 5 December. I have limited access to my email. Leave it at "
    "the door.",
    "I am on holiday until 5 December. For urgent matters call me. I want an answer.",
    "Ik ben op vakantie in het buitenland en het is dringend. Bedankt.",
    "Estou em férias e é urgente. Obrigado.",
    "Jestem w delegacji i to pilne. Dziękuję.",
    "Od poniedziałku jestem na urlopie i nie mam dostępu do poczty. Proszę o kontakt do "
    "piątku.",
    "Jestem na urlopie do 5 grudnia. Proszę o kontakt w pilnej sprawie.",
    "Vanaf maandag ben ik op vakantie en heb ik geen toegang tot e-mail. Neem contact op "
    "voor vrijdag.",
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
