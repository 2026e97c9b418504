"""What becomes of each sentence of a letter: nothing that is not recognized is dealt with."""

import pytest

from data.lexicons.drafting import phrases
from tasks.core.words.clauses import clauses
from tasks.core.words.sentence_signs import is_order
from tasks.mail.check.checking import check
from tests.mind.accounts import ASKED, answering, left, looked_at
from tests.mind.examples import ORGANIZATION, POLICY, SENDER, briefing

WANTED = [
    # orders
    "please cancel my order 5521",
    "Cancel my booking",
    "I hereby cancel my booking of 3 May",
    "I also need a copy of the invoice for order 5521",
    "Could you please send the invoice to our new address",
    "We would like to book two more kayaks",
    "Change the date to 12 May",
    "Stop the newsletter",
    # statements that want something
    "The lid of the box is broken",
    "I have paid invoice 17 twice by mistake",
    "My new address is Quay Street 12, 4410 Westport",
    "We take the ten sets, go ahead with the order",
    "The parcel has not come",
    "We need it back by 12 March",
    "The seat is loose",
    "You charged me for a vest that I never had",
    "Sparks come out of the charger",
    "I am a customer and I want my money back",
    # other languages
    "Bitte stornieren Sie meine Buchung 5521",
    "Der Deckel ist gebrochen",
    "Ich habe die Rechnung 17 doppelt bezahlt",
    "Ich kündige hiermit meinen Vertrag",
    "Meine neue Adresse ist Kaistraße 12",
    "Annulez ma réservation 5521",
    "Le couvercle est cassé",
    "J'ai payé la facture deux fois",
    "Veuillez envoyer la facture à notre nouvelle adresse",
    "Cancelen mi reserva 5521, por favor",
    "La tapa está rota",
    "He pagado la factura dos veces",
    "Vorrei annullare la mia prenotazione",
    "Il coperchio è rotto",
    "Annuleer mijn boeking 5521",
    "Het deksel is kapot",
    "Ik heb de factuur twee keer betaald",
    "Cancelem a minha reserva",
    "A tampa está partida",
    "Proszę anulować moje zamówienie 5521",
    "Pokrywa jest zepsuta",
    "Locket är trasigt",
    "Prosím zrušte objednávku",
]


@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize(
    "letter",
    [
        "Hello,\n\n{asked} {wanted}.\n\nWim",
        "Hello,\n\n{wanted}. {asked}\n\nBest regards\nWim Tulip",
        "Hello,\n\n- {asked}\n- {wanted}\n\nWim",
        "Hello,\n\n{asked}\n\nBest regards\nWim Tulip\n\nPS: {wanted}.",
    ],
    ids=["behind", "before", "listed", "postscript"],
)
def test_what_is_wanted_beside_an_answered_question_is_open(letter: str, wanted: str) -> None:
    """Wherever it stands, what nobody deals with holds the draft and makes it incomplete."""
    checked = looked_at(letter.format(asked=ASKED, wanted=wanted))
    assert left(checked)
    assert [one for one in left(checked) if one.rstrip(".") not in wanted] == []
    assert {one.check for one in checked.findings} <= {"not_dealt_with", "unanswered_question"}
    assert checked.findings
    assert checked.quality <= 0.5


@pytest.mark.parametrize(
    "letter",
    [
        "When is the boathouse open in April and please cancel my booking 5521",
        "When is the boathouse open in April, cancel my booking 5521 and refund the price.",
        "When is the boathouse open in April? And refund my deposit, please.",
        "Please tell me when the boathouse is open in April and cancel my booking.",
        "When is the boathouse open in April, I also need the invoice for 5521",
    ],
)
def test_a_wish_in_the_same_sentence_is_heard(letter: str) -> None:
    """A question's answer does not deal with the order that shares its sentence."""
    assert left(looked_at(letter))


@pytest.mark.parametrize(
    "beside",
    [
        "Hello,\n\n{asked}\n\nKind regards\nWim Tulip",
        "Dear Odile Marsh,\n\nI hope this finds you well. {asked}\n\nThank you very much for your "
        "help.\nWim",
        "Hi there, I have a quick question: {asked} Thanks in advance! Wim",
        "Hello, my name is Wim Tulip. I am a teacher. {asked}",
        "We bought two boats from you last year. {asked}",
        "We are planning a trip with the school. {asked} Many thanks and best wishes, Wim",
        "Good morning,\n\nI am writing from Ghent. {asked}\n\nHave a nice day\nWim",
        "{asked}\n\nRegards\n\nWim Tulip\nHarbour Scouts",
        "Thanks a million,",
        "Dear people,",
        "Please forgive the length of this letter.",
        "Sorry about that.",
        "Other question: {asked}",
        "Herren,",
    ],
)
def test_courtesy_and_plain_circumstance_hold_nothing(beside: str) -> None:
    """Greetings, thanks, an introduction and what somebody did are no reason to wait."""
    checked = looked_at(beside.format(asked=ASKED))
    assert left(checked) == []
    assert checked.quality == 1.0


TURNED = [
    "We have a canoe here whose thwart snapped off",
    "We ordered 20 vests but the box held 17",
    "We hired ten boats and two lack their paddles",
    "I am a customer whose account you closed",
    "Our event is off",
    "Our event is on 14 June rather than on the 12th",
    "The parcel has arrived, the lid sticks",
    "The canoe works now, the pump rattles",
    "Our booking 5521 is settled for good, all is well",
    "Wir sind ein Verein, dem Sie eine Mahnung geschickt haben",
    "Unsere Veranstaltung ist abgesagt",
    "Unsere Veranstaltung ist einen Tag früher",
    "Unser Auftrag 5521 hat sich erledigt",
    "Das Boot ist angekommen, der Sitz klemmt",
    "Notre événement est avancé au 12",
    "Nous avons loué dix canots dont deux sans rame",
    "J'ai commandé 40 gilets, il y en a 30",
    "Nuestro evento se adelanta al 12",
    "Somos un club a quien mandaron dos recordatorios",
    "Siamo un circolo a cui avete scritto ieri",
    "We zijn een club aan wie u een herinnering stuurde",
]
"""What begins as a circumstance or good news, and says something else besides."""


@pytest.mark.parametrize("turned", TURNED)
@pytest.mark.parametrize("letter", ["{asked} {turned}.", "{turned}. {asked}"])
def test_a_circumstance_that_turns_is_open(letter: str, turned: str) -> None:
    """Another subject, a denial or a change in it may want something."""
    assert "".join(left(looked_at(letter.format(asked=ASKED, turned=turned))))


@pytest.mark.parametrize(
    "beside",
    [
        "The invoice never reached us.",
        "We take the offer.",
        "Nobody is here on Monday.",
        "You charged us twice.",
    ],
)
def test_only_a_fault_is_the_reason_for_a_repair(beside: str) -> None:
    """What stands before a question about a repair or a return belongs to it as its fault alone."""
    made = answering("A repair of a canoe takes eight days.", cite="knowledge:repair")
    given = (
        briefing()
        .snippets[0]
        .model_copy(
            update={
                "ref": "knowledge:repair",
                "title": "Repair of a canoe",
                "text": "A repair of a canoe takes eight days.",
            }
        )
    )
    known = briefing().model_copy(update={"snippets": (given,)})

    def open_in(letter: str) -> list[str]:
        return left(
            check(made, known, new_text=letter, organization=ORGANIZATION, policy=POLICY,
                  sender=SENDER)
        )  # fmt: skip

    asked = "How long does a repair of a canoe take?"
    assert open_in(f"{beside} {asked}") == [beside]
    assert open_in(f"The seat is broken. {asked}") == []


def test_a_circumstance_without_an_answer_beside_it_is_open() -> None:
    """Who only tells something may want something; nobody knows."""
    assert left(looked_at("We bought two boats from you last year."))
    assert left(looked_at("My name is Wim Tulip. I am a teacher."))


@pytest.mark.parametrize(
    "thanks",
    [
        "Thank you very much!",
        "Perfect, thanks all.\nWim",
        "Vielen Dank für die schnelle Antwort!\n\nViele Grüße\nWim",
        "Merci beaucoup pour votre aide.\n\nCordialement\nWim",
        "Muchas gracias por su ayuda. Un saludo",
        "Grazie mille!",
        "Bedankt voor de snelle reactie",
        "Dziękuję bardzo",
        "The radio works again, thank you!",
    ],
)
def test_thanks_alone_ask_for_nothing(thanks: str) -> None:
    """Nothing of a letter of thanks is left open."""
    made = answering(phrases("en").acknowledgment, citations=())
    assert left(looked_at(thanks, made)) == []


@pytest.mark.parametrize(
    "consent",
    ["Yes, thank you.", "OK, thanks", "Ja, vielen Dank.", "Oui, merci beaucoup.",
     "Vale, gracias.", "Sí, muchas gracias", "Sì, grazie mille", "Sim, obrigada", "Ja, bedankt",
     "Tak, dziękuję"],
)  # fmt: skip
def test_a_yes_among_thanks_is_no_courtesy(consent: str) -> None:
    """It agrees to something that somebody asked, and no sentence of a draft carries that out."""
    made = answering(phrases("en").acknowledgment, citations=())
    assert left(looked_at(f"{consent}\nWim", made)) == [consent]


@pytest.mark.parametrize(
    "hidden",
    [
        "Thank you for cancelling my order",
        "Thanks, and refund the rest",
        "Thanks in advance for sending me the invoice",
        "Best regards and please call me back at 0555 1234",
    ],
)
def test_what_is_put_politely_is_still_wanted(hidden: str) -> None:
    """Only sentences all of whose words are courtesy are courtesy."""
    assert left(looked_at(f"{ASKED} {hidden}."))


def test_every_word_of_a_letter_stands_in_its_accounts() -> None:
    """Nothing is lost between sentences and clauses, however a letter is built."""
    letter = (
        "Hi Odile, we need three things: when are you open, what does a kayak cost, and a copy "
        f"of invoice 17 (the blue one) - also {'very ' * 100}urgent.\n"
        "1) bells\n2) whistles, and ropes\n--\nBye, Wim\n\nPS cancel it"
    )
    told = " ".join(one.text for one in looked_at(letter).accounts).split()
    wanted = {word.strip(".,:()-") for word in letter.split()} - {"", "1", "2", "and", "also"}
    assert wanted - {word.strip(".,:()-") for word in told} == set()


def test_a_question_below_a_greeting_is_one_with_any_blanks_between() -> None:
    """The greeting's line is apart from it, whether or not an empty line stands between."""
    for blanks in (" ", "\n", "\n\n"):
        greeting, asking = clauses(f"Hello,{blanks}How long does a repair take?")
        assert greeting.polite
        assert asking.question is not None


@pytest.mark.parametrize(
    "wish",
    [
        "Can you also send the invoice?",
        "Could you please send me a copy of the receipt?",
        "Please answer her, thanks.",
        "Können Sie mir auch die Rechnung schicken?",
        "Pouvez-vous aussi m'envoyer la facture ?",
        "¿Pueden también enviarme la factura?",
        "Potete anche inviarmi la fattura?",
        "Kunt u ook de factuur sturen?",
        "Podem também enviar a fatura?",
        "Proszę także przesłać fakturę.",
    ],
)
def test_papers_that_are_to_be_sent_are_no_question(wish: str) -> None:
    """Whatever the knowledge says of invoices, sending one is somebody's work."""
    found = next(one for one in clauses(wish) if not one.polite)
    assert is_order(found.text), [one.text for one in clauses(wish)]
