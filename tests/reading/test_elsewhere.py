"""Notices that a message waits elsewhere: a portal's link, an attached page, pieces, pointers."""

from email.message import EmailMessage

import pytest

from tasks.parse.elsewhere import BEHIND_A_LINK, FRAGMENT, IN_A_PAGE, POINTED_TO
from tasks.parse.parsing import parse
from tests.reading.test_automated import detect

LINK = "https://mail.fell.example/s/e?b=fell&m=ABC123"
BEHIND = {
    "button and boilerplate": (
        "New Fell secure email message from Fell Cooperative Bank\n\nOpen Message\n\nTo view the "
        "secure message, click Open Message.\n\nThe secure message expires on Jun 12, 2026 @ 10:00 "
        "PM (GMT).\n\nDo not reply to this notification message; this message was auto-generated "
        "by the sender's security system. To reply to the sender, click Open Message.\n\nIf "
        "clicking Open Message does not work, copy and paste the link below into your Internet "
        f"browser address bar.\n{LINK}\n\nWant to send and receive your secure messages "
        "transparently?\nClick here to learn more."
    ),
    "confidential mode": (
        "ada@fell.example has sent you an email via Fell confidential mode:\n\nOffer for the looms"
        "\n\nThis message was sent on 3 Mar 2026 at 09:12:01 PST\nYou can open it by clicking the "
        f"link below. This link will only work for desk@postern.example.\n\nView the email {LINK}\n"
        "\nConfidential mode gives you more control over the messages that you send. The sender "
        "may have chosen to set an expiry time, disable printing or forwarding or track access to "
        f"this message. Learn more <{LINK}>"
    ),
    "unlock": (
        "Ada Fell has sent you a secure message.\n\nUnlock Message\n\nYou will be asked to verify "
        f"that this address is yours. {LINK}\n\nWhat is this? Fell Seal protects messages so that "
        "only recipients can open them."
    ),
    "web mailer": (
        "Hello,\n\nAda Fell (ada@fell.example) has just sent you a confidential email via Fell "
        f"Mail. Show encrypted email: {LINK}\n\nThis email was automatically generated for sending "
        "the link. Kind regards, your Fell Mail team"
    ),
    "office": (
        "Ada Fell (ada@fell.example) has sent you a protected message.\n\nRead the message "
        f"<{LINK}>\n\nLearn about messages protected by message encryption.\nPrivacy Statement"
    ),
    "German portal": (
        "Guten Tag\n\nAda Fell hat Ihnen eine vertrauliche E-Mail gesendet. Um die Nachricht zu "
        f"lesen, klicken Sie bitte auf den folgenden Link und melden Sie sich an: {LINK}\n\nBei "
        "der ersten Anmeldung müssen Sie sich registrieren. Die Nachricht wird nach 30 Tagen "
        "gelöscht.\n\nFreundliche Grüsse\nFell Bank"
    ),
    "German, kept for you": (
        "Für Sie liegt eine verschlüsselte Nachricht im Webmail-Portal bereit. Sie haben eine "
        "neue verschlüsselte Nachricht erhalten.\nJetzt Nachricht lesen\n"
        f"{LINK}\nHaben Sie Fragen? Unsere Hilfe zeigt Ihnen, wie Sie das Passwort ändern."
    ),
    "French": (
        "Bonjour,\n\nVous avez reçu un message sécurisé de la part de Fell Assurances.\n\nPour "
        f"lire ce message, cliquez sur le lien ci-dessous : {LINK}\n\nCe lien expire dans 15 "
        "jours. Ne répondez pas à ce courriel."
    ),
    "Spanish": (
        "Estimado cliente:\n\nHa recibido un mensaje cifrado de Ada Fell.\n\nHaga clic en el "
        f"siguiente enlace para leer el mensaje e introduzca su contraseña: {LINK}\n\nEl mensaje "
        "caduca dentro de 30 días."
    ),
    "Italian": (
        "Gentile cliente,\n\nha ricevuto un messaggio protetto da Ada Fell.\n\nPer leggere il "
        f"messaggio clicca sul collegamento: {LINK}"
    ),
}  # fmt: skip
PAGES = {
    "attached page": (
        "SecureMessage.html",
        "This is a secure, encrypted message.\n\nDesktop Users:\nOpen the attachment "
        "(SecureMessage.html) and follow the instructions.\n\nMobile Users:\nForward this message "
        "to a desktop computer.\n\nNeed Help?\n\nDisclaimer: This email and its content are "
        "confidential and intended solely for the use of the addressee. Please notify the sender "
        "if you have received this email in error or simply delete it.",
    ),
    "registered envelope": (
        "securedoc_20260302T095900.html",
        "You have received a secure message\n\nRead your secure message by opening the attachment, "
        "securedoc_20260302T095900.html. You will be prompted to open (view) the file or save "
        "(download) it to your computer. For best results, save the file first, then open it in a "
        "Web browser. If you have concerns about the validity of this message, contact the sender "
        "directly.\n\nFirst time users - will need to register after opening the attachment.",
    ),
    "German page": (
        "secure-email.html",
        "Sie haben eine verschlüsselte E-Mail von ada@fell.example erhalten.\n\nBitte öffnen Sie "
        "den Anhang secure-email.html in Ihrem Browser und geben Sie Ihr Passwort ein.",
    ),
    "protected PDF": (
        "message.pdf",
        "You have received an encrypted email from Ada Fell. Open the attached file with the "
        "password that the sender has given you.",
    ),
    "French page": (
        "message.html",
        "Vous avez reçu un courriel chiffré. Ouvrez la pièce jointe dans votre navigateur et "
        "saisissez votre mot de passe.",
    ),
}  # fmt: skip


def notice(body: str, *, page: str = "", html: bool = False) -> bytes:
    """Return a mail that says `body`, with a page attached, or in HTML with its link on a word."""
    message = EmailMessage()
    message["From"], message["To"] = "Ada Fell <ada@fell.example>", "desk@postern.example"
    message["Subject"] = "Offer"
    if html:
        markup = "</p><p>".join(body.replace(LINK, f'<a href="{LINK}">here</a>').split("\n\n"))
        message.set_content(f"<html><body><p>{markup}</p></body></html>", subtype="html")
    else:
        message.set_content(body)
    if page:
        kind = ("application", "pdf") if page.endswith("pdf") else ("text", "html")
        message.add_attachment(
            b"<html>hQEMA0invented</html>", maintype=kind[0], subtype=kind[1], filename=page
        )
    return message.as_bytes()


@pytest.mark.parametrize("html", [False, True], ids=["plain", "HTML"])
@pytest.mark.parametrize("body", BEHIND.values(), ids=BEHIND)
def test_a_protected_message_behind_a_link_is_unreadable(body: str, html: bool) -> None:
    """The notice is no letter; where the letter is, is said."""
    read = parse(notice(body, html=html))
    assert read.sealed == BEHIND_A_LINK
    assert any("cannot be read" in defect for defect in read.defects)


@pytest.mark.parametrize(("page", "body"), PAGES.values(), ids=PAGES)
def test_a_protected_message_in_an_attached_page_is_unreadable(page: str, body: str) -> None:
    """The page is listed, and nobody has read it."""
    read = parse(notice(body, page=page))
    assert (read.sealed, len(read.attachments)) == (IN_A_PAGE, 1)


LETTERS = {
    "cannot open it": "You have sent me a secure message, but I cannot open it: the link "
    f"{LINK} asks for a password. Please send it as a normal mail.",
    "a firm cannot": "Your encrypted email has reached us. We cannot open the attachment, the "
    f"page {LINK} says that the message has expired.",
    "is it yours": f"Is this from you? You have received a secure message. Click the link to read "
    f"the message: {LINK}",
    "asks how": f"Do you offer encrypted mail? On {LINK} it says: you have received a secure "
    "message, click here to open it.",
    "German": "Sie haben uns eine verschlüsselte Nachricht gesendet. Wir können den Anhang nicht "
    f"öffnen, der Link {LINK} ist abgelaufen. Bitte senden Sie die Rechnung noch einmal.",
    "French": "Vous m'avez envoyé un message sécurisé. Je n'arrive pas à l'ouvrir avec le lien "
    f"{LINK}.",
    "Spanish": f"He recibido un mensaje cifrado de ustedes y no puedo abrir el enlace {LINK}.",
    "an order with a notice of law": "Please send twelve gears to Mill Lane 4. The plan is at "
    f"{LINK} and the invoice goes to the office. This is a confidential message, intended for its "
    "recipient alone. Do not open attachments of others.",
    "a banner above a letter": "This is a secure message, sent by Fell Bank over TLS.\n\nPlease "
    "ship the twelve gears before Friday. The carrier comes at nine and leaves at ten. Boxes of "
    f"oak are too heavy for him; use pine.\n\nClick here to reply securely: {LINK}",
    "an answer": "> You have received a secure message. Click the link to read the message.\n"
    f"> {LINK}\n\nThe parcel came.",
    "no door": "You have received a secure message. Open the link to read it.",
    "secure looms": f"You sent us a secure loom by mail. See {LINK} to open the box.",
}  # fmt: skip


@pytest.mark.parametrize("body", LETTERS.values(), ids=LETTERS)
def test_a_letter_about_a_protected_message_is_read(body: str) -> None:
    """Its writer speaks of himself, asks, or says something else."""
    assert parse(notice(body)).sealed == ""


def test_a_letter_with_a_page_attached_is_read() -> None:
    """An attachment, a confidentiality notice and an instruction to open it make no notice."""
    body = (
        "Dear team, the drawing of the loom is attached, please open the attachment in a browser. "
        "We need it by Friday. This email is confidential."
    )
    assert parse(notice(body, page="drawing.html")).sealed == ""


@pytest.mark.parametrize(
    ("kind", "sealed"),
    [
        ('message/partial; id="a@fell.example"; number=2; total=3', FRAGMENT),
        ('message/external-body; access-type=URL; URL="https://fell.example/a"', POINTED_TO),
    ],
)
@pytest.mark.parametrize("within", [False, True], ids=["alone", "a part"])
def test_what_only_stands_for_a_message_is_unreadable(kind: str, sealed: str, within: bool) -> None:
    """RFC 2046 section 5.2.2 and 5.2.3: a piece, and a pointer."""
    part = f"Content-Type: {kind}\r\n\r\nContent-Type: text/plain\r\n\r\nloom\r\n"
    head = "From: ada@fell.example\r\nSubject: Gears\r\n"
    start = "Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\nHi\r\n--m\r\n"
    mixed = f"{start}{part}\r\n--m--\r\n"
    assert parse(f"{head}{mixed if within else part}".encode()).sealed == sealed


@pytest.mark.parametrize(
    ("head", "sender"),
    [
        ("", "Fell Mail <noreply@fell.example>"),
        ("Auto-Submitted: auto-generated\n", "Ada Fell <ada@fell.example>"),
        ("", "Ada Fell <ada@fell.example>"),
    ],
)
def test_a_portals_notice_is_a_persons_mail(head: str, sender: str) -> None:
    """A machine sent it for somebody whose letter waits; no answer leaves by itself."""
    body = BEHIND["button and boilerplate"]
    seen = detect(f"{head}MIME-Version: 1.0\n", body, sender=sender)
    assert not seen.automated
    assert "tells of a person's letter that waits elsewhere" in seen.bars_sending
    assert detect(f"{head}X-Autoreply: yes\n", body, sender=sender).automated
