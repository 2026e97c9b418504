"""The form of a saved reply that people keep."""

import streamlit as st

from data.records.core.learning import SavedReplyView
from data.records.core.understanding import Category, IntentKind
from data.records.mail.orders import SaveReply
from ui.core.session import attempt, say
from ui.core.text.words import LANGUAGES, language, word
from ui.core.widgets.moves import moves
from ui.mail.api.desk import mail_desk
from ui.mail.deciding.double_press import key_of

_HELP = (
    "A draft that takes something from it names it as its source. {answer} is the place for the "
    "answer; {first_name}, {name} and {organization} may stand in greeting and closing, which "
    "every letter gets from the policy. Nothing else may stand in braces."
)
_FIELDS = ("title", "language", "intent", "categories", "body")


def reply_form(reply: SavedReplyView | None) -> None:
    """Draw the fields and what can be done; None is a new one."""
    with st.container(key="card-reply"):
        st.text_input(
            "Title", reply.title if reply else "", key=_key("title", reply), max_chars=200
        )
        languages = list(LANGUAGES)
        if reply and reply.language not in languages:
            languages.append(reply.language)  # saving must not make it another one
        st.selectbox(
            "Language",
            languages,
            index=languages.index(reply.language) if reply else 0,
            key=_key("language", reply),
            format_func=language,
        )
        intents = ["", *(str(kind) for kind in IntentKind)]
        st.selectbox(
            "For which wishes",
            intents,
            index=intents.index(reply.intent) if reply and reply.intent in intents else 0,
            key=_key("intent", reply),
            format_func=lambda item: word(item) if item else "as a source alone",
            help="Around the answers to such wishes it stands in place of our own phrases.",
        )
        st.multiselect(
            "For mail of these categories",
            [str(category) for category in Category],
            default=list(reply.categories) if reply else [],
            key=_key("categories", reply),
            format_func=word,
            placeholder="all",
        )
        st.text_area(
            "Text",
            reply.body if reply else "",
            key=_key("body", reply),
            height=260,
            max_chars=8000,
            help=_HELP,
        )
    with st.container(key="actions"), st.container(horizontal=True, gap="small"):
        saving = key_of("reply-save", reply.id) if reply else "reply-save"
        st.button("Save", key=saving, type="primary", on_click=_save, args=(reply,))
        if reply is not None:
            st.button(
                "Retire",
                key=key_of("reply-retire", reply.id),
                help="No draft uses it any more; it stays on the list.",
                on_click=_retire,
                args=(reply.id,),
            )
        st.space("stretch")
        moves("replies")


def _key(name: str, reply: SavedReplyView | None) -> str:
    """Return the key of a field; the version is in it, so that a changed reply fills it anew."""
    return f"reply-{name}-{reply.id}-{reply.version}" if reply else f"reply-{name}-new"


def _save(reply: SavedReplyView | None) -> None:
    """Send what stands in the fields now; what is refused stays in them."""
    fields = {name: st.session_state.get(_key(name, reply)) for name in _FIELDS}
    if not str(fields["title"] or "").strip() or not str(fields["body"] or "").strip():
        say("warning", "Write a title and a text first.")
        return
    version = reply.version if reply else 0
    request = SaveReply.model_validate({**fields, "version": version})
    saved = attempt(
        lambda: (
            mail_desk().saved_replies.edit(reply.id, request)
            if reply
            else mail_desk().saved_replies.add(request)
        )
    )
    if saved:
        st.session_state["reply"] = saved.id
        if reply is None:
            for name in _FIELDS:
                st.session_state.pop(_key(name, None), None)
        say("done", "Saved: drafts may use it from now on.")


def _retire(id: str) -> None:
    if attempt(lambda: mail_desk().saved_replies.retire(id)):
        say("done", "Retired: no draft uses it any more. You can take that back.")
