"""Whose words a body holds: new, quoted, forwarded, signature."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.records.core.parsed_mail import ParsedMail, Segments
from tasks.core.parse.parsing import parse
from tasks.core.segment.segmenting import segment

NEW = "Please send the second gear as well.\nIt is urgent."


def cut(text: str, *, subject: str = "Re: Gears") -> Segments:
    """Cut a body."""
    return segment(ParsedMail(text=text, subject=subject))


def test_text_without_marks_is_all_new() -> None:
    """When nothing is recognized everything is new."""
    assert cut("One line: here.\n\nAnother > line - here.") == Segments(
        new="One line: here.\n\nAnother > line - here."
    )


ATTRIBUTIONS = [
    "On Tue, Jan 2, 2024 at 10:00 AM Ada Lovelace <ada@engine.example> wrote:",
    "On 2 January 2024 10:00:00 CET, Ada <ada@engine.example> wrote:",
    "On Tuesday, 2 January 2024, Ada Lovelace\n<ada@engine.example> wrote:",
    "On Tue, Jan 2, 2024 at 10:00 AM Ada Lovelace <\nada@engine.example>\nwrote:",
    "Am 02.01.2024 um 10:00 schrieb Ada Lovelace:",
    "Am Di., 2. Jan. 2024 um 10:00 Uhr schrieb Ada Lovelace <\nada@engine.example>:",
    "Le mar. 2 janv. 2024 à 10:00, Ada Lovelace <ada@engine.example> a écrit :",
    "Le 02/01/2024 à 10:00, Ada Lovelace a écrit\u00a0:",
    "El mar, 2 ene 2024 a las 10:00, Ada Lovelace (<ada@engine.example>) escribió:",
    "El 2/1/24 a las 10:00, Ada Lovelace escribió:",
    "Il giorno mar 2 gen 2024 alle ore 10:00 Ada Lovelace <ada@engine.example> ha scritto:",
    "Il 02/01/2024 10:00, Ada Lovelace ha scritto:",
    "Em ter., 2 de jan. de 2024 às 10:00, Ada Lovelace <ada@engine.example> escreveu:",
    "Op di 2 jan 2024 om 10:00 schreef Ada Lovelace <ada@engine.example>:",
    "Op 2 jan. 2024 om 10:00 heeft Ada Lovelace <ada@engine.example> het volgende geschreven:",
    "W dniu 02.01.2024 o 10:00, Ada Lovelace pisze:",
    "wt., 2 sty 2024 o 10:00 Ada Lovelace <ada@engine.example> napisał(a):",
    "Den tis 2 jan. 2024 kl 10:00 skrev Ada Lovelace <ada@engine.example>:",
    "2024-01-02 10:00 GMT+01:00 Ada Lovelace <ada@engine.example>:",
    "Ada Lovelace <ada@engine.example> hat am 02.01.2024 10:00 CET geschrieben:",
    "في الثلاثاء، ٢ يناير ٢٠٢٤ في ١٠:٠٠ ص كتب \u202aAda\u202c\u200f "
    "<\u202aada@engine.example\u202c\u200f>:",
    "Ada Lovelace <ada@engine.example> wrote:",
    "Quoting Ada Lovelace <ada@engine.example>:",
    "Ada Lovelace <ada@engine.example> \u4e8e2024\u5e741\u67082\u65e5 10:00\u5199\u9053\uff1a",
]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_answer_above_the_quote(attribution: str) -> None:
    """The attribution and the quote are history, in every language and wrapping."""
    quote = "> The first gear is sent.\n>\n> Ada"
    found = cut(f"{NEW}\n\n{attribution}\n\n{quote}\n")
    assert found.new == NEW
    assert found.quoted == f"{attribution}\n\n{quote}"


@pytest.mark.parametrize("attribution", [one for one in ATTRIBUTIONS if "2024" in one])
def test_quote_without_marks_runs_to_the_end(attribution: str) -> None:
    """After a dated attribution everything is history, though no line is marked."""
    found = cut(f"{NEW}\n\n{attribution}\n\nThe first gear is sent.\n\nAda")
    assert found.new == NEW
    assert found.quoted.endswith("The first gear is sent.\n\nAda")


def test_answers_between_quotes_are_joined() -> None:
    """Inline answers are new, the quoted questions are not."""
    found = cut(
        "On 2 Jan 2024, Ada wrote:\n> Which colour?\nBlue, please.\n\n> How many?\nSeven.\n> Bye\n"
    )
    assert found.new == "Blue, please.\n\nSeven."
    assert found.quoted == "On 2 Jan 2024, Ada wrote:\n> Which colour?\n\n> How many?\n\n> Bye"


def test_answer_below_the_quote() -> None:
    """Bottom posting is new text too."""
    found = cut("On 2 Jan 2024, Ada wrote:\n> Which colour?\n\nBlue, please.\n-- \nBob")
    assert found.new == "Blue, please."
    assert found.signature == "--\nBob"


@pytest.mark.parametrize(
    "block",
    [
        "From: Ada <ada@x.example>\nSent: Tuesday, January 2, 2024 10:00\nTo: Bob\nSubject: Gears",
        "Von: Ada\nGesendet: Dienstag, 2. Januar 2024 10:00\nAn: Bob\nBetreff: Gears",
        "De : Ada\nEnvoyé : mardi 2 janvier 2024 10:00\nÀ : Bob\nObjet : Gears",
        "De: Ada\nEnviado el: martes, 2 de enero de 2024\nPara: Bob\nAsunto: Gears",
        "Da: Ada\nInviato: martedì 2 gennaio 2024\nA: Bob\nOggetto: Gears",
        "De: Ada\nEnviada em: terça-feira, 2 de janeiro\nPara: Bob\nAssunto: Gears",
        "Van: Ada\nVerzonden: dinsdag 2 januari 2024\nAan: Bob\nOnderwerp: Gears",
        "Od: Ada\nWysłano: wtorek, 2 stycznia 2024\nDo: Bob\nTemat: Gears",
        "*From:* Ada\n*Sent:* Tuesday\n*To:* Bob\n*Subject:* Gears",
        "-----Original Message-----\nFrom: Ada\nSent: Tuesday",
        "-----Ursprüngliche Nachricht-----\nVon: Ada",
        "________________________________\nFrom: Ada\nDate: Tue, 2 Jan 2024\nTo: Bob",
    ],
)
def test_header_block_opens_the_history_or_the_forward(block: str) -> None:
    """What follows a header block is history in an answer and passed on in a forward."""
    text = f"{NEW}\n\n{block}\n\nThe first gear is sent.\n"
    answer = cut(text, subject="Re: Gears")
    assert answer.new == NEW
    assert answer.quoted == f"{block}\n\nThe first gear is sent."
    forward = cut(text, subject="Fwd: Gears")
    assert forward.new == NEW
    assert forward.forwarded == f"{block}\n\nThe first gear is sent."


@pytest.mark.parametrize(
    "marker",
    [
        "---------- Forwarded message ---------",
        "-------- Weitergeleitete Nachricht --------",
        "Begin forwarded message:",
        "Anfang der weitergeleiteten Nachricht:",
        "---------- Message transféré ---------",
        "Début du message réexpédié :",
        "---------- Mensaje reenviado ----------",
        "-------- Messaggio Inoltrato --------",
        "---------- Mensagem encaminhada ---------",
        "-------- Doorgestuurd bericht --------",
        "---------- Treść przekazanej wiadomości ---------",
    ],
)
def test_forward_is_kept_whole(marker: str) -> None:
    """A forward marker begins passed-on content, whatever it quotes in turn."""
    passed_on = f"{marker}\nFrom: Cy\nDate: 2 Jan 2024\n\nHello,\n> old\nBye\n--\nCy"
    found = cut(f"FYI, see below.\n\n{passed_on}", subject="Gears")
    assert found.new == "FYI, see below."
    assert found.forwarded == passed_on
    assert found.quoted == ""


def test_forward_without_comment_has_no_new_text() -> None:
    """A bare forward is all forwarded."""
    body = "From: Cy\nSent: Tuesday\nTo: Ada\nSubject: Gears\n\nIt is broken."
    found = cut(body, subject="Gears")
    assert found.new == ""
    assert found.forwarded == body


def test_forward_as_attachment_is_forwarded() -> None:
    """A message enclosed as a part counts as passed on."""
    mail = parse(
        b"From: a@x.example\nSubject: Fwd: x\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\n\nSee enclosed.\n--b\nContent-Type: message/rfc822\n\n"
        b"From: cy@z.example\n\nIt is broken.\n--b--\n"
    )
    found = segment(mail)
    assert found.new == "See enclosed."
    assert found.forwarded == "From: cy@z.example\n\nIt is broken."


@pytest.mark.parametrize(
    "ending",
    [
        "--\nAda Lovelace\nEngine Ltd",
        "Best regards,\nAda Lovelace\nEngine Ltd",
        "Kind regards\n\nAda Lovelace\nEngine Ltd\n+44 20 0000 0000",
        "Mit freundlichen Grüßen\nAda Lovelace\nMaschinen GmbH",
        "Cordialement,\nAda\nTél. 01 55 00 00 00",
        "Saludos cordiales,\nAda\nIngeniera",
        "Cordiali saluti\nAda\nwww.engine.example",
        "Atenciosamente,\nAda\nEngenheira",
        "Met vriendelijke groet,\nAda\nT 010 555 0000",
        "Pozdrawiam\nAda\ntel. 600 555 000",
        "Ada Lovelace\nEngine Ltd\nada@engine.example",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Get Outlook for Android",
        "This email and any attachments are confidential and intended solely for the person to "
        "whom it is addressed.\nIf you are not that person, please delete it and tell the sender.",
        "_______________________________________________\nGears mailing list\nhttps://x.example/gears",
    ],
)
def test_endings_are_signature(ending: str) -> None:
    """Signatures, sign-offs, phone footers, disclaimers and list footers are not new text."""
    found = cut(f"{NEW}\n\n{ending}\n")
    assert found.new == NEW
    assert found.signature == ending


def test_what_a_phone_adds_may_stand_right_below_a_name() -> None:
    """No blank line is needed where the line names a phone."""
    found = cut(f"{NEW}\n\nAda Lovelace\nSent from my mobile")
    assert (found.new, found.signature) == (f"{NEW}\n\nAda Lovelace", "Sent from my mobile")


@pytest.mark.parametrize(
    "closing",
    [
        "Best regards,\nAda",
        "Thanks, Ada",
        "Viele Grüße\nAda",
        "Bises\nAda",
        "Ada",
        "Pozdrawiam\nAda",
    ],
)
def test_a_closing_with_a_bare_name_is_new(closing: str) -> None:
    """Closing words and a name were written by the sender; only a card is a signature."""
    assert cut(f"{NEW}\n\n{closing}") == Segments(new=f"{NEW}\n\n{closing}")
    found = cut(f"{NEW}\n\n{closing}\n\nSent from my iPhone")
    assert found.new == f"{NEW}\n\n{closing}"
    assert found.signature == "Sent from my iPhone"


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for the gear, but it is the wrong one.\nPlease send another.",
        "Thanks",
        "I said thank you.\nRegards the price: it is too high, so please tell me why it rose so "
        "much in one year only.",
        "Two things:\n- a gear\n- a wheel",
        "On 2 January we ordered a gear. It has not come:",
        "From: my side everything is ready.",
        "Sent: three boxes.\nTo: Rome.",
        "Von meinem Konto wurden 30 Euro abgebucht.",
        "Please send it to:\n\nAda Lovelace\nMill Lane 4\n+44 20 0000 0000",
        "On 4 March 2024 at 10:00 the gear broke. We then did the following:",
        "----- IMPORTANT MESSAGE -----\nThe gear is late.",
        "The offer:\n >> Send in your gears\n >> Send in your wheels",
        "Keep this confidential, please.",
        "On Monday, 3 May 2024 at 10:00 your colleague Cy wrote:\nthe gear is sent. Where is it?",
        "Am 03.05.2024 um 10:00 Uhr schrieb mir Ihre Kollegin:\n\nSie kommt am Montag.\n\nWo ist "
        "sie?",
        "Le 3 mai 2024 à 10:00, votre collègue a écrit :\n\nElle arrive lundi.\n\nOù est-elle ?",
        "The parcel was\nsent from my works in Bonn on Monday.\n\nSent from my works again. Did "
        "it come?",
    ],
)
def test_everyday_text_is_not_cut(text: str) -> None:
    """Words that also occur in signatures and headers do not cut a text."""
    assert cut(text) == Segments(new=text)


def test_html_answer_is_cut() -> None:
    """An HTML body with a block quote is cut like a plain one."""
    mail = parse(
        b"From: a@x.example\nSubject: Re: x\nContent-Type: text/html\n\n"
        b"<div>Blue, please.</div><div class=gmail_quote><div>On Tue, 2 Jan 2024 at 10:00, Ada "
        b"wrote:<br></div><blockquote><p>Which colour?</p></blockquote></div>"
    )
    found = segment(mail)
    assert found.new == "Blue, please."
    assert found.quoted == "On Tue, 2 Jan 2024 at 10:00, Ada wrote:\n\n> Which colour?"


LINES = [
    "", "words", "> quoted", ">> deeper", "On 2 Jan 2024, Ada wrote:", "Best regards,", "Ada", "--",
    "From: Ada", "Sent: Tuesday", "To: Bob", "Subject: x", "-----Original Message-----",
    "---------- Forwarded message ---------", "Sent from my iPhone", "________________________",
    "Am 02.01.2024 schrieb Ada:", "mailing list", "<ada@engine.example> wrote:",
    "On Tuesday, 2 Jan",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=30)), max_size=25),
    st.sampled_from(["", "Re: x", "Fwd: x", "x"]),
)
def test_every_filled_line_is_in_exactly_one_segment(lines: list[str], subject: str) -> None:
    """Nothing of a body is lost and nothing is doubled."""
    text = "\n".join(lines)
    found = cut(text, subject=subject)
    together = "\n".join((found.new, found.quoted, found.forwarded, found.signature))
    assert Counter(filled(together)) == Counter(filled(text))


def filled(text: str) -> list[str]:
    """Return the filled lines without white space around them."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def test_labels_with_a_wide_colon_are_headers_too() -> None:
    """A header block of a Chinese or Japanese program begins the history like any other."""
    labels = ("\u53d1\u4ef6\u4eba", "\u53d1\u9001\u65f6\u95f4", "\u4e3b\u9898")
    values = ("Ada", "2024\u5e741\u67082\u65e5 10:00", "Gears")
    pairs = zip(labels, values, strict=True)
    block = "\n".join(f"{label}\uff1a {value}" for label, value in pairs)
    found = cut(f"{NEW}\n\n{block}\n\nThe first gear is sent.")
    assert found.new == NEW
    assert found.quoted.startswith(block)


BANNERS = [
    "[EXTERNAL]",
    "CAUTION: This message came from outside the organisation. Do not click links or open\n"
    "attachments unless you trust the sender.",
    "Warning: external email. Please be careful. Do not open attachments.",
    "You don't often get email from ada@fell.example. Learn why this is important at "
    "https://aka.example/Learn",
    "ACHTUNG: Diese E-Mail kommt von außerhalb der Organisation. Klicken Sie auf keine Links und "
    "öffnen Sie keine Anhänge.",
    "Attention : ce courriel provient de l'extérieur de l'organisation. Ne cliquez sur aucun lien.",
    "Precaución: correo externo. No haga clic en enlaces ni abra archivos adjuntos.",
]


@pytest.mark.parametrize("banner", BANNERS)
@pytest.mark.parametrize("between", ["\n\n", "\n"])
def test_a_banner_of_a_gateway_is_not_the_writers(banner: str, between: str) -> None:
    """It says where the mail came from and warns; whoever writes below it wants nothing by it."""
    parts = cut(f"{banner}{between}When do you grind gears?")
    assert parts.new == "When do you grind gears?"
    assert parts.signature == banner


@pytest.mark.parametrize(
    "text",
    [
        "Caution: the mail from outside had a broken link. Please cancel order 12.",
        "We are from outside the EU, so take care that the attachment of your mail is right.",
        "Attention: the external sender of that message put in the wrong attachment, cancel it.\n"
        "Who does that?",
        "Warning: external email. Do not open attachments. Please stop all deliveries.",
        "From outside of the hall one sees the link. Trust the message.",
    ],
)
def test_what_is_wanted_is_no_banner(text: str) -> None:
    """A sentence that says anything else makes all of it the writer's, and so does a lone one."""
    assert cut(text).new == text
    wanted = text.split("\n")[0].rpartition(". ")[2]
    assert wanted in cut(f"{text}\n\nWhen do you grind gears?").new


@pytest.mark.parametrize(
    "attribution",
    [
        "On Mon, 2 Mar 2026 at 09:00, Fell <desk@fell.example> wrote:",
        "Am Mo., 2. März 2026 um 09:00 Uhr schrieb Fell <desk@fell.example>:",
        "Le lun. 2 mars 2026 à 09:00, Fell <desk@fell.example> a écrit :",
        "El lun, 2 mar 2026 a las 9:00, Fell (<desk@fell.example>) escribió:",
    ],
)
@pytest.mark.parametrize("own", ["Yes, ten gears.", "Ja! Von meinem iPhone gesendet"])
def test_an_answer_and_what_it_answers_in_one_line(own: str, attribution: str) -> None:
    """What drops line ends leaves our own letter behind the reply, and it stays history."""
    parts = cut(f"{own} {attribution} Would you like gears?")
    assert parts.new == own
    assert parts.quoted.endswith("Would you like gears?")


def test_who_tells_what_somebody_wrote_is_heard() -> None:
    """Inside a sentence, or with words of one's own below it, nothing is history."""
    told = "I saw that on 2 March 2026 at 09:00, Ada <ada@x.example> wrote: all is well"
    assert cut(told).new == told
    below = "Odd. On 2 March 2026 at 09:00, Ada <ada@x.example> wrote: all is well\n\nIs it?"
    assert cut(below).new == below


@pytest.mark.parametrize(
    "attribution",
    [
        "On Mon, 3 Nov 2026 at 10:12, Fell wrote:",
        "On Mon, Nov 3, 2026 at 10:12 AM Ida van der Quist wrote:",
        "On 3 November 2026, Ida Quist wrote:",
        "Am 3.11.2026 schrieb Ida:",
        "Am 3.11.26 um 10:12 schrieb Ida Quist:",
        "Am Montag, dem 3. November 2026 schrieb Ida:",
        "Le lun. 3 nov. 2026 à 10:12, Ida a écrit :",
        "El 3 de noviembre de 2026, Ida Quist escribió:",
        "Il giorno lun 3 nov 2026 alle ore 10:12 Ida ha scritto:",
        "Op ma 3 nov 2026 om 10:12 schreef Ida:",
        "Em seg., 3 de nov. de 2026 às 10:12, Ida escreveu:",
        "W dniu 3.11.2026 o 10:12, Ida pisze:",
        "From: Ida Quist Sent: Monday, November 3, 2026 10:12 AM To: Ada Subject: Gears",
        "Von: Ida Quist Gesendet: Montag, 3. November 2026 10:12 An: Ada Betreff: Räder",
        "De : Ida Quist Envoyé : lundi 3 novembre 2026 10:12 À : Ada Objet : Roues",
        "De: Ida Quist Enviado: lunes, 3 de noviembre de 2026 10:12 Para: Ada Asunto: Ruedas",
    ],
)
@pytest.mark.parametrize("between", [" ", "\n"])
def test_an_answered_letter_that_runs_on_behind_a_name_is_history(
    attribution: str, between: str
) -> None:
    """An attribution as programs write it needs no address, behind a reply or on its own line."""
    parts = cut(f"Yes, ten gears.{between}{attribution} We have ten. Do you want them all?")
    if "2026 schrieb" in attribution or "2026, Ida Quist" in attribution:
        parts = cut(f"Yes, ten gears.{between}{attribution} We have ten. Ida")
    assert parts.new == "Yes, ten gears."
    assert parts.quoted.replace("\n", " ").startswith(attribution)


@pytest.mark.parametrize(
    "text",
    [
        "On Monday you wrote that the parcel has left. When does it come?",
        "Thanks. On 3 November 2026 at 10:12 you wrote: The parcel has left. When does it come?",
        "Thanks. On 3 November 2026 Ida wrote: The parcel has left. When does it come?",
        "Thanks. On 3 November Ida wrote: The parcel has left. So where is it?",
        "Thanks. On 3 November 2026, your colleague Ida wrote: It is on its way.",
        "Danke. Am 3.11.2026 um 10:12 schrieb ich: Das Paket fehlt. Wo bleibt es?",
        "Danke. Am 3.11.2026 schrieb mir Ida: Das Paket ist unterwegs.",
        "Bonjour. Le 3 novembre 2026, vous m'avez écrit : Le colis est parti. Quand arrive-t-il ?",
        "Hola. El 3 de noviembre de 2026 me escribió Ida: El paquete ha salido. ¿Cuándo llega?",
        "On Mon, 3 Nov 2026 at 10:12, Ida wrote: The parcel has left. When does it come?",
        "It runs from: Berlin To: Hamburg Date: 3 May 2026. Please book Subject: trip.",
    ],
)
def test_who_says_what_was_written_to_them_is_heard(text: str) -> None:
    """A customer's own sentence about a letter is the customer's, in an answer too."""
    assert cut(text).new == text


def test_a_mail_that_answers_nothing_has_no_answered_letter() -> None:
    """Without a mark of an answer what somebody wrote is told."""
    text = "Hello. On Mon, 3 Nov 2026 at 10:12, Ida wrote: All is well. Is it?"
    assert cut(text, subject="Gears").new == text


def test_a_remark_below_a_card_is_no_sentence_of_the_writer() -> None:
    """A card with a remark of the firm below it is signature as a whole."""
    card = (
        "Best regards\nIda Quist\nHead of Gears\nFell Trading Ltd.\nPhone: +44 20 0000 0000\n"
        "Please consider the environment before printing this email."
    )
    assert cut(f"When do you open?\n\n{card}").new == "When do you open?"
