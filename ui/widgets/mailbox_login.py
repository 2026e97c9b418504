"""How a mailbox is signed in to, in its form: a password or access tokens, and a private CA."""

import streamlit as st

from data.records.mail.mailbox_oauth import LONGEST_PEM, KeepOAuth
from data.records.mail.mailboxes import KeepMailbox, MailboxStanding
from data.tls import pem_of
from ui.chips import chip, chips, muted
from ui.clock import now
from ui.inert import one_line

PASSWORD, TOKENS = "password", "tokens"
WAYS = {PASSWORD: "With a password", TOKENS: "With access tokens (OAuth 2)"}
CONSENTED, BY_ITSELF = "consented", "itself"
GRANTS = {
    CONSENTED: "The mailbox's owner has consented",
    BY_ITSELF: "The application reads by its own right",
}
LOGIN_FIELDS = (
    "way", "token-url", "client", "grant", "scope", "public", "token-ca", "ca-gone",
)  # fmt: skip
"""What is typed here and is no secret, by the middle of its key."""
SECRET_FIELDS = ("password", "client-secret", "refresh-token", "ca")
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
        "token_url": _held("token-url", key),
        "client_id": _held("client", key),
        "has_secret": has_secret,
        "client_secret": _held("client-secret", key) if has_secret else "",
        "refreshes": refreshes,
        "refresh_token": _held("refresh-token", key) if refreshes else "",
        "scope": _held("scope", key),
        "private_ca": bool(st.session_state.get(f"mailbox-token-ca-{key}")),
    }
    return {"oauth": oauth}


def authority_fields(key: str, standing: MailboxStanding | None) -> None:
    """Draw the private CA: what is trusted, and where another one is given or it is taken out."""
    authorities = standing.authorities if standing else ()
    with st.expander("Private CA", key=f"mailbox-authority-{key}", expanded=bool(authorities)):
        for authority in authorities:
            trouble = authority.trouble(now())
            kind = "a CA" if authority.signs_others else "the server's own, it signed itself"
            chips(
                muted(f"{one_line(authority.subject, 120)}, {kind}"),
                chip(f"until {authority.expires_at:%Y-%m-%d}", "warn" if trouble else "good"),
            )
        if authorities:
            st.checkbox("Trust it no more", key=f"mailbox-ca-gone-{key}")
        st.caption(
            "Where the server's certificate is signed by a CA of your own, give that one's "
            "certificate: paste it, or choose its file. It counts for this mailbox alone."
        )
        st.text_area("Certificate (PEM)", key=f"mailbox-ca-{key}", max_chars=LONGEST_PEM,
                     height=90, placeholder="-----BEGIN CERTIFICATE-----")  # fmt: skip
        st.file_uploader("Certificate as a file", type=["pem", "crt", "cer", "der"],
                         max_upload_size=1, key=_file_key(key))  # fmt: skip


def typed_authority(key: str, mailbox_kept: KeepMailbox | None) -> str:
    """Return the certificates that are to be trusted: those given now, else those that are kept."""
    uploaded = st.session_state.get(_file_key(key))
    if pasted := _held("ca", key):
        return pasted + "\n"
    if uploaded is not None:
        return pem_of(uploaded.getvalue())
    if mailbox_kept is None or st.session_state.get(f"mailbox-ca-gone-{key}"):
        return ""
    return mailbox_kept.ca_pem


def forget_file(key: str) -> None:
    """Empty the field of the file: what it held is kept."""
    st.session_state[f"mailbox-ca-turn-{key}"] = _turn(key) + 1


def _file_key(key: str) -> str:
    return f"mailbox-ca-file-{key}-{_turn(key)}"


def _turn(key: str) -> int:
    return int(st.session_state.get(f"mailbox-ca-turn-{key}") or 0)


def _held(name: str, key: str) -> str:
    return str(st.session_state.get(f"mailbox-{name}-{key}") or "").strip()
