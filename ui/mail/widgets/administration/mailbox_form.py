"""The form of a mailbox that is fetched from over IMAP."""

from collections.abc import Sequence

import streamlit as st
from pydantic import ValidationError

from data.errors import ConflictError
from data.records.mail.mailboxes import (
    ChangeMailbox,
    KeepMailbox,
    MailboxAfter,
    MailboxPoll,
    MailboxSight,
    MailboxStanding,
    MailboxTls,
)
from ui.core.session import attempt, say
from ui.core.text.clock import now
from ui.core.widgets.conflict_forms import begin_anew, begun_with, keep_typed, tell_changes
from ui.core.widgets.typed import describe_unfit
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.administration.mailbox_login import (
    LOGIN_FIELDS,
    SECRET_FIELDS,
    login_fields,
    typed_login,
)
from ui.mail.widgets.administration.private_ca import (
    empty_private_ca,
    private_ca_fields,
    typed_private_ca,
)

TLS = {
    MailboxTls.IMPLICIT: "from the first byte (993)",
    MailboxTls.STARTTLS: "STARTTLS (143)",
    MailboxTls.NONE: "none, on this machine alone",
}
AFTER = {
    MailboxAfter.SEEN: "it is marked as read",
    MailboxAfter.KEYWORD: "it gets the keyword Postern",
    MailboxAfter.MOVE: "it is moved to a folder",
    MailboxAfter.LEAVE: "nothing",
}

LABELS = {"token_url": "Token endpoint", "client_id": "Client id", "ca_pem": "Private CA"}


def mailbox_form(standing: MailboxStanding | None) -> None:
    """Draw the fields; None is a new one."""
    key = standing.name if standing else "new"
    if standing is not None:
        standing = begun_with(f"mailbox-{key}", standing, _fields)
    mailbox_kept = standing.kept if standing else None
    mailbox_kept = mailbox_kept or KeepMailbox.model_construct(host="", user="")
    if standing is None:
        for field, value in _values(mailbox_kept).items():
            st.session_state.setdefault(f"mailbox-{field}-{key}", value)
    if standing is None:
        st.text_input("Short name", key="mailbox-name-new", max_chars=63, placeholder="support",
                      help="a-z, 0-9 and -")  # fmt: skip
    st.text_input("Server", key=f"mailbox-host-{key}", max_chars=255,
                  placeholder="imap.harbor.example")  # fmt: skip
    with st.container(horizontal=True):
        st.selectbox("Encryption", list(TLS), format_func=lambda item: TLS[item],
                     key=f"mailbox-tls-{key}")  # fmt: skip
        st.number_input("Port (0 for the usual one)", 0, 65535, key=f"mailbox-port-{key}")
    st.text_input("Login name", key=f"mailbox-user-{key}",
                  max_chars=500)  # fmt: skip
    login_fields(key, mailbox_kept)
    authorities = standing.authorities if standing else ()
    private_ca_fields(f"mailbox-{key}", authorities, "this mailbox")
    st.text_input(
        "Folders, with commas",
        key=f"mailbox-folders-{key}",
        max_chars=1000,
    )
    after = st.selectbox("What happens there to a message that is here", list(AFTER),
                         format_func=lambda item: AFTER[item], key=f"mailbox-after-{key}",
                         )  # fmt: skip
    if after is MailboxAfter.MOVE:
        st.text_input(
            "To which folder", mailbox_kept.move_to, key=f"mailbox-move-{key}", max_chars=500
        )
    st.number_input("Days of mail that the first look takes", 0, 36_500,
                    key=f"mailbox-since-{key}")  # fmt: skip
    st.checkbox("Mail is fetched from it", key=f"mailbox-enabled-{key}")
    with st.container(horizontal=True):
        st.button("Save and check", key=f"mailbox-save-{key}", type="primary", on_click=_save,
                  args=(key, standing))  # fmt: skip
        if standing is not None:
            with st.popover("Remove", key=f"mailbox-gone-{key}"):
                st.text("It is fetched from no more, and its secrets are deleted. What was taken "
                        "stays.")  # fmt: skip
                st.button("Remove it", key=f"mailbox-remove-{key}", on_click=_remove,
                          args=(key,))  # fmt: skip


def _fields(standing: MailboxStanding) -> dict[str, object]:
    """Return what the fields hold of a mailbox that is kept, by their keys."""
    values = _values(standing.kept) if standing.kept else {}
    return {f"mailbox-{field}-{standing.name}": value for field, value in values.items()}


def _values(mailbox: KeepMailbox) -> dict[str, object]:
    """Return what the fields hold of a mailbox, by the middle of their keys."""
    return {
        "host": mailbox.host,
        "tls": mailbox.tls,
        "port": mailbox.port,
        "user": mailbox.user,
        "folders": ", ".join(mailbox.folders),
        "after": mailbox.after,
        "since": mailbox.since,
        "enabled": mailbox.enabled,
    }


def _keep(name: str, order: ChangeMailbox, standing: MailboxStanding | None) -> object:
    """Keep a mailbox; where somebody was faster, have the form tell it and keep what is typed."""
    try:
        standings = mail_desk().mailboxes.keep(name, order)
    except ConflictError as error:
        there = {other.name: other for other in mail_desk().mailboxes.list_all()}.get(name)
        if standing is None or there is None or there.version == standing.version:
            raise
        keep_typed(f"mailbox-{name}", standing, there, _fields)
        before, now_there = (_values(each.kept) if each.kept else {} for each in (standing, there))
        raise ConflictError(f"{error}. {tell_changes(before, now_there)}") from error
    if standing is not None:
        begin_anew(f"mailbox-{name}", {other.name: other for other in standings}[name], _fields)
    return standings


def _save(key: str, standing: MailboxStanding | None) -> None:
    name = standing.name if standing else _read_field("name", key)
    fits = all(letter.isascii() and (letter.isalnum() or letter == "-") for letter in name)
    if not name or not fits or name != name.lower() or name.startswith("-"):
        say("warning", "Write a short name of a-z, 0-9 and -.")
        return
    if not _read_field("host", key) or not _read_field("user", key):
        say("warning", "Write the server and the login name.")
        return
    try:
        order = _typed(key, standing)
    except ValidationError as error:
        say("warning", describe_unfit(error, LABELS))
        return
    if attempt(lambda: _keep(name, order, standing)) is None:
        return
    _empty_fields(SECRET_FIELDS if standing else ("name", "host", "user", *SECRET_FIELDS), key)
    for field in LOGIN_FIELDS if standing is None else ():
        st.session_state.pop(f"mailbox-{field}-{key}", None)
    empty_private_ca(f"mailbox-{key}")
    sight = attempt(lambda: mail_desk().mailboxes.check(name))
    hold_outcome(name, sight)
    works = " and works" if sight is not None and not sight.troubles else ""
    say("done", f"{name} is kept{works}.")


def _typed(key: str, standing: MailboxStanding | None) -> ChangeMailbox:
    """Return what the fields say; raises ValidationError where that cannot be meant."""
    mailbox_kept = standing.kept if standing else None
    after = MailboxAfter(st.session_state[f"mailbox-after-{key}"])
    certificates = typed_private_ca(f"mailbox-{key}")
    if certificates is None:
        certificates = mailbox_kept.ca_pem if mailbox_kept else ""
    folders = tuple(part.strip() for part in _read_field("folders", key).split(",") if part.strip())
    fields = {
        "host": _read_field("host", key),
        "port": int(st.session_state.get(f"mailbox-port-{key}") or 0),
        "tls": MailboxTls(st.session_state[f"mailbox-tls-{key}"]),
        "user": _read_field("user", key),
        "folders": folders or ("INBOX",),
        "after": after,
        "move_to": _read_field("move", key) if after is MailboxAfter.MOVE else "",
        "since": int(st.session_state[f"mailbox-since-{key}"]),
        "to": mailbox_kept.to if mailbox_kept else "",
        "enabled": bool(st.session_state.get(f"mailbox-enabled-{key}")),
        "ca_pem": certificates,
        "was": standing.version if standing else 0,
    }
    return ChangeMailbox.model_validate(fields | typed_login(key))


def _read_field(name: str, key: str) -> str:
    return str(st.session_state.get(f"mailbox-{name}-{key}") or "").strip()


def _empty_fields(fields: Sequence[str], key: str) -> None:
    for field in fields:
        st.session_state[f"mailbox-{field}-{key}"] = ""


def hold_outcome(name: str, outcome: MailboxSight | MailboxPoll | None) -> None:
    """Keep what a check or a look brought, and when, until the next one."""
    st.session_state[f"mailbox-found-{name}"] = outcome
    st.session_state[f"mailbox-found-at-{name}"] = now()


def _remove(name: str) -> None:
    def gone() -> bool:
        mail_desk().mailboxes.remove(name)
        return True

    if attempt(gone):
        say("done", f"{name} is forgotten.")
