"""What the screen found and whether the sender is who the message says."""

import streamlit as st

from data.records.screening import Authentication, AuthResult, Hit, Screening, SecurityFlags
from ui.runs import Line, line, run
from ui.widgets.chips import chip, chips, meter, muted, section
from ui.widgets.marked import marked
from ui.words import plural, technique, tone, word

SENDERS: dict[AuthResult, str] = {
    AuthResult.PASS: "It was sent by the domain that it names.",
    AuthResult.FAIL: "It was not sent by the domain that it names.",
    AuthResult.NOT_ESTABLISHED: "Nobody could establish that it was sent by whom it names.",
}
"""What DMARC says about the sender, in a sentence."""


def screened(screening: Screening | None) -> None:
    """Draw the verdict, every hit with its words, and the rules that found nothing."""
    section("Screening")
    if screening is None:
        chips(muted("Not screened yet."))
        return
    chips(
        chip(screening.verdict),
        muted("looks like an attack"),
        meter(screening.score, "How strongly this looks like an attack"),
    )
    kinds = dict.fromkeys(technique(hit.technique) for hit in screening.hits)
    if told := "; ".join(kind for kind in kinds if kind):
        marked([line(run(f"{told[0].upper()}{told[1:]}."))], "list")
    if screening.hits:
        hits(screening.hits)
    if screening.excused:
        chips(muted("Not counted, for somebody allowed it for this sender:"))
        hits(screening.excused)
    if screening.errors:
        marked(
            [line(run(f"Could not run: {name}"), icon="warn") for name in screening.errors], "list"
        )
    if screening.misses:
        with st.expander(f"{plural(len(screening.misses), 'rule')} found nothing"):
            marked([line(run(name), icon="dot") for name in screening.misses], "list")


def flags(kept: SecurityFlags | None) -> None:
    """Draw the record that was kept when the message was stopped."""
    if kept is None:
        return
    with st.expander("Security record"):
        pairs = (
            ("Injection detected", "yes" if kept.injection_detected else "no"),
            ("Type", word(kept.injection_type or "none")),
            ("Confidence", f"{kept.confidence:.2f}"),
            ("Scanned", kept.scan_timestamp.isoformat(timespec="seconds")),
            ("Flagged content", kept.flagged_content or ""),
        )
        marked([line(run(f"{name}  ", "quiet"), run(value)) for name, value in pairs], "list")


def hits(found: tuple[Hit, ...]) -> None:
    """Draw rules that found something, each with the words it found."""
    marked([_hit(hit) for hit in found], look="list")


def authenticated(authentication: Authentication | None) -> None:
    """Draw whether the sender is who From says; what is not established is not a pass."""
    section("Sender")
    found = authentication or Authentication()
    chips(muted(SENDERS[found.dmarc]))
    chips(
        *(
            chip(f"{name} {word(result)}", tone(result))
            for name, result in (("DMARC", found.dmarc), ("SPF", found.spf), ("DKIM", found.dkim))
        )
    )
    if found.reasons:
        with st.expander("How this was found"):
            marked([line(run(reason), icon="dot") for reason in found.reasons], "list")


def _hit(hit: Hit) -> Line:
    return line(
        run(word(hit.rule), "strong", f"{hit.technique}, layer {hit.layer}"),
        run(f"  {word(hit.place)}, {hit.score:.2f}\n", "quiet"),
        run(hit.excerpt, "hidden"),
        icon="warn",
    )
