"""Mailboxes: how those that mail is fetched from are doing, with a check of each."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from data.counting import plural
from data.records.mail.mailbox_versions import MailboxVersion
from data.records.mail.mailboxes import MailboxPoll, MailboxSight, MailboxStanding
from ui.core.chips import chip, chips, empty, facts, make_muted, moment, section
from ui.core.session import attempt, guard_refusals, me
from ui.core.text.clock import now
from ui.core.text.inert import make_inert, one_line
from ui.core.text.words import as_sentence
from ui.core.widgets.heading import heading
from ui.core.widgets.plain_text import words
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.administration.mailbox_form import hold_outcome, mailbox_form
from ui.mail.widgets.administration.mailbox_versions import mailbox_versions, removed_mailboxes

STATES = {
    "new": "not fetched yet",
    "known": "fetched before",
    "changed": "the server has numbered it anew",
}


def show() -> None:
    """Draw the page."""
    heading("Mailboxes", "Where mail is fetched from, and whether that works.")
    with guard_refusals():
        standings = mail_desk().mailboxes.list_all()
        if not standings:
            empty(
                "Mail is fetched from no mailbox.",
                "Mail can still be sent here; or name a mailbox that you have, below.",
            )
        versions = mail_desk().mailboxes.versions() if me().administers else ()
        for standing in standings:
            _mailbox(standing, [version for version in versions if version.name == standing.name])
        if me().administers:
            there = {standing.name for standing in standings}
            newest = {version.name: version for version in reversed(versions)}
            removed_mailboxes([version for version in newest.values() if version.name not in there])
            with st.expander(
                "Add a mailbox", key=f"mailbox-add-{len(standings)}", expanded=not standings
            ):
                mailbox_form(None)


def _mailbox(standing: MailboxStanding, versions: Sequence[MailboxVersion]) -> None:
    name = standing.name
    with st.container(key=f"card-mailbox-{name}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            section(name)
            chips(_state(standing))
        words(f"{standing.user} at {standing.host}", "small", f"mailbox-{name}")
        facts(
            ("Folders", str(make_muted(one_line(", ".join(standing.folders), 200)))),
            ("Last try", str(moment(standing.polled_at, now())) if standing.polled_at else ""),
            ("Last success", str(moment(standing.succeeded_at, now()))
             if standing.succeeded_at else ""),
            ("Taken", str(make_muted(plural(standing.taken, "message")))),
            ("Left there", str(make_muted(_count_left(standing)))),
        )  # fmt: skip
        if standing.error and not _looked_since(standing):
            st.error(make_inert(as_sentence(standing.error), limit=400), icon=":material/error:")
        if me().administers:
            _actions(name)
            if standing.kept:
                with st.expander("Change it", key=f"mailbox-change-{name}"):
                    mailbox_form(standing)
                mailbox_versions(versions)
            else:
                chips(make_muted("It stands in mailboxes.yaml; change it there."))


def _looked_since(standing: MailboxStanding) -> MailboxSight | MailboxPoll | None:
    """Return what a check or a fetch after the last try saw; None where there was none."""
    outcome = st.session_state.get(f"mailbox-found-{standing.name}")
    looked_at = st.session_state.get(f"mailbox-found-at-{standing.name}")
    if not isinstance(outcome, MailboxSight | MailboxPoll) or not isinstance(looked_at, datetime):
        return None
    newer = standing.polled_at is None or looked_at > standing.polled_at
    return outcome if newer else None


def _state(standing: MailboxStanding) -> str:
    if not standing.enabled:
        return chip("switched off", "quiet")
    if standing.failures and (outcome := _looked_since(standing)) is not None:
        troubled = bool(outcome.troubles)
        return chip("see the last check" if troubled else "works since the last check",
                    "warn" if troubled else "good")  # fmt: skip
    if standing.failures:
        return chip(f"failed {plural(standing.failures, 'time')} in a row", "bad")
    return chip("works", "good") if standing.succeeded_at else chip("not tried yet", "info")


def _count_left(standing: MailboxStanding) -> str:
    parts = [plural(standing.left, "message")]
    if standing.too_large:
        parts.append(f"{standing.too_large:,} too large")
    return ", ".join(parts)


def _actions(name: str) -> None:
    with st.container(horizontal=True):
        st.button(
            "Check",
            key=f"mailbox-check-{name}",
            icon=":material/fact_check:",
            help="Signs in and looks; takes and marks nothing",
            on_click=_check,
            args=(name,),
        )
        st.button(
            "Fetch now",
            key=f"mailbox-poll-{name}",
            icon=":material/download:",
            on_click=_poll,
            args=(name,),
        )
    outcome = st.session_state.get(f"mailbox-found-{name}")
    if isinstance(outcome, MailboxSight):
        _sight(outcome)
    elif isinstance(outcome, MailboxPoll):
        _fetched(outcome)


def _check(name: str) -> None:
    hold_outcome(name, attempt(lambda: mail_desk().mailboxes.check(name)))


def _poll(name: str) -> None:
    hold_outcome(name, attempt(lambda: mail_desk().mailboxes.poll(name)))


def _sight(sight: MailboxSight) -> None:
    way = "encrypted" if sight.encrypted else "not encrypted: others on the way can read along"
    (st.warning if not sight.encrypted else st.success)(
        make_inert(f"Signed in at {sight.server}, {way}.", limit=200),
        icon=":material/lock_open:" if not sight.encrypted else ":material/check_circle:",
    )
    for folder in sight.folders:
        large = f", {folder.too_large:,} of them too large" if folder.too_large else ""
        st.text(
            f"{one_line(folder.folder, 100)}: {plural(folder.messages, 'message')} "
            f"({STATES[folder.state]}), {folder.waiting:,} to look at{large}"
        )
    _troubles(sight.troubles)


def _fetched(poll: MailboxPoll) -> None:
    more = " There is more; press again." if poll.more else ""
    if poll.taken or poll.known:
        st.text(f"{plural(poll.taken, 'message')} taken, {poll.known:,} were here already.{more}")
    elif not poll.troubles:
        st.text("There is nothing new.")
    _troubles(poll.troubles)


def _troubles(troubles: tuple[str, ...]) -> None:
    for trouble in troubles:
        st.warning(make_inert(trouble, limit=400), icon=":material/warning:")


if __name__ == "__main__":
    show()
