"""A private CA in a form: what is trusted, and where another one is given or it is taken out."""

from collections.abc import Sequence

import streamlit as st

from data.records.core.authorities import Authority
from data.records.mail.mailbox_oauth import LONGEST_PEM
from data.tls import pem_of
from ui.core.chips import chip, chips, make_muted
from ui.core.text.clock import now
from ui.core.text.inert import one_line


def private_ca_fields(key: str, authorities: Sequence[Authority], whose: str) -> None:
    """Draw what is trusted, and the fields; `key` is the form's, `whose` the server's."""
    with st.expander("Private CA", key=f"ca-{key}", expanded=bool(authorities)):
        for authority in authorities:
            trouble = authority.trouble(now())
            kind = "a CA" if authority.signs_others else "the server's own, it signed itself"
            chips(
                make_muted(f"{one_line(authority.subject, 120)}, {kind}"),
                chip(f"until {authority.expires_at:%Y-%m-%d}", "warn" if trouble else "good"),
            )
        if authorities:
            st.checkbox("Trust it no more", key=f"ca-gone-{key}")
        st.caption(
            "Where the server's certificate is signed by a CA of your own, give that one's "
            f"certificate: paste it, or choose its file. It counts for {whose} alone."
        )
        st.text_area("Certificate (PEM)", key=f"ca-text-{key}", max_chars=LONGEST_PEM,
                     height=90, placeholder="-----BEGIN CERTIFICATE-----")  # fmt: skip
        st.file_uploader("Certificate as a file", type=["pem", "crt", "cer", "der"],
                         max_upload_size=1, key=_file_key(key))  # fmt: skip


def typed_private_ca(key: str) -> str | None:
    """Return the certificates given now, nothing where they shall go, None where they stay."""
    uploaded = st.session_state.get(_file_key(key))
    if pasted := str(st.session_state.get(f"ca-text-{key}") or "").strip():
        return pasted + "\n"
    if uploaded is not None:
        return pem_of(uploaded.getvalue())
    return "" if st.session_state.get(f"ca-gone-{key}") else None


def empty_private_ca(key: str) -> None:
    """Empty the fields, whose content is kept now."""
    st.session_state[f"ca-text-{key}"] = ""
    st.session_state.pop(f"ca-gone-{key}", None)
    st.session_state[f"ca-turn-{key}"] = _turn(key) + 1


def _file_key(key: str) -> str:
    return f"ca-file-{key}-{_turn(key)}"


def _turn(key: str) -> int:
    return int(st.session_state.get(f"ca-turn-{key}") or 0)
