"""Passing a message on: who may get it, what is planned, and the bytes that leave."""

from base64 import b64decode
from email import message_from_bytes
from email.policy import default

import pytest

from data.lexicons.drafting import LANGUAGES
from data.records.core.approvals import Floor
from data.records.core.organization import Person, Policy
from data.records.core.parsed_mail import Address
from data.records.core.understanding import Category, Intent, IntentKind
from data.records.mail.delivery import Outgoing
from data.records.mail.planning import ActionType, Audience, Plan
from tasks.core.leaks.links import find_links
from tasks.mail.actions import make_action
from tasks.mail.automated.loop_token import make_token
from tasks.mail.compose.colleagues import explain_barred, list_colleagues
from tasks.mail.compose.headers import ComposeError
from tasks.mail.compose.passing_on import (
    Original,
    build_signed_text,
    compose_passed_on,
    is_seven_bit,
    word_covering_note,
)
from tasks.mail.plan.passing_on import with_forward
from tests.mail.mind.examples import NOON, ORGANIZATION, envelope, mail

TO = "odile@lantern.example"
PLAIN = b"From: wim@tulip.example\r\nSubject: A question\r\n\r\nMay I bring a dog?\r\n"
SECRET = "s3cret"


def made(raw: bytes = PLAIN, note: str = "", flagged: bool = False, **more: object) -> Outgoing:
    """Return a message as it would be passed on."""
    one = Original(mail=mail(**more), raw=raw, flagged=flagged)
    return compose_passed_on(
        to=TO,
        note=note,
        by="ida",
        originals=[one],
        organization=ORGANIZATION,
        message_id="<f1@lantern.example>",
        date=NOON,
        loop_token="abc.def",
    )


@pytest.mark.parametrize(
    "raw",
    [
        PLAIN,
        PLAIN[:-2],
        PLAIN + b".\r\n..\r\n--part-0\r\n",
        PLAIN + "Grüße".encode() + b"\r\n",
        PLAIN.replace(b"\r\n", b"\n"),
        PLAIN + b"\0\r\n",
        PLAIN + b"x" * 5000 + b"\r\n",
        b"",
    ],
)
def test_the_original_arrives_byte_for_byte(raw: bytes) -> None:
    """Whatever it holds, another parser finds the very bytes, and the wire gets clean lines."""
    outgoing = made(raw)
    _, part = list(message_from_bytes(outgoing.raw, policy=default).iter_parts())  # type: ignore[attr-defined]
    if is_seven_bit(raw):
        assert part.get_content_type() == "message/rfc822"
        assert b"\r\n\r\n" + raw + b"\r\n--" in outgoing.raw
    else:
        assert part["Content-Transfer-Encoding"] == "base64"
        assert b64decode(part.get_payload()) == raw
    assert is_seven_bit(outgoing.raw)
    assert outgoing.raw.endswith(b"--\r\n")
    assert made(raw) == outgoing


def test_the_head_is_ours_and_stops_loops() -> None:
    """From us, to one colleague, with the token by which it is known when it comes back."""
    read = message_from_bytes(made().raw, policy=default)
    assert (read["To"], read["Subject"]) == (TO, "Fwd: A question")
    assert read["From"] == "Lantern Kayaks <paddle@lantern.example>"
    assert read["X-Loop"] == "abc.def"
    assert read["In-Reply-To"] is None
    assert read["Cc"] is None


def test_what_a_stranger_wrote_stays_one_harmless_line() -> None:
    """Subjects and names cannot add headers, lines or directions of writing to the note."""
    sender = Address(name="Ida\nBcc: x@y.test", email="wim@tulip.example")
    outgoing = made(subject="Hi\r\nBcc: a@b.test\u202e" + "x" * 500, sender=sender)
    assert b"\nBcc:" not in outgoing.raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, outgoing.body.splitlines())) < 220
    assert "\u202e" not in outgoing.body
    assert "\nBcc" not in outgoing.body


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_note_is_in_the_organizations_language(language: str) -> None:
    """Each language has its own lines; the warning stands there for what was flagged alone."""
    house = ORGANIZATION.model_copy(update={"language": language})
    one = Original(mail=mail(), raw=PLAIN)
    calm = word_covering_note([one], house, "ida", "A word of mine.")
    warned = word_covering_note(
        [one.model_copy(update={"flagged": True})], house, "ida", "A word of mine."
    )
    assert "A word of mine." in calm
    assert "Lantern Kayaks" in calm
    assert len(warned) > len(calm) + 40
    assert find_links(calm) == []
    english = word_covering_note([one], ORGANIZATION, "ida", "A word of mine.")
    assert (calm == english) is (language == "en")


def test_an_approval_names_what_is_attached() -> None:
    """Another original under the same words is another approval."""
    first, second = (Original(mail=mail(), raw=raw) for raw in (PLAIN, PLAIN + b"x\r\n"))
    assert build_signed_text(made(), [first]) != build_signed_text(made(), [second])
    assert build_signed_text(made(), [first]) == build_signed_text(made(), [first])


def test_control_letters_in_a_note_are_refused() -> None:
    """What a person adds leaves as it is, or not at all."""
    with pytest.raises(ComposeError, match="control character"):
        made(note="ring\x07")


def test_colleagues_are_people_and_whom_the_policy_names() -> None:
    """Each once; the mailbox itself, machines and what is no address are nobody."""
    policy = Policy(
        forwards={"billing": "bills@lantern.example", "sales": "sales@lantern.example"},
        escalation={"default": TO.upper()},
        owners={"default": "no-reply@lantern.example", "support": "nobody"},
    )
    found = list_colleagues(ORGANIZATION, policy)
    assert found[0] == Person(name="Odile Marsh", email=TO)
    assert [person.email for person in found] == [TO, "sales@lantern.example"]


@pytest.mark.parametrize(
    "more",
    [
        {"senders": (Address(email="Odile+x@lantern.example"),)},
        {"reply_to": (Address(email=TO),)},
        {"headers": (("list-post", f"<mailto:{TO}>"),)},
        {"headers": (("list-id", "The team <odile.lantern.example>"),)},
        {"headers": (("x-loop", make_token("<a@b.test>", SECRET)),)},
    ],
)
def test_what_would_come_back_is_barred(more: dict[str, object]) -> None:
    """Its writer, the list it came by, and mail that left from here before."""
    assert explain_barred(TO, mail(**more), envelope(), ORGANIZATION, SECRET)


def test_other_mail_may_go() -> None:
    """A stranger's mail, a list of somebody else, and a loop token that is not ours."""
    headers = (("list-id", "<news.tulip.example>"), ("x-loop", "abc.def"))
    assert explain_barred(TO, mail(headers=headers), envelope(), ORGANIZATION, SECRET) == ""


def _plan(*kinds: ActionType) -> Plan:
    return Plan(actions=tuple(make_action(kind, "Because.") for kind in kinds))


def _wish(kind: IntentKind = IntentKind.QUESTION) -> Intent:
    return Intent(intent=kind, category=Category.BILLING, text="Where is it?", confidence=0.9)


def test_the_policy_alone_says_to_whom() -> None:
    """A model's forward gets the policy's address, or none; it never needs less than a person."""
    policy = Policy(forwards={"billing": TO})
    (added, _) = with_forward(
        _plan(ActionType.REPLY), _wish(), policy, "wim@tulip.example", ORGANIZATION
    ).actions
    assert (added.type, added.argument, added.floor) == (ActionType.FORWARD, TO, Floor.PERSON)
    modelled = _plan(ActionType.FORWARD, ActionType.REPLY)
    for rules, to in ((policy, TO), (Policy(), "")):
        made_of = with_forward(modelled, _wish(), rules, "wim@tulip.example", ORGANIZATION)
        assert [a.argument for a in made_of.actions] == [to, ""]
        assert made_of.actions[0].floor is Floor.PERSON


def test_nothing_is_proposed_where_it_helps_nobody() -> None:
    """Thanks, what is filed away, and that colleague's own mail are not passed on."""
    policy = Policy(forwards={"billing": TO})
    reply, filed = _plan(ActionType.REPLY), _plan(ActionType.ARCHIVE, ActionType.TAG_THREAD)
    assert with_forward(reply, _wish(), policy, TO.upper(), ORGANIZATION) == reply
    assert (
        with_forward(reply, _wish(IntentKind.ACKNOWLEDGMENT), policy, "a@b.test", ORGANIZATION)
        == reply
    )
    assert with_forward(filed, _wish(), policy, "a@b.test", ORGANIZATION) == filed
    assert with_forward(reply, _wish(), Policy(), "a@b.test", ORGANIZATION) == reply


def test_to_a_colleague_is_not_to_the_outside() -> None:
    """An address of the organization is inside, another one outside; both need a person."""
    for to, audience in ((TO, Audience.INSIDE), ("lab@partner.test", Audience.OTHER)):
        policy = Policy(forwards={"billing": to})
        made = with_forward(
            _plan(ActionType.REPLY), _wish(), policy, "wim@tulip.example", ORGANIZATION
        )
        added = made.actions[0]
        assert (added.audience, added.outside_effect) == (audience, audience is Audience.OTHER)
        assert added.floor is Floor.PERSON
