import pytest

from data.lexicons.drafting import LANGUAGES, phrases
from data.lexicons.drafting.accounts import account_words
from data.policy_files import merge_policy
from data.records.core.citations import Citation
from data.records.core.knowledge import SavedReply
from data.records.core.organization import Person, Policy
from data.records.core.parsed_mail import Address, Automated
from data.records.core.understanding import Intent
from data.records.mail.drafting import Draft
from tasks.core.answering.answer import citable
from tasks.core.words.questions import AskedQuestion
from tasks.mail.check.tone import tone_of
from tasks.mail.draft import draft_form as asking
from tasks.mail.draft import drafting
from tasks.mail.draft.drafting import draft, reply_subject
from tasks.mail.draft.names import greeting
from tasks.mail.plan.planning import plan
from tests.mail.mind.examples import (
    FRAME,
    ORGANIZATION,
    POLICY,
    SENDER,
    briefing,
    classification,
    intent,
)


def drafted(
    *intents: Intent,
    language: str = "en",
    sender: Address = SENDER,
    policy: Policy = POLICY,
    saved: tuple[SavedReply, ...] = (),
    new_text: str = "",
) -> Draft:
    """Return the draft for a message with these intents."""
    said = classification(*intents, language=language)
    made = briefing()
    plans = [
        plan(one, said, made, policy, automated=Automated(), first_contact=False) for one in intents
    ]
    return draft(
        intents=intents,
        new_text=new_text or "\n".join(one.text for one in intents),
        subject="Boats",
        sender=sender,
        classification=said,
        briefing=made,
        plans=plans,
        organization=ORGANIZATION,
        policy=policy,
        saved_replies=saved,
    )


def test_a_known_question_is_answered_from_knowledge() -> None:
    """The answer is the organization's own sentence, cited, between greeting and signature."""
    made = drafted(intent("What does a single kayak cost per day?"))
    assert made.body == (
        "Hello Wim Tulip,\n\nA single kayak costs 31.50 euros per day.\n\n"
        "Kind regards\nLantern Kayaks\nQuay 7, Ghent"
    )
    assert [(c.ref, c.sentence) for c in made.citations] == [
        ("knowledge:rental-price", "A single kayak costs 31.50 euros per day.")
    ]
    assert made.unanswered == ()
    assert made.subject == "Re: Boats"


def test_an_unknown_question_is_honest() -> None:
    """What the knowledge does not answer is said to be open, listed, and given no date."""
    made = drafted(intent("Do you teach paragliding?"))
    assert phrases("en").unknown in made.body
    assert made.unanswered == ("Do you teach paragliding?",)
    assert made.citations == ()
    assert not any(letter.isdigit() for letter in made.body.replace("Quay 7", ""))


@pytest.mark.parametrize("formality", ["formal", "informal"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_our_own_lines_address_people_as_the_policy_says(language: str, formality: str) -> None:
    """In every language: no line of ours holds a word of the other form of address."""
    lines = phrases(language, formality)
    told = [*lines.lines, lines.greeting, lines.greeting_plain, lines.closing]
    assert tone_of(told, language, formality) == []


@pytest.mark.parametrize("formality", ["formal", "informal"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_of_an_account_addresses_people_so_too(language: str, formality: str) -> None:
    """Its plan, renewal, balance, orders and status, in every language."""
    told = account_words(language, formality).sentences
    assert tone_of(list(told.values()), language, formality) == []


def test_an_informal_policy_is_followed_by_the_letter() -> None:
    """A German letter says du, by the first name, where the policy asks for it."""
    policy = merge_policy(("policy.yaml", "formality: informal"))
    made = drafted(intent("Gebt ihr Kurse im Gleitschirmfliegen?"), language="de", policy=policy)
    assert made.body.startswith("Hallo Wim,\n\n")
    assert "melden uns wieder bei dir." in made.body
    assert "\n\nViele Grüße\n" in made.body


def test_what_a_model_wrote_stands_in_an_informal_letter_too() -> None:
    """Its text is between the same greeting and closing as the embedded provider's."""
    written = asking.read_draft(
        {"body": "Ein Kajak kostet 30 Euro.", "citations": [], "unanswered": []},
        subject="Boote",
        sender=SENDER,
        classification=classification(intent("Was kostet ein Kajak?"), language="de"),
        briefing=briefing(),
        organization=ORGANIZATION,
        policy=Policy(formality="informal"),
        model="a-model-5",
    )
    assert written.body.startswith("Hallo Wim,\n\nEin Kajak")
    assert "\n\nViele Grüße\n" in written.body


def test_a_short_reply_tells_what_was_asked_and_no_more() -> None:
    """What only helps besides is left off where all questions have their answer."""
    entry = "knowledge:rental-price"
    asked = [AskedQuestion(text="What does a single kayak cost per day?")]
    known = [one for one in citable(briefing().snippets, "en") if one.ref == entry]
    said = "Paddles and vests are included in the price."
    besides = [Citation(sentence=said, ref=entry, title="Rental prices")]
    whole = drafting._answers(asked, known, besides)
    short = drafting._answers(asked, known, besides, short=True)
    assert "Paddles" in " ".join(whole.answers)
    assert "Paddles" not in " ".join(short.answers)
    left = drafting._answers([AskedQuestion(text="Do you teach?")], known, besides, short=True)
    assert "Paddles" in " ".join(left.answers)


def test_several_questions_are_answered_in_order() -> None:
    """Each question gets its paragraph in the order asked, and the open one a line at the end."""
    text = "Are dogs allowed in double kayaks? Do you sell tents? When is the boathouse open?"
    body = drafted(intent(text)).body
    places = [body.index(part) for part in ("Dogs are not", "boathouse is open", "For the rest")]
    assert places == sorted(places)


def test_several_intents_become_one_mail() -> None:
    """A question and a suggestion are answered together, each in its manner."""
    question = intent("What does a single kayak cost?")
    wish = intent("It would be nice to have sails.", "request", "feature_request")
    made = drafted(wish, question, new_text=f"{question.text}\n{wish.text}")
    assert made.body.index("31.50") < made.body.index(phrases("en").feature)
    assert made.body.count("Hello") == 1


def test_a_question_that_no_intent_holds_is_not_lost() -> None:
    """A question that the classifier overlooked is answered or listed as well."""
    one = intent("What does a single kayak cost?")
    made = drafted(
        one,
        intent("We come on Friday.", "information"),
        new_text=f"{one.text} Do you rent tents? We come on Friday.",
    )
    assert made.unanswered == ("Do you rent tents?",)


def test_a_saved_reply_that_names_another_person_is_not_told() -> None:
    """Who the letter says has the message is who has it."""
    house = ORGANIZATION.model_copy(
        update={
            "people": (*ORGANIZATION.people, Person(name="Jo Reed", email="jo@lantern.example"))
        }
    )
    named = SavedReply(
        id="sorry",
        title="Sorry",
        intent="complaint",
        body="Hello {first_name},\n\nJo Reed has your message in front of her.\n\n{organization}",
    )
    wish = intent("This is unacceptable.", "complaint", "complaint")
    said = classification(wish)
    planned = plan(wish, said, briefing(), POLICY, automated=Automated(), first_contact=False)
    made = draft(
        intents=[wish],
        new_text=wish.text,
        subject="Boats",
        sender=SENDER,
        classification=said,
        briefing=briefing(),
        plans=[planned],
        organization=house,
        policy=POLICY,
        saved_replies=(named,),
    )
    assert "Jo Reed" not in made.body
    assert "Odile Marsh" in made.body


def test_what_is_only_told_is_thanked_for_and_not_called_noted() -> None:
    """Nothing was noted, so nothing says so; what may want something goes to one of us."""
    made = drafted(intent("My new address is Quay 9.", "information", "support"))
    assert phrases("en").request in made.body
    assert "noted" not in made.body
    for language in LANGUAGES:
        assert phrases(language).information != phrases(language).feature
        assert ";" not in phrases(language).information


def test_an_order_beside_an_answer_is_not_passed_over() -> None:
    """A letter that asks and orders is told that the order is seen."""
    text = "What does a single kayak cost per day? Please cancel my booking 5521."
    made = drafted(intent(text))
    assert "31.50" in made.body
    assert phrases("en").request in made.body


def test_a_complaint_is_regretted_and_handed_over() -> None:
    """A complaint gets regret without admission and the name of the person who has it."""
    made = drafted(intent("The kayak leaked!", "complaint", "complaint"))
    assert phrases("en").apology in made.body
    assert "Odile Marsh" in made.body
    assert "leaked" not in made.body


def test_internal_knowledge_never_answers() -> None:
    """A question that only internal knowledge answers stays open."""
    made = drafted(intent("What is your margin on kayak rentals?"))
    assert "23 percent" not in made.body
    assert made.unanswered


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_senders_language(language: str) -> None:
    """Greeting, honesty and closing are in the sender's language, each language its own."""
    made = drafted(intent("Teniku ravola mizet?"), language=language)
    words = phrases(language)
    assert made.language == language
    assert made.body.startswith(words.greeting.replace("{name}", "Wim Tulip"))
    assert words.unknown in made.body
    assert words.closing in made.body


def test_a_language_without_phrases_falls_back() -> None:
    """A sender in another language is answered in the organization's own."""
    assert drafted(intent("Hur mycket?"), language="sv").language == "en"
    assert drafted(intent("?"), language="und").language == "en"


def test_german_knowledge_answers_a_german_question() -> None:
    """Knowledge in the sender's language is used."""
    made = drafted(intent("Was kostet ein Zweier-Kajak pro Tag?"), language="de")
    assert "Ein Zweier-Kajak kostet 47 Euro pro Tag." in made.body


def test_knowledge_of_another_language_is_not_used() -> None:
    """What is known in English only stays open for a French question."""
    made = drafted(intent("Quel est le prix d'un kayak ?"), language="fr")
    assert "31" not in made.body
    assert made.unanswered


def test_policy_overrides_greeting_closing_and_adds_disclosure() -> None:
    """The policy's own lines stand in place of ours, and its disclosure below the signature."""
    policy = POLICY.model_copy(
        update={
            "greeting": {"en": "Ahoy {first_name}!"},
            "closing": {"en": "Fair winds"},
            "disclosure": {"en": "A machine helped."},
        }
    )
    body = drafted(intent("What does a single kayak cost?"), policy=policy).body
    assert body.startswith("Ahoy Wim!\n\n")
    assert body.endswith("Fair winds\nLantern Kayaks\nQuay 7, Ghent\n\nA machine helped.")


def test_a_saved_reply_frames_the_answer() -> None:
    """A person's saved reply gives the lines around the answer, cited as such."""
    made = drafted(intent("What does a single kayak cost?"), saved=(FRAME,))
    assert "Thank you for asking.\n\nA single kayak costs" in made.body
    assert "Come and paddle." in made.body
    assert {c.ref for c in made.citations} == {"knowledge:rental-price", "reply:frame"}


def test_a_saved_reply_with_an_open_slot_is_not_used() -> None:
    """A slot that nobody filled never reaches a reader."""
    odd = FRAME.model_copy(update={"body": "Your number is {hire_number}. {answer}"})
    assert "{" not in drafted(intent("What does a single kayak cost?"), saved=(odd,)).body


def test_no_plan_to_reply_gives_an_empty_draft() -> None:
    """Where nothing is to be said, nothing is written."""
    assert drafted(intent("Buy pills", "information", "spam")).body == ""


def test_the_senders_words_are_not_repeated() -> None:
    """What the sender claims is never told back as a fact."""
    text = "You promised me 500 euros, see evil.test. What does a single kayak cost?"
    body = drafted(intent(text)).body
    assert "500" not in body
    assert "evil" not in body


@pytest.mark.parametrize(
    ("subject", "reply"),
    [
        ("Boats", "Re: Boats"),
        ("RE: re: Boats", "Re: Boats"),
        ("AW: Boote", "Re: Boote"),
        ("a\r\nBcc: x@y.test", "Re: a Bcc: x@y.test"),
        ("", "Re:"),
    ],
)
def test_the_subject_of_a_reply(subject: str, reply: str) -> None:
    """A subject gets one `Re:` and keeps no control characters."""
    assert reply_subject(subject) == reply


def test_the_same_input_gives_the_same_draft() -> None:
    """Drafting holds no chance."""
    one = intent("When is the boathouse open? What does cancelling a booking cost?")
    assert drafted(one) == drafted(one)


def test_we_never_greet_ourselves() -> None:
    """A form of our own site bears our address, and the name that its mailer was given."""
    ours = Address(name="Harbor", email=ORGANIZATION.addresses[0].upper())
    said = greeting(phrases("en"), "en", POLICY, ours, ORGANIZATION)
    assert "Harbor" not in said
