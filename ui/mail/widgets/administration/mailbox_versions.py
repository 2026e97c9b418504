"""The settings that a mailbox has had: who kept them, what each changed, and the way back."""

from collections.abc import Sequence

import streamlit as st

from data.records.mail.mailbox_versions import MailboxVersion, RestoreMailbox
from ui.core.chips import chip, chips, make_muted, moment, section
from ui.core.session import attempt, say
from ui.core.text.clock import now
from ui.core.text.inert import make_inert
from ui.core.widgets.differences import draw_diff
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.administration.mailbox_login import LOGIN_FIELDS

SHOWN_VERSIONS = 20
PLAIN_FIELDS = ("host", "tls", "port", "user", "folders", "after", "move", "since", "enabled")
"""What the form of a mailbox has beside its login, by the middle of its key."""


def mailbox_versions(listed: Sequence[MailboxVersion]) -> None:
    """Draw the versions of one mailbox, the newest first; nothing where it has only one."""
    if len(listed) < 2:
        return
    with st.expander(
        "Versions", key=f"mailbox-versions-{listed[0].name}", on_change="rerun"
    ) as drawn:
        if drawn.open:
            moved = [entry for entry in listed if entry.mailbox.host != listed[0].mailbox.host]
            if moved:
                chips(make_muted("A version on another machine needs its password again."))
                _secret_fields(moved[0])
            for place, version in enumerate(listed[:SHOWN_VERSIONS]):
                before = listed[place + 1].number if place + 1 < len(listed) else 0
                _version(version, before, listed[0])


def removed_mailboxes(listed: Sequence[MailboxVersion]) -> None:
    """Draw the mailboxes that were removed, each to be kept again with its password."""
    if not listed:
        return
    with st.container(key="card-removed-mailboxes"):
        section("Removed")
        for entry in listed:
            with st.expander(f"{make_inert(entry.name)}: {make_inert(entry.mailbox.host)}",
                             key=f"mailbox-removed-{entry.name}"):  # fmt: skip
                chips(
                    make_muted(f"removed by {entry.author}"),
                    moment(entry.written_at, now()),
                )
                _secret_fields(entry)
                st.button(
                    "Fetch from it again",
                    key=f"mailbox-return-{entry.name}",
                    on_click=_restore,
                    args=(entry.name, entry.number, entry.number),
                )


def _secret_fields(entry: MailboxVersion) -> None:
    """Draw fields for the secrets that such settings need and that are kept no more."""
    oauth = entry.mailbox.oauth
    needed = [
        ("password", "Its password", oauth is None),
        ("refresh_token", "Its refresh token", oauth is not None and oauth.refreshes),
        ("client_secret", "The application's secret", oauth is not None and oauth.has_secret),
    ]
    for field, label, has_it in needed:
        if not has_it:
            continue
        st.text_input(label, key=f"mailbox-again-{field}-{entry.name}", type="password",
                      max_chars=2000, help="None is kept for that machine.")  # fmt: skip


def _version(entry: MailboxVersion, before: int, newest: MailboxVersion) -> None:
    with st.container(key=f"mailbox-version-{entry.name}-{entry.number}"):
        chips(
            make_muted(f"Version {entry.number} by {entry.author}"),
            moment(entry.written_at, now()),
            chip("removed", "quiet") if entry.removed else "",
            chip("counts now", "good") if entry.number == newest.number else "",
        )
        draw_diff(mail_desk().mailboxes.compare(entry.name, before, entry.number).lines)
        if entry.number != newest.number:
            st.button(
                "Let this one count again",
                key=f"mailbox-restore-{entry.name}-{entry.number}",
                on_click=_restore,
                args=(entry.name, entry.number, newest.number),
            )


def _restore(name: str, number: int, was: int) -> None:
    secrets = {
        field: str(st.session_state.get(f"mailbox-again-{field}-{name}") or "")
        for field in ("password", "client_secret", "refresh_token")
    }
    order = RestoreMailbox.model_validate({"number": number, "was": was, **secrets})
    if attempt(lambda: mail_desk().mailboxes.restore(name, order)) is not None:
        for field in (*PLAIN_FIELDS, *LOGIN_FIELDS):
            st.session_state.pop(f"mailbox-{field}-{name}", None)
        say("done", f"{name} is as version {number} again.")
