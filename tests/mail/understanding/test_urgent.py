"""The deterministic test for urgency, with its near misses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mail.classify.urgent import _alarm_in, is_urgent

URGENT = [
    "Our server is down, nobody can order.",
    "URGENT: please call me back right now",
    "This is urgent.",
    "It's urgent, please call.",
    "That's an emergency!",
    "I need the certificate immediately.",
    "There is a smell of gas in the hall.",
    "My card was stolen on the tram!",
    "We have discovered a data breach.",
    "Bitte sofort sperren, mein Handy ist weg!",
    "Das ist ein Notfall.",
    "Es ist dringend.",
    "Niemand kann arbeiten, Totalausfall!",
    "C'est urgent, rappelez-moi.",
    "Plus personne ne peut travailler ici.",
    "Es urgente.",
    "Nadie puede trabajar desde las ocho.",
    "È urgente!",
    "Nessuno può lavorare.",
    "É urgente.",
    "Ninguém consegue trabalhar.",
    "Het is dringend.",
    "De server ligt plat.",
    "To pilne!",
    "Serwer padł godzinę temu.",
]

NOT_URGENT = [
    "This is not urgent.",
    "It isn't urgent, take your time.",
    "No emergency, just a question.",
    "In urgent cases please contact my colleague.",
    "URGENT SALE! Everything must go, shop now",
    "URGENT! Only today 70% off all shoes. Unsubscribe here.",
    "Is the urgent care clinic open?",
    "Das ist kein Notfall.",
    "Es ist nicht dringend.",
    "In dringenden Fällen rufen Sie Frau Holm an.",
    "Ce n'est pas urgent.",
    "En cas d'urgence, contactez mon collègue.",
    "No es urgente.",
    "Para urgencias, contacte con mi compañera.",
    "Non è urgente.",
    "Não é urgente.",
    "Het is niet dringend.",
    "Bij spoed kunt u mij bellen.",
    "To nic pilnego.",
    "The server works again, it was down yesterday, now it is working.",
    "Verify your account immediately or it will be closed: http://bank.example",
    "Where is my parcel?",
    "Sit down with me for a coffee?",
    "",
    "Thank you!",
]


@pytest.mark.parametrize("text", URGENT)
def test_what_cannot_wait_does_not_wait_among_other_lines(text: str) -> None:
    """All clauses are searched at once before any is read: none in the middle is missed."""
    among = f"Hello all\n\nthanks for the leaflet, but\n{text}\nSee you in May\nA. Holm"
    assert is_urgent(among, "") is not None


@pytest.mark.parametrize("text", URGENT)
def test_says_which_words_are_urgent(text: str) -> None:
    """A message that cannot wait is named with its own words."""
    reason = is_urgent(text, "")
    assert reason
    assert reason.split()[0].lower() in text.lower()


@pytest.mark.parametrize("text", NOT_URGENT)
def test_near_misses_are_not_urgent(text: str) -> None:
    """Denials, absence notes, advertising and phishing are not urgent."""
    assert is_urgent(text, "") is None


def test_subject_counts() -> None:
    """The subject alone can make a message urgent."""
    assert is_urgent("see below", "URGENT") == "URGENT"
    assert is_urgent("see below", "not urgent") is None


def test_denial_reaches_no_further_than_its_clause() -> None:
    """A denial in one sentence does not quiet an alarm in the next."""
    assert is_urgent("The other ticket is not urgent. But our server is down!", "")


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=500), subject=st.text(max_size=80))
def test_never_fails(text: str, subject: str) -> None:
    """Any text is answered by words or by None."""
    assert is_urgent(text, subject) is None or isinstance(is_urgent(text, subject), str)


@pytest.mark.parametrize(
    "text",
    [
        "I followed the link in that text and gave them my card number, what now",
        "Somebody stole my purse on the tram",
        "Ich habe den Link angeklickt und mein Kennwort stand dann auf deren Seite",
        "Me han robado el bolso en el metro",
    ],
)
def test_what_was_given_away_or_taken_cannot_wait(text: str) -> None:
    """Credentials in foreign hands are an emergency without the word."""
    assert is_urgent(text, "") is not None


@pytest.mark.parametrize("text", ["I can't wait to see the new shop!", "Das eilt gar nicht."])
def test_joy_and_leisure_are_not_urgent(text: str) -> None:
    """Looking forward is no emergency, nor is what is said not to hurry."""
    assert is_urgent(text, "") is None


def test_a_mail_is_looked_at_once_though_it_is_asked_about_again() -> None:
    """A message as it came, and the case that is made of it, are one text."""
    before = _alarm_in.cache_info()
    first = is_urgent("\nThe otter alarm rings: our server is down.\n\n", "Pond 7")
    again = is_urgent("The otter alarm rings: our server is down.", "Pond 7")
    after = _alarm_in.cache_info()
    assert first == again is not None
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 1)
