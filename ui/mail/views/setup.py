"""First steps: from an empty house to the first answer, each done when the state says so."""

import streamlit as st

from data.counting import plural
from data.records.core.organization import Mode
from data.records.core.policies import PolicyChange, SetPolicy
from data.records.mail.setting_up import Setup, SetupStep, StepName, TrialMail, TrialOrder
from data.states import CaseState, MessageStatus
from ui.core.chips import chip, chips, empty, make_muted
from ui.core.pages import page_file, switch_to
from ui.core.session import attempt, core_desk, guard_refusals, me, say
from ui.core.text.inert import make_inert, one_line
from ui.core.text.words import word
from ui.core.widgets.heading import heading
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.administration.host_name import host_name_form
from ui.mail.widgets.administration.outgoing import outgoing_form
from ui.mail.widgets.administration.profile_form import address_form, voice_form
from ui.mail.widgets.first_steps import TITLES, remember_steps

LEAD = "From an empty house to the first answer. A step is done when it is, not when it is pressed."
ENDED = (
    MessageStatus.QUARANTINED,
    MessageStatus.ARCHIVED,
    MessageStatus.STORED,
    MessageStatus.FAILED,
    MessageStatus.REJECTED,
)
"""Where a message comes to rest without a draft."""


def show() -> None:
    """Draw the page."""
    heading("First steps", LEAD, leads_back=False)
    with guard_refusals():
        if not me().administers:
            st.info("Only an administrator sets things up.", icon=":material/info:")
            return
        setup = mail_desk().setup.steps()
        if setup.done:
            empty("All of it is done.", "Mail comes in, is drafted, and you decide what leaves.")
        chips(
            make_muted(f"{sum(step.done for step in setup.steps)} of {len(setup.steps)} are done.")
        )
        remember_steps(setup)
        following = next((step.name for step in setup.steps if not step.done), None)
        for number, step in enumerate(setup.steps, start=1):
            mark = "✓" if step.done else f"{number}."
            with st.expander(
                f"{mark} {TITLES[step.name]}",
                expanded=step.name is following or _is_followed(step),
                key=f"setup-{step.name}-{step.done}-{step.name is following}",
            ):
                chips(chip("done", "good") if step.done else chip("to do", "warn"))
                st.text(one_line(step.sentence, 400))
                _DRAWN[step.name](setup)


def _is_followed(step: SetupStep) -> bool:
    """Return whether something that was pressed in a step is still to be seen there.

    A test mail on its way, or its draft; a server that was named and does not let us in.
    """
    pressed = {StepName.TRIAL: "trial", StepName.LEAVING: "outgoing-troubled"}
    return step.name in pressed and bool(st.session_state.get(pressed[step.name]))


def _address(_: Setup) -> None:
    address_form(core_desk().organizations.profile())


def _voice(_: Setup) -> None:
    voice_form(core_desk().organizations.profile())


def _people(_: Setup) -> None:
    st.text("Whoever is named there can be given cases, and signs in with a link of their own.")
    st.page_link(page_file("access"), label="People & access", icon=":material/group:")


def _knowledge(_: Setup) -> None:
    st.text("Paste what you know, or make entries of Markdown, text, PDF, Word or HTML files.")
    st.page_link(page_file("knowledge"), label="Knowledge", icon=":material/menu_book:")


def _policy(setup: Setup) -> None:
    st.text(
        "Begin with “Draft, and a person sends”. After some weeks the page shows beside each dial "
        "what would have left by itself, and what people made of it."
    )
    if not _is_done(setup, StepName.POLICY):
        st.button("A person sends everything", key="setup-keep-policy", type="primary",
                  on_click=_keep_policy)  # fmt: skip
    st.page_link(page_file("policy"), label="Policy", icon=":material/tune:")


def _keep_policy() -> None:
    """Keep as a decision what counts until somebody decides: each draft waits for a person."""
    version = attempt(lambda: mail_desk().policy.read().version.number)
    if version is None:
        return
    order = SetPolicy(change=PolicyChange(mode=Mode.SHADOW), was=version)
    if attempt(lambda: mail_desk().policy.keep(order)) is not None:
        say("done", "Everything is drafted, and a person sends.")


def _is_done(setup: Setup, name: StepName) -> bool:
    return any(step.done for step in setup.steps if step.name is name)


def _trial(setup: Setup) -> None:
    """Draw the test mail: written, handed in, and followed to its draft."""
    sent = str(st.session_state.get("trial") or "")
    if sent:
        _follow(sent, drafted_before=_is_done(setup, StepName.TRIAL))
    st.text_input("Subject", "A question", key="trial-subject", max_chars=200)
    st.text_area("Text", "Hello,\n\nwhen are you open?\n\nKind regards\nTest", key="trial-text",
                 height=120, max_chars=5000)  # fmt: skip
    st.caption("It goes the way of all mail. Its draft answers an address of example.com, and so "
               "reaches nobody.")  # fmt: skip
    st.button("Send it", key="trial-send", type="primary", icon=":material/send:", on_click=_send)


def _send() -> None:
    subject = str(st.session_state.get("trial-subject") or "").strip()
    text = str(st.session_state.get("trial-text") or "").strip()
    if not subject or not text:
        say("warning", "Write a subject and a text first.")
        return
    order = TrialOrder(subject=subject, text=text)
    if (trial := attempt(lambda: mail_desk().setup.send_trial(order))) is not None:
        st.session_state["trial"] = trial.id


@st.fragment(run_every="2s")
def _follow(id: str, *, drafted_before: bool) -> None:
    """Draw how far the test mail has come; looked at again by itself.

    The first draft completes the step: the whole page is drawn anew then.
    """
    with guard_refusals(leaving=False):
        mail = mail_desk().setup.follow_trial(id)
        if mail.drafted and not drafted_before:
            st.rerun()
        ended = mail.status in ENDED
        read = mail.status != "accepted"
        with st.container(key="card-trial"):
            chips(
                chip("accepted", "good"),
                chip("read", "good" if read else "quiet"),
                chip(word(mail.status), "bad") if ended else "",
                chip("drafted", "good" if mail.drafted else "quiet"),
            )
            st.text(one_line(_tell_progress(mail, ended=ended), 400))
            if mail.case_id and mail.drafted:
                if st.button("Open its draft", key="trial-open", icon=":material/rate_review:"):
                    st.session_state["case"] = mail.case_id
                    switch_to("review")
            elif ended and st.button("Open the message", key="trial-message"):
                st.session_state["message"] = mail.id
                st.session_state["inbox-next"] = "Messages"
                switch_to("inbox")


def _tell_progress(mail: TrialMail, *, ended: bool) -> str:
    if mail.drafted:
        return "Its draft waits in the review queue."
    if ended:
        return f"It comes to rest here without a draft. {mail.note}".strip()
    if mail.state == CaseState.RUNNING:
        return "It is understood, and its draft is being written."
    if mail.status == "accepted":
        return "It is kept safe, and not yet read."
    return "It is read; more of the same sender is waited for a moment, to be answered together."


def _mail(setup: Setup) -> None:
    """Draw the three ways by which mail comes."""
    fetched, front, direct = st.tabs(["From a mailbox", "Behind your server", "Directly (MX)"])
    domain = core_desk().organizations.profile().profile.addresses[0].rpartition("@")[2]
    with direct:
        st.text("Mail of your domain is sent here once its DNS says so:")
        st.code(f"{domain}.  MX  10  {setup.hostname}.", language=None)
        if setup.hostname.endswith(".localdomain"):
            st.caption("This machine has no name of its own yet; give it the one by which the "
                       "world finds it.")  # fmt: skip
        host_name_form()
        st.caption(
            make_inert(f"Postern listens on port {setup.port}; the world sends to port 25, so let "
                  "that lead here, with a certificate. docs/operate.md says how.", limit=400)
        )  # fmt: skip
    with front:
        st.text("Your server takes mail in, and hands over what is for these addresses (Postfix):")
        st.code(
            f"# /etc/postfix/transport\n{domain}  smtp:[127.0.0.1]:{setup.port}",
            language=None,
            wrap_lines=True,
        )
        st.caption("docs/operate.md says what else your server has to be told.")
    with fetched:
        boxes = mail_desk().mailboxes.list_all()
        st.text(
            f"Mail is fetched from {plural(len(boxes), 'mailbox', 'mailboxes')}. The page checks "
            "each: it signs in, looks, and takes nothing."
            if boxes
            else "Mail can be fetched from a mailbox that you have, over IMAP."
        )
        st.page_link(page_file("mailboxes"), label="Mailboxes", icon=":material/mark_email_unread:")
    st.caption("The step is done with the first message that comes in from outside.")


def _draw_leaving(_: Setup) -> None:
    outgoing_form(of_step=True)


_DRAWN = {
    StepName.ADDRESS: _address,
    StepName.PEOPLE: _people,
    StepName.VOICE: _voice,
    StepName.KNOWLEDGE: _knowledge,
    StepName.POLICY: _policy,
    StepName.TRIAL: _trial,
    StepName.MAIL: _mail,
    StepName.LEAVING: _draw_leaving,
}
"""What each step shows below its sentence."""

if __name__ == "__main__":
    show()
