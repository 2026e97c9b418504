"""The way out of approved replies: into files or over a relay, with a check and a form."""

import streamlit as st

from data.records.core.kept_settings import SettingsChange
from data.records.core.setting_views import OutgoingView
from ui.core.chips import chip, chips, make_muted, section
from ui.core.session import attempt, core_desk, say
from ui.core.text.inert import make_inert, one_line
from ui.core.text.words import as_sentence, name_fields
from ui.core.widgets.conflict_forms import change_from, pin_form
from ui.core.widgets.typed import make_order
from ui.mail.widgets.administration.private_ca import (
    empty_private_ca,
    private_ca_fields,
    typed_private_ca,
)

WAYS = {"smtp": "Over a mail server", "file": "Into files here, to nobody"}
TLS = {
    "starttls": "STARTTLS (587)",
    "implicit": "from the first byte (465)",
    "none": "none, where the way is safe (25)",
}
LABELS = {
    "relay_host": "Server",
    "relay_port": "Port",
    "relay_tls": "Encryption",
    "relay_user": "Login name",
    "relay_password": "Password",
    "relay_mailbox": "Sign in",
    "relay_ca": "Private CA",
}
"""What the fields of the form are called, by the settings that they change."""
PORTS = {"starttls": 587, "implicit": 465, "none": 25}
"""The port that a server of each kind usually has."""


def outgoing() -> None:
    """Draw the card of the settings."""
    with st.container(key="card-settings-outgoing"):
        section("How replies leave")
        outgoing_form()


def outgoing_form(*, of_step: bool = False) -> None:
    """Draw how replies leave, whether the relay lets us in, and the form that changes it.

    Those `of_step` stand below the sentence of a first step, which says the first.
    """
    asked = st.session_state.pop("outgoing-asked", None)
    view = asked if isinstance(asked, OutgoingView) else core_desk().settings.outgoing()
    _draw_standing(view, of_step=of_step)
    if not view.changeable:
        chips(
            make_muted(
                "It is set in postern.toml or the environment; change it there, and restart."
            )
        )
    else:
        _fields(view)
    with st.container(horizontal=True):
        if view.changeable:
            st.button("Save and check", key="outgoing-save", type="primary", on_click=_save,
                      args=(view,))  # fmt: skip
        if view.transport == "smtp":
            st.button("Check", key="outgoing-ask", icon=":material/fact_check:", on_click=_ask,
                      help="Signs in and goes again; no mail is handed over")  # fmt: skip
        if view.kept_here:
            st.button("Use the default", key="outgoing-default", icon=":material/restart_alt:",
                      help="Nothing of it is kept here any more: as Postern comes, replies are "
                      "files.", on_click=_use_default, args=(view.kept_here,))  # fmt: skip


def _draw_standing(view: OutgoingView, *, of_step: bool) -> None:
    if view.transport == "file":
        if not of_step:
            st.text(
                "An approved reply becomes a file on this machine and reaches nobody, until you "
                "name a mail server that sends for you."
            )
        return
    if not of_step:
        st.text(one_line(f"Approved replies are handed to {view.where}.", 300))
    if view.answers:
        chips(chip("it lets us in", "good"))
    elif view.answers is False:
        trouble = as_sentence(name_fields(view.trouble, LABELS if view.changeable else {}))
        st.error(make_inert(f"{trouble} Replies wait, and are tried again.", limit=500),
                 icon=":material/error:")  # fmt: skip


def _fields(view: OutgoingView) -> None:
    mark = pin_form("outgoing", f"{view.transport}-{view.relay_host}-{view.relay_port}")
    way = st.radio("How", list(WAYS), index=list(WAYS).index(view.transport), horizontal=True,
                   format_func=lambda item: WAYS[item], key=f"outgoing-way-{mark}",
                   label_visibility="collapsed")  # fmt: skip
    st.session_state["outgoing-mark"] = mark
    if way != "smtp":
        return
    named = view.transport == "smtp"
    st.text_input("Server", view.relay_host if named else "", key=f"outgoing-host-{mark}",
                  max_chars=255, placeholder="smtp.harbor.example")  # fmt: skip
    with st.container(horizontal=True):
        tls = st.selectbox("Encryption", list(TLS), index=list(TLS).index(view.relay_tls),
                           format_func=lambda item: TLS[item], key=f"outgoing-tls-{mark}",
                           )  # fmt: skip
        st.number_input("Port", 1, 65535, view.relay_port if named else PORTS[str(tls)],
                        key=f"outgoing-port-{mark}-{tls}")  # fmt: skip
    _login(view, mark)
    private_ca_fields("outgoing", view.authorities, "this server")


def _login(view: OutgoingView, mark: str) -> None:
    """Draw who signs in: a name with a password, or a mailbox by its access tokens."""
    choices = ["", *view.token_mailboxes]
    if view.relay_mailbox and view.relay_mailbox not in choices:
        choices.append(view.relay_mailbox)
    mailbox = ""
    if len(choices) > 1:
        mailbox = st.selectbox(
            "Sign in", choices, index=choices.index(view.relay_mailbox),
            format_func=lambda item: f"by the access tokens of {item}" if item else
            "with a password, or not at all", key=f"outgoing-mailbox-{mark}",
            help="The consent of that mailbox has to cover sending too.",
        )  # fmt: skip
    else:
        st.caption("A server that asks for access tokens (Google, Microsoft) is signed in to by "
                   "those of a mailbox; name that one first, on the page Mailboxes.")  # fmt: skip
    if mailbox:
        return
    st.text_input("Login name, empty for none", view.relay_user, key=f"outgoing-user-{mark}",
                  max_chars=500)  # fmt: skip
    st.text_input(
        "Password",
        key="outgoing-password",
        type="password",
        max_chars=500,
        placeholder="Leave it empty to keep the one that is there" if view.has_password else "",
        help="It is kept in a file that only Postern's account may read, and never shown again.",
    )


def _save(view: OutgoingView) -> None:
    change = _typed(view)
    if change is None or change_from(("outgoing",), change) is None:
        return
    st.session_state["outgoing-password"] = ""
    empty_private_ca("outgoing")
    st.session_state["outgoing-troubled"] = False
    if change.transport == "file":
        say("done", "Approved replies become files from now on, and reach nobody.")
        return
    _ask()
    asked = st.session_state.get("outgoing-asked")
    if isinstance(asked, OutgoingView) and asked.answers:
        say("done", "Kept, and the server lets us in: approved replies leave over it.")
    else:
        say("warning", "Kept, but the server does not let us in; approved replies wait.")


def _typed(view: OutgoingView) -> SettingsChange | None:
    """Return what the form says; None, with a notice, where that cannot be meant."""
    mark = str(st.session_state.get("outgoing-mark") or "")

    def held(name: str) -> str:
        return str(st.session_state.get(f"outgoing-{name}-{mark}") or "").strip()

    if held("way") != "smtp":
        return SettingsChange(transport="file")
    if not held("host"):
        say("warning", "Write the name of the server.")
        return None
    tls = held("tls") or view.relay_tls
    fields: dict[str, object] = {
        "transport": "smtp",
        "relay_host": held("host"),
        "relay_port": int(st.session_state.get(f"outgoing-port-{mark}-{tls}") or PORTS[tls]),
        "relay_user": view.relay_user if held("mailbox") else held("user"),
        "relay_tls": tls,
    }
    if held("mailbox") or view.relay_mailbox:
        fields["relay_mailbox"] = held("mailbox")
    if (certificates := typed_private_ca("outgoing")) is not None:
        fields["relay_ca"] = certificates
    if password := str(st.session_state.get("outgoing-password") or ""):
        fields["relay_password"] = password
    return make_order(SettingsChange, fields, LABELS)


def _ask() -> None:
    asked = attempt(lambda: core_desk().settings.outgoing(ask=True))
    st.session_state["outgoing-asked"] = asked
    st.session_state["outgoing-troubled"] = asked is not None and asked.answers is False


def _use_default(names: tuple[str, ...]) -> None:
    change = SettingsChange(defaults=names)
    if change_from(("outgoing",), change) is not None:
        say("done", "The default counts again.")
