"""What to do first, on the overview until mail comes, and knowledge and people are there."""

import streamlit as st

from data.counting import plural
from ui.chips import chips, muted, section
from ui.runs import Icon, Line, line, run
from ui.session import desk, organization
from ui.widgets.marked import marked


def first_steps(*, mail: bool) -> None:
    """Draw the steps from an empty house to the first draft until all of them are done."""
    # Asked until there is some; the overview is drawn every ten seconds.
    entries = int(st.session_state.get("known-entries") or desk().knowledge(limit=1).total)
    st.session_state["known-entries"] = entries
    opened = organization()
    people = opened.people if opened else ()
    if mail and entries and people:
        return
    with st.container(key="card-first-steps"):
        section("First steps")
        marked(
            [
                _step(
                    bool(entries),
                    "Say what drafts may rest on",
                    f"{plural(entries, 'entry', 'entries')} of knowledge "
                    f"{'is' if entries == 1 else 'are'} loaded."
                    if entries
                    else "Put Markdown files into the folder sources/knowledge of the "
                    "organization; without them a draft only says that the mail has come.",
                ),
                _step(
                    bool(people),
                    "Say who is here",
                    f"{plural(len(people), 'person', 'people')} can be given a case."
                    if people
                    else "The command postern organization edit names people, so that a case can "
                    "be given to them; postern token add prints a link that signs somebody in.",
                ),
                _step(
                    mail,
                    "Let mail come",
                    "Mail comes in."
                    if mail
                    else "Point the MX record of your domain at Postern, put it behind your mail "
                    "server, or name a mailbox in mailboxes.yaml. Then write to one of your "
                    "addresses: the message stands in the inbox within seconds, and its draft in "
                    "the review queue.",
                ),
            ],
            "list",
            key="first-steps",
        )
        chips(muted("More of each is in docs/operate.md; postern doctor says what is missing."))


def _step(done: bool, name: str, words: str) -> Line:
    icon: Icon = "yes" if done else "info"
    return line(run(name, "strong"), run(f"\n{words}", "quiet"), icon=icon)
