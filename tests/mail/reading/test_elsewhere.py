"""Notices that a message or file waits elsewhere: a portal's link, an attached page, pieces."""

from email.message import EmailMessage

import pytest

from tasks.core.parse.content_elsewhere import BEHIND_A_LINK, FRAGMENT, IN_A_PAGE, POINTED_TO
from tasks.core.parse.parsing import parse
from tests.mail.reading.test_automated import detect

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


NOTICE = (
    "You have received a secure message from the mill.\nClick the link below to read the message:\n"
    "https://portal.example/m/1"
)


@pytest.mark.parametrize(
    "above",
    [
        "Please send it without encryption.\n\n-----Original Message-----",
        "Das geht leider nicht auf.\n\nVon: Desk <d@p.example>\nGesendet: Montag, 2. September "
        "2024 "
        "09:00\nAn: Ada\nBetreff: x\n",
        "It does not open, call 0228 123456.\n\nOn Mon, Sep 2, 2024 at 9:00 AM Desk <d@p.example> "
        "wrote:\n",
    ],
)
def test_an_answer_to_a_notice_is_read(above: str) -> None:
    """The notice below it is what is answered; with no words above it, it is one still."""
    assert parse(notice(f"{above}\n{NOTICE}")).sealed == ""
    assert parse(notice(NOTICE)).sealed == BEHIND_A_LINK


def test_a_letter_with_a_page_attached_is_read() -> None:
    """An attachment, a confidentiality notice and an instruction to open it make no notice."""
    body = (
        "Dear team, the drawing of the loom is attached, please open the attachment in a browser. "
        "We need it by Friday. This email is confidential."
    )
    assert parse(notice(body, page="drawing.html")).sealed == ""


FILES = [
    "Priya Fell (priya@fell.example) has shared a secure file with "
    "you.\n\nplan-of-the-mill.pdf\n\nTo view the file, click Open below and sign in with "
    f"your passcode.\n{LINK}\n\nThis link expires in 14 days. This notification was "
    "generated automatically; please do not reply.",
    "You have received a secure document from Fell Cooperative Bank.\n\nClick the link "
    f"below to access your document:\n{LINK}\n\nYou will be asked to register before you "
    "can open it. If you did not expect this document, contact the sender.",
    "Secure attachments from Ada Fell are waiting for you.\n\nTo download the attachments, "
    f"click here and sign in: {LINK}\n\nThe attachments expire on 12 June 2026.",
    "Ada Fell has sent you 2 encrypted files through Fell Transfer.\n\nDownload files "
    f"<{LINK}>\n\nEnter the password that the sender has given you. The files are deleted "
    "after 7 days.",
    "A protected document is waiting for you in the Fell client portal. Please log in to "
    f"view the document: {LINK}",
    "Für Sie liegt ein vertrauliches Dokument im Kundenportal bereit.\n\nUm das Dokument "
    f"zu öffnen, klicken Sie bitte auf den Link und melden Sie sich an: {LINK}\n\nDas "
    "Dokument wird nach 30 Tagen gelöscht. Bitte antworten Sie nicht auf diese E-Mail.",
    "Ada Fell hat Ihnen eine geschützte Datei gesendet.\n\nDatei herunterladen: "
    f"{LINK}\n\nBitte geben Sie Ihr Passwort ein. Der Link läuft in 14 Tagen ab.",
    "Bonjour,\n\nAda Fell vous a envoyé un document sécurisé.\n\nPour consulter le "
    f"document, cliquez sur le lien ci-dessous : {LINK}\n\nCe lien expire dans 15 jours.",
    "Estimado cliente:\n\nHa recibido un documento protegido de Fell Seguros.\n\nPara ver "
    f"el documento, haga clic en el enlace e introduzca su contraseña: {LINK}",
    "Gentile cliente,\n\nha ricevuto un file protetto da Ada Fell.\n\nPer aprire il file "
    f"clicca sul collegamento: {LINK}",
]  # fmt: skip
LETTERS_ABOUT_FILES = [
    f"The document is in our shared folder: {LINK}. Could you check page two before Friday?",
    f"Hello, the secure file is in our portal now, the link is {LINK}. The looms were "
    "delivered on Monday. Which of the two invoices shall we pay?",
    f"Ada here. The protected document with the drawings is at {LINK}, password follows by "
    "phone. Please order twelve gears after that.",
    f"Please sign the attached document and return it by Friday. See {LINK} for the form.",
    f"You have sent us a secure document, but we cannot open it: {LINK} asks for a "
    "password. Please send it as a normal attachment.",
    f"I have shared a secure file with you, please open the link: {LINK} and tell me which "
    "loom you take.",
    f"We have put the confidential contract in our shared folder: {LINK}. Please check "
    "section four and send your remarks to Priya. The notary comes on Tuesday.",
    f"You have received a secure file from us last week: {LINK}. Did you open it?",
    f"Das Dokument liegt in unserem gemeinsamen Ordner: {LINK}. Können Sie bis Freitag "
    "einen Blick darauf werfen?",
    "Sie haben uns ein verschlüsseltes Dokument gesendet. Wir können die Datei nicht "
    f"öffnen: {LINK}",
    f"Le document sécurisé est dans notre dossier partagé : {LINK}. Pouvez-vous vérifier la "
    "page deux ?",
    "We need file protection for twelve looms. The secure attachment of the belt came "
    f"loose. See {LINK} for a picture.",
    f"The secure document with our prices is available for you at {LINK}. It has three "
    "pages, and the second says what the gears cost. Open it with the password from "
    "Friday.",
    "Ada has sent you the encrypted files on Monday. Please open the link and choose a "
    f"loom: {LINK} The blue one is sold.",
    f"Wie besprochen haben wir Ihnen das vertrauliche Dokument in den Ordner gelegt: {LINK} "
    "Bitte öffnen Sie es und nennen Sie uns den Preis.",
    f"Nous vous avons envoyé un document confidentiel : {LINK} Cliquez sur le lien et "
    "dites-nous si le prix convient.",
    f"Le hemos enviado un documento protegido: {LINK} Haga clic en el enlace y envíenos su "
    "pedido.",
    f"Our office has shared a confidential file with you: {LINK} Open it, please, and order "
    "twelve gears from page two.",
    "Your file number 4711. A secure attachment of the shelf to the wall needs two screws. "
    f"Please send two. {LINK}",
    "Thank you for the file. The private document archive opens at nine, please send the "
    f"parcel there. {LINK}",
    f"You have received the document already. Please sign it and send it back. {LINK}",
    "The secure document is ready. Please print twelve copies, bind them and bring them to "
    f"Mill Lane 4 on Monday. {LINK}",
    f"You have a private file with the tax office under number 4711. Click on {LINK} to see "
    "what they wrote. Please pay the invoice.",
    f"Please open the link below and read the document: {LINK} It is confidential. You have "
    "received it because you are our supplier, and the price for the gears in section two "
    "should be corrected.",
    "The secure file that you sent to us is waiting for you at the desk. Click here to see our "
    f"address: {LINK}",
    f"You have received the confidential document from Priya. The link is {LINK} Cancel the order "
    "if the price is above four hundred.",
    f"Ada vous a envoyé le fichier protégé. Ouvrez le lien {LINK}. La facture est fausse.",
    f"Hiermit wurde Ihnen das vertrauliche Dokument zugestellt. Öffnen Sie den Link {LINK}. Die "
    "Rechnung ist falsch.",
    f"A secure document is waiting for you. Open the link {LINK}\n\nPlease deliver the twelve "
    "gears on Friday",
]  # fmt: skip


@pytest.mark.parametrize("html", [False, True], ids=["plain", "HTML"])
@pytest.mark.parametrize("body", FILES)
def test_a_protected_file_behind_a_link_is_unreadable(body: str, html: bool) -> None:
    """Portals that hold back a file, a document or an attachment say the same of it."""
    assert parse(notice(body, html=html)).sealed == BEHIND_A_LINK


def test_a_protected_document_in_an_attached_page_is_unreadable() -> None:
    """The page is the door to it."""
    body = "You have received a secure document. Open the attached page and enter your password."
    assert parse(notice(body, page="secure-document.html")).sealed == IN_A_PAGE


@pytest.mark.parametrize("page", ["", "plan.pdf"], ids=["linked", "attached"])
@pytest.mark.parametrize("body", LETTERS_ABOUT_FILES)
def test_a_letter_that_points_to_a_file_is_read(body: str, page: str) -> None:
    """People share files every day, and say beside it what they ask."""
    assert parse(notice(body, page=page)).sealed == ""


@pytest.mark.parametrize(
    "body",
    [
        "Please find the secure document attached. Open the attachment with the password from our "
        "call. The first page is the plan of the mill, the second the prices.",
        "Attached is the protected file. Open the attachment with the password that we agreed on "
        "by phone. Please send the gears.",
        "The document is attached. Please open the attachment and sign it.",
    ],
)
def test_a_letter_with_a_protected_file_attached_is_read(body: str) -> None:
    """Who attaches a file says nothing of one that has come."""
    assert parse(notice(body, page="plan.pdf")).sealed == ""


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
