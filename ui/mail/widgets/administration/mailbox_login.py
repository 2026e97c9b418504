"""The sign-in of a mailbox, in its form: a password or access tokens."""

import streamlit as st

from data.records.mail.mailbox_oauth import KeepOAuth
from data.records.mail.mailboxes import KeepMailbox

PASSWORD, TOKENS = "password", "tokens"
WAYS = {PASSWORD: "With a password", TOKENS: "With access tokens (OAuth 2)"}
CONSENTED, BY_ITSELF = "consented", "itself"
GRANTS = {
    CONSENTED: "The mailbox's owner has consented",
    BY_ITSELF: "The application reads by its own right",
}
LOGIN_FIELDS = (
    "way", "token-url", "client", "grant", "scope", "public", "token-ca",
)  # fmt: skip
"""What is typed here and is no secret, by the middle of its key."""
SECRET_FIELDS = ("password", "client-secret", "refresh-token")
KEEP = "Leave it empty to keep the one that is there"
HIDDEN = "It is kept in a file that only Postern's account may read, and never shown again."


def login_fields(key: str, mailbox_kept: KeepMailbox) -> None:
    """Draw how the mailbox is signed in to."""
    oauth = mailbox_kept.oauth
    way = st.radio("Sign in", list(WAYS), index=1 if oauth else 0, horizontal=True,
                   format_func=lambda item: WAYS[item], key=f"mailbox-way-{key}")  # fmt: skip
    there = bool(mailbox_kept.user)
    if way == PASSWORD:
        _secret("Password", "password", key, there=there and oauth is None)
    else:
        _token_fields(key, oauth)


def _token_fields(key: str, oauth: KeepOAuth | None) -> None:
    st.caption(
        "Google and Microsoft let mailboxes be read in this way alone. Register an application "
        "with them; its page names what is asked for here. Token endpoint of Google: "
        "https://oauth2.googleapis.com/token, of Microsoft: "
        "https://login.microsoftonline.com/TENANT/oauth2/v2.0/token"
    )
    st.text_input("Token endpoint", oauth.token_url if oauth else "", max_chars=500,
                  key=f"mailbox-token-url-{key}",
                  placeholder="https://oauth2.googleapis.com/token")  # fmt: skip
    st.text_input("Client id", oauth.client_id if oauth else "", max_chars=500,
                  key=f"mailbox-client-{key}")  # fmt: skip
    grant = st.radio("What it may", list(GRANTS), index=int(oauth is not None and
                     not oauth.refreshes), horizontal=True, key=f"mailbox-grant-{key}",
                     format_func=lambda item: GRANTS[item])  # fmt: skip
    public = False
    if grant == CONSENTED:
        there = oauth is not None and oauth.refreshes
        _secret("Refresh token", "refresh-token", key, there=there, most=10_000)
        public = st.checkbox("The application has no secret", oauth is not None and
                             not oauth.has_secret, key=f"mailbox-public-{key}")  # fmt: skip
    if not public:
        there = oauth is not None and oauth.has_secret
        _secret("Client secret", "client-secret", key, there=there, most=2000)
    st.text_input("Scope, empty for what was consented to", oauth.scope if oauth else "",
                  max_chars=1000, key=f"mailbox-scope-{key}")  # fmt: skip
    st.checkbox("The token endpoint's certificate is of the private CA below too",
                oauth is not None and oauth.private_ca, key=f"mailbox-token-ca-{key}")  # fmt: skip


def _secret(label: str, field: str, key: str, *, there: bool, most: int = 500) -> None:
    st.text_input(label, key=f"mailbox-{field}-{key}", type="password", max_chars=most,
                  placeholder=KEEP if there else "", help=HIDDEN)  # fmt: skip


def typed_login(key: str) -> dict[str, object]:
    """Return what the fields say, as an order takes it."""
    if st.session_state.get(f"mailbox-way-{key}") != TOKENS:
        return {"password": str(st.session_state.get(f"mailbox-password-{key}") or "")}
    refreshes = st.session_state.get(f"mailbox-grant-{key}") != BY_ITSELF
    has_secret = not (refreshes and st.session_state.get(f"mailbox-public-{key}"))
    oauth = {
        "token_url": _read_field("token-url", key),
        "client_id": _read_field("client", key),
        "has_secret": has_secret,
        "client_secret": _read_field("client-secret", key) if has_secret else "",
        "refreshes": refreshes,
        "refresh_token": _read_field("refresh-token", key) if refreshes else "",
        "scope": _read_field("scope", key),
        "private_ca": bool(st.session_state.get(f"mailbox-token-ca-{key}")),
    }
    return {"oauth": oauth}


def _read_field(name: str, key: str) -> str:
    return str(st.session_state.get(f"mailbox-{name}-{key}") or "").strip()
