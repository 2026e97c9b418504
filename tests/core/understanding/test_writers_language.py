"""The language of a mail is that of its writer's own sentences."""

import pytest

from tasks.core.language.language_identification import LanguageTeller

TELLER = LanguageTeller()
QUESTIONS = {
    "de": "wann kann ich das Gerät bei Ihnen abholen?",
    "fr": "quand puis-je venir chercher mon appareil ?",
    "es": "¿cuándo puedo pasar a recoger mi aparato?",
    "it": "quando posso venire a ritirare il mio apparecchio?",
    "nl": "wanneer kan ik mijn toestel bij u ophalen?",
    "pl": "kiedy mogę odebrać od państwa moje urządzenie?",
    "pt": "quando posso ir buscar o meu aparelho?",
    "en": "when can I come and fetch my device from you?",
}
ENGLISH_BANNERS = [
    "[EXTERNAL]",
    "CAUTION: This message came from outside the organisation. Do not open links or attachments "
    "unless you trust the sender.",
    "WARNING: External email. Please verify the sender before you click on any link\n"
    "or open an attachment.",
    "You don't often get email from ada@fell.example. Learn why this is important",
]
OTHER_BANNERS = [
    "ACHTUNG: Diese E-Mail kommt von außerhalb der Organisation. Klicken Sie auf keine Links und "
    "öffnen Sie keine Anhänge.",
    "Attention : ce courriel provient de l'extérieur de l'organisation. Ne cliquez sur aucun lien "
    "et n'ouvrez pas les pièces jointes.",
    "Let op: deze e-mail komt van buiten de organisatie. Klik niet op links en open geen bijlagen.",
]
ENGLISH_CARD = (
    "Kind regards\nIda Quist\nHead of Workshop Services\nFell Trading Limited\n"
    "Telephone: +44 20 0000 0000\nPlease consider the environment before printing this mail."
)
ENGLISH_NOTICE = (
    "This message is confidential and intended only for the addressee named above. If you received "
    "it in error, please notify the sender and delete it. Any disclosure is prohibited."
)


def tell(text: str, subject: str = "") -> str:
    """Return the language of a mail."""
    return TELLER.tell_mails([(subject, text)])[0]


@pytest.mark.parametrize("language", QUESTIONS)
@pytest.mark.parametrize("banner", [*ENGLISH_BANNERS, *OTHER_BANNERS])
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_banner_of_a_gateway_does_not_decide(language: str, banner: str, gap: str) -> None:
    """What a gateway puts above a message is not its writer's."""
    assert tell(f"{banner}{gap}{QUESTIONS[language]}\n\nIda Quist") == language


@pytest.mark.parametrize("language", QUESTIONS)
def test_card_and_notice_do_not_decide(language: str) -> None:
    """A card or a legal notice in English below a question says nothing about its writer."""
    assert tell(f"{QUESTIONS[language]}\n\n{ENGLISH_CARD}") == language
    assert tell(f"{QUESTIONS[language]}\n\nIda\n\n{ENGLISH_NOTICE}") == language


@pytest.mark.parametrize("language", QUESTIONS)
@pytest.mark.parametrize(
    "told",
    [
        "> Close the lid of the drum and press the green button twice to start again",
        '"Close the lid of the drum and press the green button twice to start again"',
        "„Bitte den Deckel der Trommel schließen und die grüne Taste zweimal drücken“",
        "« Fermez le couvercle du tambour et appuyez deux fois sur le bouton vert »",
    ],
)
def test_words_of_a_display_do_not_decide(language: str, told: str) -> None:
    """What is set apart or quoted is repeated; the question below it is the writer's."""
    assert tell(f"E7:\n{told}\n\n{QUESTIONS[language]}") == language


@pytest.mark.parametrize("language", QUESTIONS)
def test_text_below_a_colon_does_not_decide(language: str) -> None:
    """An error message that is copied below a colon is no sentence of the writer's."""
    text = (
        f"{QUESTIONS[language]}\n\nE7:\n\nThe drum could not be started because the lid is open. "
        "Close the lid and press the green button twice."
    )
    assert tell(text) == language


@pytest.mark.parametrize("language", QUESTIONS)
def test_greeting_in_another_language_does_not_decide(language: str) -> None:
    """People greet in English and go on in their own language."""
    assert tell(f"Hello dear support team,\n\n{QUESTIONS[language]}") == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The mail came from outside our office. Which link must I click to open it?", "en"),
        ("Our firm warns of external senders. May we trust your attachment?", "en"),
        ("Three things:\n- the lid is torn\n- the strap is missing\n- when do you open?", "en"),
        ('"Wann öffnen Sie?"', "de"),
        ("Thank you", "en"),
        ("Vielen Dank", "de"),
    ],
)
def test_little_text_is_taken_whole(text: str, language: str) -> None:
    """Where little would be left, all of a text is the writer's."""
    assert tell(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Was kostet der Tarif?\n\nMara Heron\n", "de"),
        ("Was kostet der Tarif?\nMara", "de"),
        ("Wie teuer?\n\nAna María Pérez", "de"),
        ("Quel prix ?\n\nJohn Smith", "fr"),
        ("¿Abren hoy?\n\nWilliam Shaw", "es"),
    ],
)
def test_a_name_and_a_subject_do_not_outweigh_a_short_question(text: str, language: str) -> None:
    """Somebody asks in three words, under a subject of ours and with a foreign name below."""
    assert tell(text, "Our account") == language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("it", "Ciao,\nil portale dice: Your session has expired, please log in. Come faccio?"),
        ("fr", "Le site répond : Payment declined by your bank. Que dois-je faire ?"),
        ("en", "Hi, the label says: Nicht in der Spülmaschine reinigen. Can I wash it by hand?"),
        ("de", "Guten Tag, meine Frage: Wie lange dauert die Lieferung nach Österreich?"),
        ("pl", "Kiedy będzie przesyłka?\n\n--\nKind regards | Mit freundlichen Grüßen\nJan Kos"),
        ("es", "¿Cuándo abren?\n\nBest regards / Saludos cordiales\nLuis Prado\nBusiness Manager"),
        ("nl", "Waar is mijn doos?\n\n____________________\nJan de Boer\nSales Director Benelux"),
    ],
)
def test_a_display_on_the_same_line_and_a_card_below_a_rule_do_not_decide(
    language: str, text: str
) -> None:
    """What is repeated behind a colon, a closing in two languages, and all below a rule."""
    assert tell(text) == language
