"""Releasing a message and saying that rules which hit are wrong about its sender."""

from collections.abc import Callable

import streamlit as st

from data.records.mail.views import MessageView
from ui.core.chips import chips, make_muted
from ui.core.text.inert import one_line
from ui.core.text.screen_words import explain_rule, rule

NOT_ALLOWED = frozenset(
    {"blocked_sender", "guard_model", "lookalike_domain", "sender_mismatch", "unreadable_content"}
)
"""Rules about who the sender is, and a model's word; the engine allows neither for a sender."""


def release_and_allow(message: MessageView, decide: Callable[..., None]) -> None:
    """Offer to let rules that hit no longer count for this sender.

    `decide` takes id and subject of the message, the verb and the rules.
    """
    hits = message.screening.hits if message.screening else ()
    rules = [name for name in dict.fromkeys(hit.rule for hit in hits) if name not in NOT_ALLOWED]
    if not rules or message.sender is None:
        return
    with st.popover("Release and allow", icon=":material/how_to_reg:", key="held-allow"):
        st.text("From now on these rules do not count for")
        st.text(one_line(message.sender.email, 80))
        chosen = tuple(
            name
            for name in rules
            if st.checkbox(
                rule(name),
                key=f"allow-{message.id}-{name}",
                help=f"This rule: {explain_rule(name)}",
            )
        )
        chips(make_muted("Never for mail whose sender turns out to be forged; can be taken back."))
        st.button(
            "Release with this allowance",
            key="held-release-allow",
            type="primary",
            disabled=not chosen,
            on_click=decide,
            args=(message.id, message.subject, "release", chosen),
        )
