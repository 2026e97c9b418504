"""Notices that somebody has shared files, and letters of people who share some."""

import pytest

from tasks.core.parse.content_elsewhere import SHARED
from tasks.core.parse.parsing import parse

LINK = "https://share.example/x"
NOTICES = {
    "document": "Ida Moe (ida@moe.example) has shared the following document:\n\nOrder list\n"
    f"{LINK}\n\nOpen\n\nIf you don't want to receive files from this person, block the sender.",
    "invited": 'Hi there,\n\nIda Moe invited you to view the file "Plan.pdf" on Box.\n\n'
    f"View file {LINK}\n\nEnjoy!\nThe Box team",
    "transfer": "ida@moe.example\nsent you 3 files, 12 MB in total. Expires on 9 November\n\n"
    f"Get your files\n{LINK}\n\n3 files\nplan.pdf\na.jpg",
    "de": "Ida Moe hat eine Datei für Sie freigegeben.\n\nBestellung.xlsx\n\nDieser Link "
    f"funktioniert für jede Person.\n\nÖffnen: {LINK}",
    "fr": "ida@moe.example vous a envoyé des fichiers\n\n3 fichiers, 12 Mo au total\n\n"
    f"Récupérez vos fichiers\n{LINK}",
    "es": f"Ida Moe ha compartido un archivo con usted.\n\nPedido.xlsx\n\nAbrir {LINK}",
    "it": f"Ida Moe ha condiviso un documento\n\nOrdine 2026\n\nApri {LINK}",
    "nl": "ida@moe.example heeft je bestanden gestuurd\n\n2 bestanden, 8 MB in totaal\n\n"
    f"Download de bestanden\n{LINK}\n\nplan.pdf",
    "pl": f"Ida Moe udostępniła Ci dokument:\n\nZamówienie\n\nOtwórz {LINK}",
    "pt": f"ida@moe.example enviou-lhe ficheiros\n\n4 ficheiros\n\nTransferir {LINK}",
}
LETTERS = [
    f"Hi, I have shared the drawings in this folder: {LINK}. Could you quote for 20 pieces?",
    f"Here are the pictures of the broken lamp: {LINK}\n\nWhat shall I do?",
    "Ida Moe has shared a file with you.\n\nPlease order 20 of the blue ones by Friday.\n\n"
    f"Open: {LINK}",
    f"Ida has shared the folder with you yesterday, please look at page two. {LINK}\n\nOle",
    f"My husband shared the photos with you: {LINK}. The lamp is bent. I want my money back.",
    f"You shared a file with us: {LINK}. Is it the right one?",
    f"We have shared our new catalogue. Open it here: {LINK}. Prices are down by ten percent.",
    f"Frau Moe hat Ihnen die Datei freigegeben: {LINK}. Der Rahmen ist zu breit, bitte ändern.",
    f"Your order 5521 has been shipped. Track it here: {LINK}",
]


def sealed(body: str) -> str:
    """Return why a mail with a body could not be read; empty where it could."""
    head = "From: Ida <ida@moe.example>\nContent-Type: text/plain; charset=utf-8\n\n"
    return parse(f"{head}{body}\n".encode()).sealed


@pytest.mark.parametrize("body", NOTICES.values(), ids=NOTICES)
def test_a_notice_of_shared_files_says_that_they_wait(body: str) -> None:
    """Who shared them, what they are, a button, and what the service says of itself."""
    assert sealed(body) == SHARED


@pytest.mark.parametrize("body", LETTERS)
def test_a_letter_beside_a_link_to_files_is_read(body: str) -> None:
    """What somebody asks, wants or tells beside them is his letter."""
    assert sealed(body) == ""
