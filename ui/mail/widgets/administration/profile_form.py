"""The organization's profile: name, addresses, language, time zone, tone, signature."""

from zoneinfo import available_timezones

import streamlit as st

from data.records.core.profiles import EditProfile, ProfileView
from ui.core.session import attempt, core_desk, say
from ui.core.text.words import LANGUAGES, language


def address_form(profile_view: ProfileView) -> None:
    """Draw name, addresses, language and time zone."""
    own, key = profile_view.profile, profile_view.was
    st.text_input("Name, as letters bear it", own.name, key=f"profile-name-{key}", max_chars=200)
    st.text_area(
        "Addresses that mail is answered for, one a line; the first one is the sender of replies",
        "\n".join(own.addresses),
        key=f"profile-addresses-{key}",
        height=110,
        max_chars=5000,
    )
    languages = list(dict.fromkeys((*LANGUAGES, own.language)))
    zones = sorted(available_timezones() | {own.timezone})
    with st.container(horizontal=True):
        st.selectbox("Language, when the sender's is not known", languages,
                     index=languages.index(own.language), format_func=language,
                     key=f"profile-language-{key}")  # fmt: skip
        st.selectbox("Time zone", zones, index=zones.index(own.timezone),
                     key=f"profile-zone-{key}")  # fmt: skip
    st.button("Save", key="profile-save-address", type="primary", on_click=_save_address,
              args=(profile_view,))  # fmt: skip


def voice_form(profile_view: ProfileView) -> None:
    """Draw tone and signature."""
    own, key = profile_view.profile, profile_view.was
    st.text_input("Tone, in a sentence", own.tone, key=f"profile-tone-{key}", max_chars=500,
                  placeholder="Warm and short; first names; no promises")  # fmt: skip
    st.text_area("Signature, under every reply", own.signature, key=f"profile-signature-{key}",
                 height=110, max_chars=2000)  # fmt: skip
    st.button("Save", key="profile-save-voice", type="primary", on_click=_save_voice,
              args=(profile_view,))  # fmt: skip


def _read_field(name: str, profile_view: ProfileView) -> str:
    return str(st.session_state.get(f"profile-{name}-{profile_view.was}") or "")


def _save_address(profile_view: ProfileView) -> None:
    lines = _read_field("addresses", profile_view).replace(",", "\n").splitlines()
    _save(
        profile_view,
        {
            "name": _read_field("name", profile_view).strip(),
            "addresses": tuple(line.strip() for line in lines if line.strip()),
            "language": _read_field("language", profile_view),
            "timezone": _read_field("zone", profile_view),
        },
    )


def _save_voice(profile_view: ProfileView) -> None:
    tone, signature = (
        _read_field("tone", profile_view).strip(),
        _read_field("signature", profile_view).strip("\n"),
    )
    _save(profile_view, {"tone": tone, "signature": signature})


def _save(profile_view: ProfileView, fields: dict[str, object]) -> None:
    edit_profile = EditProfile(
        profile=profile_view.profile.model_copy(update=fields), was=profile_view.was
    )
    if attempt(lambda: core_desk().organizations.edit_profile(edit_profile)) is not None:
        st.session_state.pop("me", None)  # which holds the name and the zone
        say("done", "Saved; it counts from the next mail on.")
