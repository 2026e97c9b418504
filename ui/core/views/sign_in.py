"""The page before everything else: a token, from the link or pasted."""

import streamlit as st

from ui.core.text.inert import make_inert


def show() -> None:
    """Draw the field for the token."""
    with (
        st.container(key="sign-in", horizontal_alignment="center"),
        st.container(key="card-sign-in", width=420),
    ):
        st.html('<h1 class="title">Sign in to Postern</h1>')
        ended = st.session_state.pop("ended", "")
        if ended:
            st.warning(make_inert(ended, limit=400), icon=":material/lock_clock:")
        st.text("Open the link that was printed when Postern started,\nor paste its token here.")
        with st.form("sign-in-form", border=False):
            token_typed = st.text_input("Token", type="password", key="given-token")
            pressed = st.form_submit_button("Sign in", type="primary", width="stretch")
        if pressed and token_typed and token_typed.strip():
            st.session_state["token"] = token_typed.strip()
            st.rerun()


if __name__ == "__main__":
    show()
