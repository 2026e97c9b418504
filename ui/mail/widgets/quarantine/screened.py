"""The screening of a message, and whether the sender is who the message says."""

import streamlit as st

from data.counting import plural
from data.records.core.screening import AuthResult, Hit, MessagePlace, Screening, SecurityFlags
from data.records.mail.views import MessageView, Standing
from data.states import MessageStatus
from ui.core.chips import chip, chips, make_muted, meter, section
from ui.core.session import zone
from ui.core.text.clock import write_exactly
from ui.core.text.screen_words import excerpt, explain_rule, kind, rule
from ui.core.text.text_runs import TextLine, line, run
from ui.core.text.words import percent, technique, tone, word
from ui.core.widgets.marked import draw_marked
from ui.mail.deciding.screen_decisions import explain_release, verdict_chip

DMARC_SENTENCES: dict[AuthResult, str] = {
    AuthResult.PASS: "It was sent by the domain that it names.",
    AuthResult.FAIL: "It was not sent by the domain that it names.",
    AuthResult.NOT_ESTABLISHED: "Nobody could establish that it was sent by whom it names.",
}
"""What DMARC says about the sender, in a sentence."""

PLACE_NAMES: dict[MessagePlace, str] = {
    MessagePlace.SUBJECT: "the subject",
    MessagePlace.DISPLAY_NAME: "the sender's name",
    MessagePlace.BODY: "the text",
    MessagePlace.QUOTED: "quoted history",
    MessagePlace.FORWARDED: "a forwarded message",
    MessagePlace.SIGNATURE: "the signature",
    MessagePlace.HIDDEN: "what is hidden from its reader",
    MessagePlace.ATTACHMENT_NAME: "the name of a file",
    MessagePlace.HEADER: "a header",
    MessagePlace.LINK: "a link",
    MessagePlace.CALENDAR: "a calendar entry",
    MessagePlace.CONTACT: "a contact card",
    MessagePlace.ATTACHMENT: "an attachment",
    MessagePlace.ALTERNATIVE: "another version of the text",
}
"""Where in a message something was found."""


def draw_screening(message: MessageView) -> None:
    """Draw verdict, hits with their words, what was excused or failed, and who released it."""
    section("Screening")
    screening, released = message.screening, message.released
    if screening is None:
        chips(make_muted("Not screened yet."))
    else:
        _draw_verdict(screening, released)
    if released:
        when = write_exactly(released.at, zone())
        draw_marked(
            [line(run(explain_release(released)), run(f"  {when}", "quiet"), icon="info")], "list"
        )


def _draw_verdict(screening: Screening, released: Standing | None) -> None:
    chips(
        verdict_chip(screening.verdict, released) if released else chip(screening.verdict),
        meter(
            screening.score,
            "looks like an attack",
            "How strongly all hits together speak for it",
            tone(screening.verdict),
        ),
    )
    techniques = dict.fromkeys(technique(hit.technique) for hit in screening.hits)
    if sentence := "; ".join(words for words in techniques if words):
        draw_marked([line(run(f"{sentence[0].upper()}{sentence[1:]}."))], "list")
    if screening.hits:
        draw_hits(screening.hits)
    if screening.excused:
        chips(make_muted("Not counted, for somebody allowed it for this sender:"))
        draw_hits(screening.excused)
    if screening.errors:
        draw_marked(
            [line(run(_error_sentence(error)), icon="warn") for error in screening.errors],
            "list",
        )
    if screening.misses:
        with st.expander(f"{plural(len(screening.misses), 'rule')} found nothing"):
            draw_marked([_miss_line(name) for name in screening.misses], "list")


def draw_security_record(security_flags: SecurityFlags | None) -> None:
    """Draw the record that was kept when the message was stopped."""
    if security_flags is None:
        return
    with st.expander("Security record"):
        pairs = (
            *_list_reasons(security_flags),
            ("Injection detected", "yes" if security_flags.injection_detected else "no"),
            (
                "Kind",
                kind(security_flags.injection_type) if security_flags.injection_type else "none",
            ),
            ("Sure of it", percent(security_flags.confidence)),
            ("Scanned", write_exactly(security_flags.scan_timestamp, zone())),
            ("Flagged content", security_flags.flagged_content or ""),
        )
        draw_marked([line(run(f"{name}  ", "quiet"), run(value)) for name, value in pairs], "list")


def _list_reasons(security_flags: SecurityFlags) -> tuple[tuple[str, str], ...]:
    """Return why the message was stopped; nothing for records that do not say so."""
    if security_flags.reason is None:
        return ()
    return (
        ("Stopped for", kind(security_flags.reason)),
        ("Words", security_flags.reason_content or ""),
    )


def draw_hits(hits: tuple[Hit, ...]) -> None:
    """Draw rules that found something, each with the words it found."""
    draw_marked([_hit_line(hit) for hit in hits], look="list")


def draw_sender(message: MessageView) -> None:
    """Draw whether the sender is who From says; what is not established is not a pass."""
    section("Sender")
    authentication = message.authentication
    if authentication is None:  # the screen stops mail before anybody looks its sender up
        stopped = message.status in (MessageStatus.QUARANTINED, MessageStatus.REJECTED)
        chips(make_muted("Not looked up: it was stopped before." if stopped else "Not looked up."))
        return
    chips(make_muted(DMARC_SENTENCES[authentication.dmarc]))
    chips(
        *(
            chip(f"{name} {word(result)}", tone(result))
            for name, result in (
                ("DMARC", authentication.dmarc),
                ("SPF", authentication.spf),
                ("DKIM", authentication.dkim),
            )
        )
    )
    if authentication.reasons:
        with st.expander("How this was found"):
            draw_marked(
                [line(run(reason), icon="dot") for reason in authentication.reasons], "list"
            )


def _error_sentence(error: str) -> str:
    """Return an error that is a sentence as it is; say of a rule's name that it could not run."""
    return error if error.endswith(".") and ":" not in error else f"Could not run: {rule(error)}"


def _miss_line(name: str) -> TextLine:
    return line(run(rule(name), "plain", name), run(f"  {explain_rule(name)}", "quiet"), icon="dot")


def _hit_line(hit: Hit) -> TextLine:
    about = f"  {explain_rule(hit.rule)}" if explain_rule(hit.rule) else ""
    strength = f"alone it speaks for an attack by {percent(hit.score)}"
    return line(
        run(rule(hit.rule), "strong", f"{hit.rule}: {hit.technique}, layer {hit.layer}"),
        run(about, "quiet"),
        run(f"\nin {PLACE_NAMES.get(hit.place, word(hit.place))}; {strength}\n", "quiet"),
        run(excerpt(hit.excerpt), "hidden"),
        icon="warn",
    )
