"""What becomes of each sentence of a letter: nothing that is not recognized is dealt with."""

import pytest

from data.lexicons.drafting import phrases
from data.records.core.understanding import Intent
from data.records.mail.drafting import Checked, Citation, Disposition, Draft
from data.records.mail.planning import ActionType, Plan
from tasks.check.checking import check
from tasks.draft.names import closing, greeting
from tasks.plan.actions import make_action
from tasks.words.clauses import clauses
from tasks.words.sentence_signs import asks_status, is_order
from tests.mind.examples import ORGANIZATION, POLICY, SENDER, briefing, intent

HOURS = "The boathouse is open from 08:30 to 19:00 between April and October."
ASKED = "When is the boathouse open in April?"
TICKET = Plan(actions=(make_action(ActionType.CREATE_TICKET, "A person carries it out."),))
REPLY = Plan(actions=(make_action(ActionType.REPLY, "A question."),))


def answering(*told: str, cite: str = "knowledge:opening-hours", **more: object) -> Draft:
    """Return a draft that tells these sentences of the knowledge."""
    words = phrases("en")
    head, tail = (
        greeting(words, "en", POLICY, SENDER, ORGANIZATION),
        closing(words, "en", POLICY, ORGANIZATION),
    )
    values: dict[str, object] = {
        "subject": "Re: Boats",
        "body": "\n\n".join((head, " ".join(told), tail)),
        "language": "en",
        "citations": tuple(Citation(sentence=one, ref=cite) for one in told),
    }
    return Draft.model_validate(values | more)


def looked_at(
    letter: str,
    made: Draft | None = None,
    *intents: Intent,
    plan: Plan = REPLY,
    subject: str = "",
) -> Checked:
    """Return what the check says of a draft, the hours without another one, to a letter."""
    return check(
        made or answering(HOURS),
        briefing(),
        new_text=letter,
        organization=ORGANIZATION,
        policy=POLICY,
        sender=SENDER,
        intents=intents,
        plans=(plan,) * len(intents),
        subject=subject,
    )


def left(checked: Checked) -> list[str]:
    """Return what is not dealt with."""
    return [one.text for one in checked.accounts if one.disposition is Disposition.OPEN]


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


@pytest.mark.parametrize(
    ("wish", "quality"),
    [
        ("It would be nice to get the invoice by Friday.", 0),
        ("It would be great if you could call Mr Otte back.", 0),
        ("Es wäre toll, wenn der Fahrer eine Stunde eher kommt.", 0),
        ("We would love to have 10 more paddles.", 0),
        ("It would be great if the portal had a dark mode.", 1),
        ("It would be great if the portal could send an invoice to the bookkeeper.", 1),
        ("Es wäre schön, wenn das Portal dunkel sein könnte.", 1),
        ("It would be great if the battery lasted 20 hours.", 1),
        ("Es wäre schön, wenn die Lampe 3 Stunden leuchten könnte.", 1),
    ],
)
def test_thanks_for_an_idea_do_not_settle_what_is_wished_for_once(wish: str, quality: int) -> None:
    """A call, a paper or another day is for a person; what is wished of the product is noted."""
    made = answering(phrases("en").feature, citations=())
    suggestion = intent(wish, "request", "feature_request")
    assert looked_at(wish, made, suggestion, plan=TICKET).quality == quality


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
    """A letter of thanks is accounted for, or at worst one of its words is not known."""
    made = answering(phrases("en").acknowledgment, citations=())
    open_ones = left(looked_at(thanks, made))
    assert open_ones == (["Bedankt voor de snelle reactie"] if "reactie" in thanks else [])


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


@pytest.mark.parametrize(
    "asked",
    [
        "Has the courier left?",
        "Did you receive my payment?",
        "Has our canoe been repaired?",
        "Where is my order?",
        "Is my kayak ready?",
        "Could you tell me whether the boat has been delivered?",
        "Ist mein Boot schon fertig?",
        "Wurde die Rechnung bezahlt?",
        "Wo ist meine Bestellung?",
        "Est-ce que mon kayak est prêt ?",
        "Le colis a-t-il été expédié ?",
        "¿Ha llegado el paquete?",
        "¿Dónde está mi pedido?",
        "Il pacco è stato spedito?",
        "Is mijn bestelling al verzonden?",
    ],
)
def test_how_a_matter_stands_no_general_sentence_answers(asked: str) -> None:
    """What has happened to the sender's own thing is open, whatever the draft tells of others."""
    made = answering("A courier brings a boat within two days; delivery costs 20 euros.")
    assert asks_status(asked)
    assert left(looked_at(asked, made)) != []


@pytest.mark.parametrize(
    "asked",
    [
        ASKED,
        "Are you open in April?",
        "Do you have any places left in April?",
        "Is it open on 4 May?",
    ],
)
def test_what_is_so_for_everybody_is_no_status(asked: str) -> None:
    """Opening hours and places are asked for in general."""
    assert not asks_status(asked)


def test_a_ticket_carries_the_words_of_its_wish_and_is_no_answer() -> None:
    """What an action puts before a person is dealt with; the draft is incomplete all the same."""
    letter = "Please cancel my booking 5521."
    made = answering(phrases("en").request, citations=())
    checked = looked_at(letter, made, intent(letter, "request"), plan=TICKET)
    (account,) = checked.accounts
    assert (account.disposition, account.action) == (Disposition.ACTION, ActionType.CREATE_TICKET)
    assert checked.quality == 0
    assert left(looked_at(letter, made, intent(letter, "request"), plan=REPLY)) == [letter]


def test_a_ticket_for_other_words_carries_nothing() -> None:
    """An action deals with the words it was planned for alone."""
    letter = "Please add a bell. Please cancel my booking 5521."
    checked = looked_at(letter, None, intent("Please add a bell.", "request"), plan=TICKET)
    assert left(checked) == ["Please cancel my booking 5521."]


def test_a_report_that_was_taken_for_a_suggestion_is_not_settled_by_thanks() -> None:
    """Thanks are enough for what wishes for something; not for what only was filed under it."""
    words = "In the portal I can see the bookings of other customers."
    made = answering(phrases("en").feature, citations=())
    wish = intent(words, "request", "feature_request")
    assert looked_at(words, made, wish, plan=TICKET).quality == 0


@pytest.mark.parametrize(
    "made",
    [
        answering("Your booking is cancelled.", cite="knowledge:cancel"),
        answering("Your booking 5521 is cancelled and the price refunded.", citations=()),
        answering(HOURS, "Please cancel my booking 5521.", cite="knowledge:opening-hours"),
        answering(HOURS, unanswered=()),
        answering(HOURS).model_copy(
            update={
                "citations": (
                    Citation(sentence=HOURS, ref="knowledge:cancel"),
                    Citation(sentence="Please cancel my booking 5521.", ref="knowledge:cancel"),
                )
            }
        ),
    ],
    ids=["claimed", "uncited", "echoed", "silent", "cited for it"],
)
def test_no_draft_can_call_an_order_answered(made: Draft) -> None:
    """Whatever a model writes, cites or leaves out, an order that nobody carries out is open."""
    checked = looked_at(f"{ASKED} Please cancel my booking 5521.", made)
    assert "Please cancel my booking 5521." in left(checked)
    assert checked.quality < POLICY.confidence_threshold


def test_a_claim_without_a_source_answers_no_question() -> None:
    """A sentence that no source holds does not count as the answer to anything."""
    made = answering("The boathouse is open in April around the clock.", citations=())
    assert left(looked_at(ASKED, made)) == [ASKED]


def test_a_draft_that_says_noted_where_nothing_was_is_held() -> None:
    """Our own line about a suggestion stands only beside the ticket that notes it."""
    words = "Could you add a bell?"
    made = answering(phrases("en").feature, citations=())
    wish = intent(words, "request", "feature_request")
    held = looked_at(words, made, wish, plan=REPLY)
    assert "nothing_done" in {one.check for one in held.findings}
    done = looked_at(words, made, wish, plan=TICKET)
    assert "nothing_done" not in {one.check for one in done.findings}


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
    "subject",
    [
        "Cancel order 5521",
        "Please call me back at noon",
        "Stornierung Bestellung 5521",
        "Résiliation du contrat 33",
        "Anulación del pedido 5521",
        "Disdetta del contratto 33",
        "Opzegging contract 33",
        "Rezygnacja z zamówienia 5521",
    ],
)
def test_what_a_subject_alone_wants_is_open(subject: str) -> None:
    """Nobody answers a question and leaves the order above it unheard."""
    checked = looked_at(ASKED, subject=subject)
    assert left(checked) == [subject]
    assert checked.quality < 1


COURTEOUS = {
    "en": "Hello,\n\nThank you very much in advance.\n\nBest regards\nWim Tulip",
    "de": "Guten Tag,\n\nvielen Dank im Voraus.\n\nMit freundlichen Grüßen\nWim Tulip",
    "fr": "Bonjour,\n\nMerci d'avance.\n\nCordialement\nWim Tulip",
    "es": "Buenos días:\n\nMuchas gracias de antemano.\n\nUn saludo\nWim Tulip",
}


@pytest.mark.parametrize(
    ("language", "subject"),
    [
        ("en", "Invoice 17 paid twice"),
        ("en", "Invoice no. 17 paid twice"),
        ("en", "Order no. 5521 not arrived"),
        ("en", "Lid broken"),
        ("en", "My account is locked"),
        ("en", "Heating pump makes smoke"),
        ("de", "Rechnung 17 doppelt bezahlt"),
        ("de", "Deckel gebrochen"),
        ("de", "Paket nicht angekommen"),
        ("fr", "Facture 17 payée deux fois"),
        ("fr", "Colis non reçu"),
        ("es", "Factura 17 pagada dos veces"),
        ("es", "Tapa rota"),
    ],
)
def test_trouble_that_a_subject_alone_tells_is_open(language: str, subject: str) -> None:
    """Above courtesies, and above a question about something else, it waits for a person."""
    for letter in (COURTEOUS[language], f"{ASKED}\n\n{COURTEOUS[language]}"):
        checked = looked_at(letter, subject=subject)
        assert left(checked) == [subject]
        assert checked.quality <= 0.5


def test_whatever_a_subject_says_above_courtesies_alone_is_open() -> None:
    """Nothing says what is wanted but the subject, so it is never taken for nothing."""
    for subject in ("Invoice 17", "The lamp in the boathouse", "Opening hours"):
        assert left(looked_at(COURTEOUS["en"], subject=subject)) == [subject]
        assert left(looked_at("", subject=subject)) == [subject]
    for subject in ("", "Many thanks for the nice trip", "Hello", "Good morning"):
        assert left(looked_at(COURTEOUS["en"], subject=subject)) == []


@pytest.mark.parametrize(
    ("subject", "letter"),
    [
        ("Opening hours", ASKED),
        ("Order 5521", ASKED),
        ("Order no. 5521", ASKED),
        ("No. 3", ASKED),
        ("Commande no 12", ASKED),
        ("Question about boats", ASKED),
        ("Cancel order 5521", f"{ASKED} Please cancel my order 5521."),
        ("How do I cancel?", ASKED),
        ("Lid broken", f"{ASKED} The lid of our box is broken."),
        ("Paket nicht angekommen", f"{ASKED} Mein Paket ist noch nicht angekommen."),
        ("Problem with a boat", "When is the boat open in April?"),
        ("Boat repaired", "Thank you very much for the repaired boat."),
    ],
)
def test_a_subject_that_names_a_matter_is_none_of_its_own(subject: str, letter: str) -> None:
    """Nor is one that says what the letter says."""
    assert subject not in left(looked_at(letter, subject=subject))


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
