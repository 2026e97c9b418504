"""What is typed is understood; what cannot be is refused with a sentence that helps."""

from zoneinfo import ZoneInfo

import pytest

from data.errors import SearchError
from data.records.core.search import MailText
from tasks.core.search.document import make_document
from tasks.core.search.query import understand

ZONE = ZoneInfo("Europe/Vienna")


def finds(typed: str, *, language: str = "en", **text: str) -> bool:
    """Return whether the terms of a search stand in the document of a message."""
    written = make_document(MailText(**text), language)
    terms = understand(typed, ZONE).terms
    assert terms
    return all(
        any(f" {' '.join(tokens)} " in written for tokens in term.alternatives) is not term.excluded
        for term in terms
    )


@pytest.mark.parametrize(
    ("typed", "body"),
    [
        ("heddle broken", "It arrived broken: one heddle, I mean."),
        ("HEDDLES", "one heddle is missing"),
        ("shipped", "When does it ship?"),
        ("invoicing", "two invoices are open"),
        ("heddl", "the heddles came"),
        ("LX-77-0042", "The plate says lx770042 on the back"),
        ("lx770042", "Serial LX-77-0042."),
        ("0042", "Serial LX-77-0042."),
        ("LX-77-00", "Serial LX-77-0042."),
        ("ＬＸ－77", "Serial LX-77-0042."),
        ("Grün", "gruen is fine"),
        ("gruen", "the grün one"),
        ("grun", "the GRÜN one"),
        ("café", "Meet at the cafe"),
        ("cafe", "Meet at the CAFÉ"),
        ("strasse", "Hohe Straße 4"),
        ("e-mail", "I sent an email"),
        ("email", "I sent an e-mail"),
        ('"table loom"', "my Table   Looms creak"),
        ('"herr kröger"', "Guten Tag Herr Kroeger, danke"),
        ('"Herr Kroeger"', "Guten Tag Herr Kröger, danke"),
        ("„table loom“", "a table loom"),
        ("東京", "本社は東京タワーの隣です"),
        ("q3", "the Q-3 figures"),
        ("zalo*", "Das Zalopin ist da"),
        ("soft", "a so\u00adft hyphen"),
        ("Ordnung:", "alles in Ordnung"),
        ("10:30", "call at 10:30"),
        ("http://wren.example/a", "see http://wren.example/a today"),
        ("SN:12345", "SN: 12345"),
        ('14" reed', 'a 14" reed'),
    ],
)
def test_words_are_found_in_any_form(typed: str, body: str) -> None:
    """Order, case, accents, width, endings, joints and beginnings make no difference."""
    assert finds(typed, body=body)


@pytest.mark.parametrize(
    ("typed", "body"),
    [
        ("heddle broken", "one heddle is fine"),
        ('"loom table"', "a table loom"),
        ('"hedd"', "the heddles came"),
        ("poet", "a pot of tea"),
        ("battery", "a bat in the attic"),
        ("LX-77-0042", "LX-77-0043"),
        ("0042", "10042"),
        ("open", "an oop program"),
        ("loom -broken", "a broken loom"),
        ("京東", "東京"),
        ("from:wren", "the wren sings"),
    ],
)
def test_what_is_not_there_is_not_found(typed: str, body: str) -> None:
    """Another order in quotes, another number, another word or another field is no match."""
    assert not finds(typed, body=body)


@pytest.mark.parametrize(
    ("typed", "language", "body"),
    [
        ("Rechnung", "de", "drei Rechnungen sind offen"),
        ("kaputte", "de", "das ist kaputt"),
        ("facturas", "es", "la factura de marzo"),
        ("livraisons", "fr", "la livraison est en retard"),
        ("bestelling", "nl", "mijn bestellingen"),
        ("заказы", "ru", "где мой заказ"),
        ("faktury", "pl", "proszę o fakturę"),
    ],
)
def test_word_forms_are_known_in_several_languages(typed: str, language: str, body: str) -> None:
    """A message's language decides over its stems, and a search fits all of them."""
    assert finds(typed, language=language, body=body)


def test_fields_are_told_apart() -> None:
    """`from:`, `to:`, `subject:` and `file:` look into one field, words into all of them."""
    mail = {
        "subject": "Reed count",
        "sender": "Bo Wren bo.wren@rook.example",
        "recipients": "hello@teasel.example",
        "files": "Loom_plan-2024.final.PDF",
        "body": "See the plan.",
    }
    for typed in (
        "from:bo", "from:rook.example", "from:bo.wren@rook.example", 'from:"Bo Wren"', "from:wre",
        "to:hello@teasel.example", "to:teasel", "subject:reeds", 'subject:"reed count"',
        "file:loom_plan", "loom_plan-2024.final.pdf", "final.pdf", "plan rook", "FROM:Bo",
        "-from:teasel", "loom_plan_20",
    ):  # fmt: skip
        assert finds(typed, **mail), typed
    for typed in ("from:teasel", "to:bo", "subject:plan", "file:count", '"count bo"', "-rook"):
        assert not finds(typed, **mail), typed


def test_conditions_are_read() -> None:
    """Days begin where the organization is; a month begins with its first day."""
    query = understand("after:2026-03 before:2026-03-05 has:attachments is:Urgent -tag:VIP", ZONE)
    assert [(c.field, c.value, c.excluded) for c in query.conditions] == [
        ("after", "2026-03-01", False),
        ("before", "2026-03-05", False),
        ("has", "attachment", False),
        ("is", "urgent", False),
        ("tag", "vip", True),
    ]
    at = query.conditions[0].at
    assert at is not None
    assert at.isoformat() == "2026-03-01T00:00:00+01:00"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("fron:bo", "there is no operator 'fron:'"),
        ("colour:red", "there is no operator 'colour:'"),
        ("cc:bo", "subject:, from:, to:, file:, before:"),
        ("from:", "from: needs a value"),
        ("before: 2026-01-01", "before: needs a value"),
        ("before:yesterday", "before: needs a day as 2026-03-01"),
        ("after:2026-13", "after: needs a day"),
        ("has:unicorn", "has: knows no 'unicorn'; it knows attachment"),
        ("is:shiny", "is: knows no 'shiny'"),
        ('"table loom', "is not closed"),
        ("a*", "at least three letters|needs 3 letters"),
        ("x" * 501, "at most 500 characters"),
        (" ".join(f"w{n}" for n in range(30)), "at most 24 words"),
    ],
)
def test_what_cannot_be_understood_is_refused(typed: str, sentence: str) -> None:
    """The sentence names what is wrong and what there is."""
    with pytest.raises(SearchError, match=sentence):
        understand(typed, ZONE)


def test_nothing_typed_asks_for_nothing() -> None:
    """Spaces and marks alone leave everything."""
    assert not understand("  … !  ", ZONE).asks


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("es", "reparar reparan repara reparamos reparación reparado"),
        ("es", "telar telares"),
        ("es", "taller talleres"),
        ("es", "preparar preparan"),
        ("pt", "reparar reparam repara"),
        ("it", "riparare riparano riparazione"),
        ("fr", "réparer réparent réparez réparation"),
        ("fr", "commander commandent commandes"),
        ("de", "reparieren repariert"),
        ("de", "stornieren storniert Stornierung"),
    ],
)
def test_forms_of_a_word_find_each_other(language: str, forms: str) -> None:
    """Each finds each, also where the stemmer cuts one form further than another."""
    for typed in forms.split():
        for written in forms.split():
            assert finds(typed, language=language, body=f"x {written} x"), (typed, written)


@pytest.mark.parametrize(
    ("language", "typed", "written"),
    [
        ("es", "pagar", "reparan"),
        ("es", "telar", "teléfono"),
        ("de", "Reparatur", "reserviert"),
        ("fr", "client", "commande"),
    ],
)
def test_other_words_do_not(language: str, typed: str, written: str) -> None:
    """What is cut further is not cut to nothing."""
    assert not finds(typed, language=language, body=written)
