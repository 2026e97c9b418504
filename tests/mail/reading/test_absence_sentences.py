"""Absence notes by their sentences, in whatever words, and letters of people who are away."""

import pytest

from data.records.core.parsed_mail import AutomatedKind
from tests.mail.reading.test_automated import detect

NOTES = [
    "I'm on parental leave and will be back on 1 March. My colleague Tom Heron "
    "(tom@heron.example) is covering for me.",
    "Thanks for getting in touch! I'm travelling this week with patchy internet. If "
    "it can't wait, ping Tom at tom@heron.example. Otherwise I'll come back to you "
    "on Monday.",
    "Our office is closed from 24 December to 2 January. We will answer your "
    "message when we are back. Happy holidays!",
    "Ich bin in Elternzeit und ab dem 1. März wieder da. Vertreten werde ich von "
    "Tom Heron, tom@heron.example.",
    "Je suis en congé maternité jusqu'au 1er mars. Ma collègue Luce Heron "
    "(luce@heron.example) me remplace.",
    "Nos bureaux sont fermés du 24 décembre au 2 janvier. Nous répondrons à votre "
    "message dès notre retour. Joyeuses fêtes !",
    "Estoy de baja médica hasta nuevo aviso. Mi compañera Luz (luz@heron.example) "
    "atiende mis asuntos.",
    "Siamo chiusi per ferie dal 10 al 25 agosto. Risponderemo alla vostra email al "
    "nostro rientro.",
    "Jag är på semester till och med 5 augusti. Vid brådskande ärenden kontakta Tom "
    "Heron, tom@heron.example.",
    "Jeg er på ferie til og med 5. august. Ved hastesager kan du kontakte Tom på "
    "tom@heron.example.",
    "Jsem na dovolené do 5. srpna. V naléhavých případech kontaktujte kolegu Jana "
    "Herona, jan@heron.example.",
    "Я в отпуске до 5 августа. По срочным вопросам обращайтесь к Ивану Петрову: "
    "ivan@heron.example.",
    "現在、休暇をいただいております。8月5日以降にご返信いたします。お急ぎの場合は田中（tanaka@heron.example）までご連絡ください。",
    "我正在休假，8月5日返回。如有急事，请联系李明 liming@heron.example。",
    "5 Ağustos'a kadar izindeyim. Acil durumlarda tom@heron.example ile iletişime "
    "geçebilirsiniz.",
    "Hello, I am currently on sick leave. Your email is read by my colleague Nora "
    "(nora@moe.example), please contact her directly.",
    "Danke für Ihre Mail. Ich bin bis einschließlich 12.8. im Urlaub. Bei "
    "dringenden Anliegen erreichen Sie Frau Rau unter 030 123456.",
    "Bonjour, je suis en déplacement cette semaine. Je vous répondrai à mon retour "
    "lundi. Cordialement, Paul Roy",
    "Ciao, sono in malattia. Per qualsiasi cosa contatta Gino: gino@moe.example. "
    "Grazie",
    "Hej! Jag är föräldraledig till mars. Kontakta Eva på eva@moe.example. Vänliga "
    "hälsningar, Nils",
    "Jestem na zwolnieniu lekarskim. W sprawach bieżących proszę pisać do Ewy: "
    "ewa@moe.example.",
    "Ik ben ziek thuis. Neem contact op met Piet via piet@moe.example.",
    "Thank you for your message. I am on maternity leave. Please direct your "
    "request to Eva Roy, eva@moe.example, who covers for me.",
    "Buongiorno, i nostri uffici sono chiusi per ferie fino al 25 agosto. "
    "Risponderemo al nostro rientro. Cordiali saluti, Lume",
    "Hej, jeg er på ferie i uge 30. Kontakt Mette på mette@moe.example. Med venlig "
    "hilsen, Ole",
    "Dzień dobry, biuro jest nieczynne do 2 stycznia. Odpowiemy po powrocie. "
    "Wesołych Świąt!",
    "Sehr geehrte Damen und Herren,\n\nich bin derzeit nicht im Haus und kehre am 16.09.2024 "
    "zurück. Ihre "
    "Nachricht wird nicht weitergeleitet. In dringenden Fällen wenden Sie sich bitte an Frau "
    "Rau (rau@heron.example).\n\nMit freundlichen Grüßen\nAda Fell",
    "Hallo,\n\nich bin vom 2.9. bis 13.9. im Urlaub und lese meine E-Mails nicht regelmäßig. Ab "
    "dem "
    "16.9. bin ich wieder für Sie da.\n\nViele Grüße\nAda",
    "Bonjour,\n\nActuellement en congés, je serai de retour le 16 septembre. Je prendrai "
    "connaissance de "
    "votre message à mon retour. En cas d’urgence, merci de contacter Luc Martin au 01 23 45 67 "
    "89.\n\nCordialement\nAda",
    "Buenos días,\n\nen estos momentos me encuentro de vacaciones y no tengo acceso al correo. "
    "Volveré el 16 "
    "de septiembre. Si es urgente, puede escribir a mi compañero Luis Pérez (luis@heron.example)."
    "\n\nUn saludo\nAda",
    "Buongiorno,\n\nsono assente dall’ufficio fino al 13 settembre. Per urgenze può rivolgersi "
    "al collega "
    "Luca Rossi, luca@heron.example.\n\nCordiali saluti\nAda",
    "Beste,\n\nIk ben met vakantie en weer aanwezig op 16 september. Mijn mail wordt niet "
    "gelezen. Voor "
    "spoed kunt u terecht bij Piet de Vries (piet@heron.example).\n\nMet vriendelijke groet\nAda",
    "Θα απουσιάζω από το γραφείο μέχρι τις 13 Σεπτεμβρίου. Για επείγοντα επικοινωνήστε με τον "
    "Νίκο: "
    "nikos@heron.example.",
    "I am on maternity leave until March 2025. Please contact Tom at tom@heron.example.",
    "Hi there, thanks for reaching out. I'm away from my desk until Tuesday the 10th and will "
    "get back to you then. If you need something sooner, my teammate Kim (kim@heron.example) "
    "can help.",
    "Our office is closed for the holidays and will reopen on January 2. We will respond to "
    "your message when we return.",
    "Notre bureau est fermé du 24 décembre au 2 janvier. Nous traiterons votre demande à notre "
    "retour.",
    "Gli uffici resteranno chiusi fino al 7 gennaio. Risponderemo alla riapertura.",
    "Ons kantoor is gesloten van 24 december tot 2 januari. Wij beantwoorden uw bericht na de "
    "feestdagen.",
    "Dziękuję za wiadomość. Obecnie przebywam na zwolnieniu lekarskim. Proszę kierować sprawy "
    "do kim@heron.example.",
]  # fmt: skip
LETTERS = [
    "I'm on holiday until 5 August. Can you hold my parcel until then?",
    "We are closed from 24 December to 2 January, so please deliver the chairs "
    "before that.",
    "Ich bin ab 1. März in Elternzeit und möchte das Abo bis dahin pausieren.",
    "Je suis en congé jusqu'au 3 mars, livrez après cette date s'il vous plaît.",
    "Estoy de vacaciones y la lámpara se ha roto.",
    "My colleague Tom is on leave; please send his invoice to me instead.",
    "Jag är på semester till 5 augusti, kan ni leverera efter det?",
    "Я в отпуске до 5 августа, отправьте заказ позже.",
    "Our office moved. Please use the new address from January: Quay Street 12.",
    "夏休みはいつからですか。8月5日に伺いたいです。",
    "I'm on holiday until 5 May. Please send the parcel when I return.",
    "Ich bin im Urlaub. Bitte rufen Sie mich danach unter 030 123456 an.",
    "Je suis en congé. Merci de livrer chez ma voisine, 06 12 34 56 78.",
    "We are closed on Monday. Please contact our carrier at 030 123456 about the "
    "pallet and send 20 chairs.",
    "My boss is on vacation. He ordered lamp 5521, contact him at boss@moe.example.",
    "Estoy de viaje. El pedido 5521 debe llegar a mi oficina, llamen al 600 123 "
    "456.",
    "Ik ben op vakantie. De bestelling mag naar de buren, bel 06 12345678.",
    "Our shop is closed for renovation; the lamps that you sent are too big. Call "
    "Tom on 030 123456.",
    "I am on sick leave. Nora (nora@moe.example) says the chairs never came.",
    "Wir sind im Urlaub. Der Schlüssel liegt bei Frau Rau, 0170 1234567, sie lässt "
    "den Monteur herein.",
    "Sono in ferie. Il tecnico può entrare con mio fratello, 333 1234567.",
    "Estou de férias. O estafeta pode ligar ao porteiro, 912 345 678.",
    "We are on holiday. Our neighbour takes the parcel, call her on 030 1234567.",
    "Je suis absent demain. Le livreur doit appeler ma femme au 06 12 34 56 78.",
    "Ich bin im Urlaub. Ich schicke die Lampe danach zurück.",
    "Ich bin wieder zurück aus dem Urlaub. Die Lampe ist noch immer dunkel.",
    "Ich bin nicht im Haus. Geben Sie das Paket beim Nachbarn ab, Tel. 030 123456.",
    "I'm on holiday. My husband will be back on Monday, so bring the chairs then.",
    "Sono assente fino a lunedì. Il pacco può restare dal vicino.",
    "Je suis en congé. Merci de contacter mon mari au 06 12 34 56 78 pour la livraison.",
    "Volveré el lunes de vacaciones. La lámpara llegó rota.",
    "I'm away from my desk until Tuesday, can you call me on Wednesday about the lamp?",
    "We are closed until January 2. Please deliver after that.",
    "Ich bin freitags nicht erreichbar, bitte liefern Sie an einem anderen Tag.",
    "Gli uffici resteranno chiusi fino al 7 gennaio, consegnate dopo.",
    "Our office is closed for the holidays. The lamp you sent is broken.",
]  # fmt: skip


@pytest.mark.parametrize("note", NOTES)
def test_a_note_whose_sentences_all_say_so_is_an_absence_note(note: str) -> None:
    """Somebody is away, and another one is to be asked or an answer will come; and courtesies."""
    assert detect(body=note, subject="Re: your order").kind is AutomatedKind.OUT_OF_OFFICE


@pytest.mark.parametrize("letter", LETTERS)
def test_who_is_away_and_wants_something_is_a_person(letter: str) -> None:
    """One sentence about something else, and a person wrote."""
    assert not detect(body=letter, subject="Re: your order").automated
