"""Cards beside a message of the inbox: what was found, its envelope, files, ways on."""

from functools import partial

import streamlit as st

from data.records.core.parsed_mail import Attachment
from data.records.mail.views import MessageView
from data.states import MessageStatus
from ui.core.chips import chip, chips, make_muted
from ui.core.pages import switch_to
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, say
from ui.core.text.inert import make_inert, shorten_middle
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import double_press
from ui.mail.widgets.message.bodies import FILES
from ui.mail.widgets.message.documents import read_button
from ui.mail.widgets.message.previews import download_button, preview_button
from ui.mail.widgets.quarantine.screened import draw_screening, draw_sender
from ui.mail.widgets.quarantine.taking_back import take_back


def draw_beside(message: MessageView) -> None:
    """Draw screening, sender, machine's signs, envelope, files, and where else to go."""
    with st.container(key="card-screen"):
        draw_screening(message)
        draw_sender(message)
        take_back(message)
    if message.automated and message.automated.automated:
        with st.container(key="card-automated"):
            chips(
                make_muted("Written by a machine, so no machine answers:"),
                chip(message.automated.kind, "quiet"),
            )
            draw_marked(
                [line(run(reason), icon="dot") for reason in message.automated.reasons], "list"
            )
    with st.container(key="card-envelope"):
        _envelope(message)
        _files(message)
        _turns(message)


def _envelope(message: MessageView) -> None:
    pairs = (
        ("Envelope sender", message.mail_from or "<> (a machine's report)"),
        ("Envelope recipient", ", ".join(message.rcpt_to)),
        ("Message-ID", message.message_id or "none"),
        *((("Conversation", message.thread_reason),) if message.thread_reason else ()),
    )
    draw_marked([line(run(f"{name}  ", "quiet"), run(value)) for name, value in pairs], "list")


def _files(message: MessageView) -> None:
    messages = mail_desk().messages
    files = list(enumerate(message.attachments))
    for number, entry in files[:FILES]:
        _file(message, number, entry)
    if len(files) > FILES:
        with st.expander(f"{len(files) - FILES} more to download"):
            for number, entry in files[FILES:]:
                _file(message, number, entry)
    st.download_button(
        "Message as it came (.eml)",
        data=partial(messages.raw, message.id),
        file_name=f"{message.id}.eml",
        mime="application/octet-stream",
        key="raw",
        icon=":material/download:",
        on_click="ignore",
        type="tertiary",
    )


def _file(message: MessageView, number: int, entry: Attachment) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        name = make_inert(shorten_middle(entry.filename, 44))
        download_button(message, entry, f"attachment-{number}", name)
        preview_button(message, entry, f"preview-{number}")
        read_button(message, entry, f"read-{number}")


def _turns(message: MessageView) -> None:
    with st.container(horizontal=True, gap="small"):
        if message.thread_id and st.button(
            "Conversation", key="to-thread", icon=":material/forum:"
        ):
            st.session_state["thread"] = message.thread_id
            st.session_state["inbox-next"] = "Conversations"  # the choice is drawn already
            st.rerun()
        if message.case_id and st.button("Case", key="to-case", icon=":material/rate_review:"):
            st.session_state["case"] = message.case_id
            switch_to("review")
        if message.segments is not None:
            _spam(message)
        if message.status is MessageStatus.STORED and message.segments is not None:
            st.button(
                "A person wrote this",
                key="person",
                icon=":material/person:",
                help="Makes a case of it; what its sender sends alike is a person's from then on",
                on_click=_person,
                args=(message.id,),
            )
        if message.status is MessageStatus.FAILED:
            st.button(
                "Work on it again",
                key=double_press.key_of("replay", message.id),
                icon=":material/replay:",
                on_click=_replay,
                args=(message.id,),
            )


def _spam(message: MessageView) -> None:
    """Offer to say what the message is; only the judge of spam learns from it."""
    for label, spam, icon in (
        ("Spam", True, ":material/report:"),
        ("Not spam", False, ":material/thumb_up:"),
    ):
        st.button(
            label,
            key=double_press.key_of(f"teach-{'spam' if spam else 'wanted'}", message.id),
            icon=icon,
            disabled=message.taught is spam,
            help="Later mail is judged by it; this message stays where it is",
            on_click=_teach,
            args=(message.id, spam),
        )


def _teach(id: str, spam: bool) -> None:
    if attempt(lambda: mail_desk().messages.correct(id, spam)):
        say("done", "Later mail is judged by it.")


def _person(id: str) -> None:
    if attempt(lambda: mail_desk().messages.call_personal(id)):
        say("done", "It becomes a case. “Take it back” stands beside the message.")
    redraw("messages", "item")


def _replay(id: str) -> None:
    if attempt(lambda: mail_desk().messages.replay(id)):
        say("done", "It goes through the stages again.")
    redraw("messages", "item")
