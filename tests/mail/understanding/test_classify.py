"""The local classifier on mails that stand nowhere in the corpora."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.records.core.understanding import Category, IntentKind, Priority, Sentiment
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from training.compose import messages

MAILS = [
    (
        "support",
        "Hello, my parcel was due on Monday, the tracking has not changed since. Where is it?",
    ),
    ("support", "I can't log in any more, the password reset mail does not arrive."),
    ("support", "Hallo, die App stürzt beim Öffnen ab, was kann ich tun?"),
    ("support", "Bonjour, mon colis n'est pas arrivé, pouvez-vous me dire où il est ?"),
    ("billing", "Our bookkeeper says invoice 4711 was paid twice. Please refund one payment."),
    ("billing", "Why is there a fee of 12 dollars on my statement?"),
    ("billing", "Bitte senden Sie uns die Rechnung für März noch einmal."),
    ("billing", "Quiero cancelar mi suscripción y que me devuelvan el dinero."),
    ("sales", "We'd like a quote for 40 desks, including delivery to Aberdeen."),
    (
        "sales",
        "Could you show us a demo of the enterprise plan? We want to buy licences for our team.",
    ),
    ("sales", "Bitte um ein Angebot für 200 Flaschen mit unserem Etikett."),
    ("feature_request", "It would be great if the calendar had a week view. Please add it."),
    ("feature_request", "Es wäre schön, wenn man die Liste nach Datum sortieren könnte."),
    ("feature_request", "Suggestion: please add an option to export my notes as PDF."),
    ("complaint", "Worst service ever. Your staff was rude and I am very disappointed."),
    ("complaint", "Ich bin sehr enttäuscht, das ist eine Frechheit, ich möchte mich beschweren!"),
    ("complaint", "C'est honteux, je suis très mécontent de votre service déplorable."),
    (
        "spam",
        "Congratulations, you have won the lottery! Claim your prize, click here.",
    ),
    ("spam", "Cheap viagra and cialis, no prescription, order now http://pills.example"),
    ("spam", "We guarantee first page of Google rankings with our SEO packages and backlinks."),
    ("internal", "Team, the stand-up moves to 9:30, minutes are in the shared drive."),
    ("internal", "Can you cover my shift on Thursday? I already told our department."),
    ("other", "Happy birthday! See you and the kids at the weekend, love, Mum"),
    ("other", "Thanks a lot, everything is fine now."),
    (
        "other",
        "Our newsletter in June: recipes, garden tips, events. Unsubscribe with the link below.",
    ),
    ("other", "Hiermit bewerbe ich mich um die Stelle als Koch, mein Lebenslauf liegt bei."),
]


def test_category_of_unseen_mails(classifier: LocalClassifier) -> None:
    """At least nine of ten plain unseen mails get their category."""
    said = classifier.classify_many([Incoming(text=text) for _, text in MAILS])
    wrong = [
        (want, got.category.value, text)
        for (want, text), got in zip(MAILS, said, strict=True)
        if got.category != want
    ]
    assert len(wrong) <= len(MAILS) // 10, wrong


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("The server is down and nobody can work, we need help immediately!", Priority.URGENT),
        ("Meine Karte wurde gestohlen, bitte sofort sperren!", Priority.URGENT),
        ("Huele a gas en la escalera, vengan ya", Priority.URGENT),
        ("Thanks, that solved it.", Priority.LOW),
        ("Where is my order 5512?", Priority.NORMAL),
    ],
)
def test_priority(classifier: LocalClassifier, text: str, want: Priority) -> None:
    """Emergencies are urgent, thanks are low, a plain question is normal."""
    assert classifier.classify(text).priority is want


def test_urgent_is_said_on_evidence(classifier: LocalClassifier) -> None:
    """On the held-back half most of what is urgent is found, and little else is called so."""
    items = list(messages("test"))
    said = classifier.classify_many(
        [Incoming(text=item.text, subject=item.subject) for item in items]
    )
    urgent = {place for place, item in enumerate(items) if item.labels.priority == "urgent"}
    found = {place for place, one in enumerate(said) if one.priority is Priority.URGENT}
    assert len(urgent & found) >= 0.6 * len(urgent)
    assert len(urgent & found) >= 0.8 * len(found)
    assert sum(len(one.intents) > 1 for one in said) <= 0.06 * len(said)


@pytest.mark.parametrize(
    "text",
    [
        "500 000 adresses de musées à petit prix, offre exceptionnelle",
        "Who covers for me on Friday?",
        "Could you hire out headphones to us for a meeting in spring?",
        "I can't open the file you sent, no rush though.",
    ],
)
def test_ordinary_mail_is_not_urgent(classifier: LocalClassifier, text: str) -> None:
    """Without trouble and pressure of time nothing is urgent."""
    assert classifier.classify(text).priority is not Priority.URGENT


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("I am really angry, this is terrible.", Sentiment.NEGATIVE),
        ("Wonderful, thank you so much, you are great!", Sentiment.POSITIVE),
        ("Please send me the invoice for May.", Sentiment.NEUTRAL),
    ],
)
def test_sentiment(classifier: LocalClassifier, text: str, want: Sentiment) -> None:
    """The mood of a plain sentence is recognized."""
    assert classifier.classify(text).sentiment is want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("How can I change my address?", IntentKind.QUESTION),
        ("Thank you, got it.", IntentKind.ACKNOWLEDGMENT),
        ("I want to speak to a manager or my lawyer will call you.", IntentKind.ESCALATION),
        ("Please send me the return label.", IntentKind.REQUEST),
    ],
)
def test_kind_of_intent(classifier: LocalClassifier, text: str, want: IntentKind) -> None:
    """Questions, requests, thanks and threats are told apart."""
    assert classifier.classify(text).intents[0].intent is want


def test_empty_message_is_other_and_unsure(classifier: LocalClassifier) -> None:
    """A message without words is other, low and unsure, never an error."""
    for text in ("", "  \n ", "...", "\u200b"):
        said = classifier.classify(text)
        assert (said.category, said.priority) == (Category.OTHER, Priority.LOW)
        assert said.confidence < 0.5
        assert said.language == "und"
        assert len(said.intents) == 1


def test_internal_sender_tips_the_scales(classifier: LocalClassifier) -> None:
    """The same words are likelier internal when a colleague sends them."""
    text = "Please send me the numbers for the quarterly report by Friday."
    said = classifier.classify(text, internal=True)
    assert said.category is Category.INTERNAL
    assert any("organization" in reason for reason in said.reasons)


def test_same_text_gives_same_answer_in_any_company(classifier: LocalClassifier) -> None:
    """Batching changes nothing, and a second run gives the same."""
    incoming = [Incoming(text=text) for _, text in MAILS]
    together = classifier.classify_many(incoming)
    assert together == classifier.classify_many(incoming)
    alone = [classifier.classify(text) for _, text in MAILS]
    assert [one.category for one in together] == [one.category for one in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.confidence == pytest.approx(other.confidence, abs=1e-3)


def test_reasons_name_words_of_the_mail(classifier: LocalClassifier) -> None:
    """A reviewer reads which words spoke for the category."""
    said = classifier.classify("I was charged twice, please refund the invoice.")
    assert said.category is Category.BILLING
    assert any("speak for billing" in reason for reason in said.reasons)
    assert any(
        "charged" in reason or "invoice" in reason or "refund" in reason for reason in said.reasons
    )


def test_subject_alone_is_enough(classifier: LocalClassifier) -> None:
    """An empty body with a telling subject is classified by the subject."""
    assert classifier.classify("", subject="Refund for invoice 99").category is Category.BILLING


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=400), subject=st.text(max_size=60), internal=st.booleans())
def test_never_fails(text: str, subject: str, internal: bool) -> None:
    """Whatever the text holds, there is a whole answer with confidences from 0 to 1."""
    said = SHARED.classify(text, subject=subject, internal=internal)
    assert 0 <= said.confidence <= 1
    assert 1 <= len(said.intents) <= 4
    assert all(0 <= intent.confidence <= 1 for intent in said.intents)


def test_lone_surrogates_do_not_fail(classifier: LocalClassifier) -> None:
    """Text that cannot be encoded is still classified."""
    assert classifier.classify("refund \ud800 please").confidence > 0


SHARED = LocalClassifier()
