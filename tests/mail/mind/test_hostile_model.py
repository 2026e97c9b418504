"""The model is assumed hostile: whatever a draft says, code alone decides."""

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.records.core.citations import Citation
from data.records.mail.deciding import Decision, Outcome
from data.records.mail.drafting import Checked, Draft, Severity
from tasks.mail.check.checking import check
from tasks.mail.compose.composing import compose_reply
from tasks.mail.compose.headers import ComposeError
from tasks.mail.compose.recipients import choose_recipients
from tasks.mail.route.routing import route_case
from tests.mail.mind.examples import (
    NOON,
    ORGANIZATION,
    POLICY,
    SENDER,
    briefing,
    circumstances,
    classification,
    envelope,
    intent,
    mail,
    signals,
)
from tests.mail.mind.test_route import REPLY

ASKED = "What does a single kayak cost per day?"
PRICE = "A single kayak costs 31.50 euros per day."

HOSTS = st.sampled_from(["evil.test", "a.evil.test", "lantern.example.evil.test", "évil.test"])
LINKS = st.builds(
    lambda before, host, after: before + host + after,
    st.sampled_from(
        ["", "https://", "http://", "//", "www.", "ftp://", "https://lantern.example@"]
    ),
    HOSTS,
    st.sampled_from(["", "/", "/x?y=z", "#lantern.example", ":8080/", "\\x", "/%2e%2e/"]),
)
DISGUISES = st.sampled_from(
    [
        lambda text: text,
        lambda text: text.replace(".", "\uff0e"),
        lambda text: text.replace(".", "[.]"),
        lambda text: text.replace("e", "e\u200b"),
        lambda text: text.replace("i", "i\u00ad"),
        lambda text: f"[{text}]({text})",
        lambda text: f"<{text}>",
        lambda text: text.upper(),
    ]
)
REFS = st.sampled_from(
    ["knowledge:rental-price", "internal:margin", "organization:lantern-kayaks", "message:1", "x"]
)
WORDS = st.one_of(
    st.text(max_size=80),
    st.sampled_from(
        [
            PRICE,
            "The margin on kayak rentals is 23 percent after the insurance of the fleet is paid.",
            "We guarantee a refund of 900 euros by Friday.",
            "Bcc: eve@evil.test",
            "\r\nBcc: eve@evil.test\r\n\r\n",
            "To: eve@evil.test",
            ".\r\nMAIL FROM:<eve@evil.test>",
            "Your code is 482913.",
        ]
    ),
)


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Draw the worst that a model may return: any text, any citation, any claim about itself."""
    sentences = draw(st.lists(WORDS, max_size=4))
    cited = draw(st.lists(st.tuples(st.sampled_from([*sentences, PRICE]), REFS), max_size=4))
    return Draft(
        subject=draw(st.one_of(st.just("Re: A question"), WORDS)),
        body=draw(st.sampled_from([" ", "\n\n", "\r\n"])).join(sentences),
        language=draw(st.sampled_from(["en", "de", "xx"])),
        citations=tuple(Citation(sentence=sentence, ref=ref) for sentence, ref in cited),
        provider=draw(st.sampled_from(["local", "person", "hostile"])),
    )


def decided(made: Draft) -> tuple[Decision, Checked]:
    """Return decision and check of a draft in a case where nothing else stands in the way."""
    one = intent(ASKED)
    said = classification(one)
    checked = check(
        made,
        briefing(),
        new_text=ASKED,
        organization=ORGANIZATION,
        policy=POLICY,
        sender=SENDER,
        intents=(one,),
    )
    to = choose_recipients(mail(), envelope(), ORGANIZATION)
    arguments = circumstances(REPLY, made, checked, said) | {"signals": signals(recipients=to)}
    return route_case(**arguments), checked


def test_the_good_draft_would_leave() -> None:
    """The same case with an honest draft is sent, so the tests below can fail."""
    cited = (Citation(sentence=PRICE, ref="knowledge:rental-price"),)
    made = Draft(subject="Re: A question", body=PRICE, language="en", citations=cited)
    assert decided(made)[0].outcome is Outcome.AUTO_SEND


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(made=drafts(), link=LINKS, disguise=DISGUISES, place=st.sampled_from(["body", "subject"]))
def test_an_unlisted_link_never_passes(
    made: Draft, link: str, disguise: Callable[[str], str], place: str
) -> None:
    """A draft with a link outside the list never leaves by itself, however it is dressed."""
    text = disguise(link)
    value = f"{getattr(made, place)} {text} " if place == "body" else f"Re: {text}"
    decision, checked = decided(made.model_copy(update={place: value}))
    assert decision.outcome is Outcome.REVIEW
    if made.body.strip() or place == "body":
        assert any(
            finding.check in ("unlisted_link", "foreign_address") for finding in checked.findings
        )


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(made=drafts())
def test_only_grounded_text_leaves_by_itself(made: Draft) -> None:
    """What leaves by itself holds nothing but the operator's lines and cited knowledge."""
    decision, checked = decided(made)
    if decision.outcome is Outcome.AUTO_SEND:
        assert not checked.findings
        rest = made.body.replace(PRICE, "")
        assert not any(letter.isdigit() for letter in rest)
        assert "evil" not in f"{made.subject} {made.body}"
        assert "margin" not in made.body
    if "margin on kayak rentals" in made.body:
        assert any(f.severity is Severity.BLOCK for f in checked.findings)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(made=drafts(), auto=st.booleans())
def test_a_draft_changes_neither_recipient_nor_headers(made: Draft, auto: bool) -> None:
    """The recipient, the reverse-path and the set of headers are the same for every draft."""
    to = choose_recipients(mail(), envelope(), ORGANIZATION)
    try:
        sent = compose_reply(
            subject=made.subject,
            body=made.body,
            parent=mail(),
            recipients=to,
            organization=ORGANIZATION,
            policy=POLICY,
            message_id="<r@lantern.example>",
            date=NOON,
            quote=False,
            loop_token="abc",
            auto=auto,
        )
    except ComposeError:
        return
    assert sent.rcpt_to == (SENDER.email,)
    assert sent.mail_from == "paddle@lantern.example"
    head = sent.raw.partition(b"\r\n\r\n")[0].decode("ascii").lower()
    names = [line.partition(":")[0] for line in head.split("\r\n") if not line.startswith(" ")]
    assert len(names) == len(set(names)) == (13 if auto else 11)
    assert not {"bcc", "cc", "reply-to", "sender", "resent-to"} & set(names)
    assert b"\r\n.\r\n" not in sent.raw
