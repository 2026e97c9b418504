import pytest

from data.records.core.approvals import Floor
from data.records.core.parsed_mail import Automated, AutomatedKind
from data.records.core.understanding import Category, IntentKind, Priority, Sentiment
from data.records.mail.planning import ActionType, Audience, Plan
from tasks.mail.actions import NATURES, Nature, floor_of, make_action
from tasks.mail.plan.planning import plan
from tests.mail.mind.examples import POLICY, briefing, classification, intent, message


def planned(text: str = "What is it?", kind: str = "question", **more: object) -> Plan:
    """Return the plan of a case with one intent."""
    category = str(more.pop("category", "support"))
    one = intent(text, kind, category)
    made = more.pop("briefing", None) or briefing()
    machine = more.pop("automated", Automated())
    first = bool(more.pop("first_contact", False))
    said = classification(one, **more)
    return plan(one, said, made, POLICY, automated=machine, first_contact=first)  # type: ignore[arg-type]


def types(made: Plan) -> list[ActionType]:
    """Return the types of a plan's actions."""
    return [action.type for action in made.actions]


def test_every_action_type_has_a_nature() -> None:
    """The table of natures and the closed set of actions hold the same members."""
    assert set(NATURES) == set(ActionType)


@pytest.mark.parametrize("kind", list(ActionType))
def test_floor_follows_from_the_nature(kind: ActionType) -> None:
    """Only what stays inside and can be undone is automatic; a reply is the policy's matter."""
    action = make_action(kind, "why")
    if kind is ActionType.REPLY:
        assert action.floor is Floor.POLICY
    elif kind is ActionType.FORWARD:
        assert action.floor is Floor.PERSON
    else:
        assert action.reversible
        assert not action.outside_effect
        assert action.floor is Floor.AUTOMATIC


@pytest.mark.parametrize("kind", list(ActionType))
def test_every_action_tells_whom_it_reaches_and_what_undoes_it(kind: ActionType) -> None:
    """What can be undone names how, what cannot names nothing; outside effects have an audience."""
    action = make_action(kind, "why", money=True)
    assert bool(action.inverse) is action.reversible
    assert (action.audience in (Audience.SENDER, Audience.OTHER)) is action.outside_effect
    assert action.money


def test_money_raises_an_outside_action_to_a_person() -> None:
    """A reply about money needs a person's yes."""
    nature = NATURES[ActionType.REPLY]
    assert floor_of(nature, money=True) is Floor.PERSON


def test_irreversible_inside_needs_a_person() -> None:
    """What cannot be undone is never automatic, even when nobody outside notices."""
    nature = Nature(reversible=False, outside_effect=False, audience=Audience.NOBODY)
    assert floor_of(nature) is Floor.PERSON


@pytest.mark.parametrize("category", ["support", "billing", "sales", "other"])
def test_a_question_is_replied_to(category: str) -> None:
    """A question gets a reply by policy and a tag."""
    made = planned(category=category)
    assert types(made) == [ActionType.REPLY, ActionType.TAG_THREAD]
    assert made.actions[-1].argument == category


def test_a_suggestion_becomes_a_ticket() -> None:
    """A feature request is noted as a ticket and thanked for."""
    made = planned("Please add a sail to the kayaks.", "request", category="feature_request")
    assert types(made)[:2] == [ActionType.CREATE_TICKET, ActionType.REPLY]


def test_a_known_suggestion_names_what_is_known() -> None:
    """A suggestion that the knowledge already holds is pointed out as a possible duplicate."""
    made = planned("Dogs on board, please!", "request", category="feature_request")
    assert "knowledge:dogs" in made.actions[0].reason


def test_a_complaint_goes_to_a_person() -> None:
    """A complaint is escalated to the person the policy names, and the reply waits for them."""
    made = planned("This is awful.", "complaint", category="complaint")
    assert made.escalates
    assert made.actions[0].argument == "odile@lantern.example"
    assert next(a for a in made.actions if a.type is ActionType.REPLY).floor is Floor.PERSON


@pytest.mark.parametrize(
    "more",
    [
        {"kind": "escalation"},
        {"priority": Priority.URGENT},
        {"kind": "request", "sentiment": Sentiment.NEGATIVE},
    ],
)
def test_grave_mail_goes_to_a_person(more: dict[str, object]) -> None:
    """Who asks for a person, is in a hurry or angry, gets one."""
    assert planned("Please help me with the boat.", **more).escalates  # type: ignore[arg-type]


def test_spam_is_archived_unanswered() -> None:
    """Spam is filed away without a reply."""
    assert types(planned(category="spam", first_contact=True)) == [ActionType.ARCHIVE]


def test_a_machine_is_never_answered() -> None:
    """Automated mail is filed away whatever it says."""
    machine = Automated(automated=True, kind=AutomatedKind.BOUNCE, reasons=("null sender",))
    made = planned("Urgent?", "complaint", category="complaint", automated=machine)
    assert types(made) == [ActionType.ARCHIVE]
    assert "null sender" in made.actions[0].reason


def test_internal_mail_goes_to_a_colleague() -> None:
    """Internal tasks are routed to a person, not answered."""
    made = planned("Order paddles", "request", category="internal")
    assert made.escalates
    assert not made.replies


def test_a_request_about_money_needs_a_person() -> None:
    """A wish for a refund is a ticket, and its reply needs a person's yes."""
    made = planned("Please refund my booking.", "request", category="billing")
    assert [a.floor for a in made.actions[:2]] == [Floor.AUTOMATIC, Floor.PERSON]


def test_thanks_after_our_answer_end_the_exchange() -> None:
    """A thank-you for our answer is filed away, so that two polite sides come to an end."""
    made = planned(
        "Thanks!", "acknowledgment", briefing=briefing(thread=[message(1, "Here", outbound=True)])
    )
    assert ActionType.ARCHIVE in types(made)
    assert not made.replies


def test_first_contact_is_created() -> None:
    """A sender who never wrote before becomes a contact."""
    assert types(planned(first_contact=True))[0] is ActionType.CREATE_CONTACT


@pytest.mark.parametrize("category", list(Category))
@pytest.mark.parametrize("kind", list(IntentKind))
def test_every_combination_has_a_plan(category: Category, kind: IntentKind) -> None:
    """Each category and intent leads to at least one action, and no action to other people."""
    made = planned("A boat?", kind.value, category=category.value)
    assert made.actions
    assert ActionType.FORWARD not in types(made)
