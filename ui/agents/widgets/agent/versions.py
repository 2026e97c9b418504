"""The versions of an agent: who made each and why, what two have different, and the way back."""

import streamlit as st

from data.counting import plural
from data.errors import PosternError
from data.records.agents.agents import Agent, AgentVersion, Difference, RestoredVersion
from ui.agents.api.desk import agents_desk
from ui.agents.undoing import AgentUndo
from ui.core.chips import chips, make_muted, moment, section
from ui.core.session import attempt, manages
from ui.core.text.clock import now
from ui.core.text.inert import one_line
from ui.core.text.text_runs import TextLine, line, run
from ui.core.undoing import offer, usual_end
from ui.core.widgets import lists
from ui.core.widgets.marked import draw_marked

BY_POSTERN = "Postern"
"""Who makes the versions that follow the catalogue."""
LONGEST_REASON = 500
"""Characters of the reason of a version."""
SHOWN_LINES = 400
"""Lines of a difference that are drawn."""


def draw_versions(agent: Agent) -> None:
    """Draw the versions beside what two of them have different."""
    items = agents_desk().agents.versions(agent.slug).items
    left, right = st.columns([4, 6], gap="medium")
    with left:
        chips(make_muted(plural(len(items), "version")))
        _draw_list(items)
    with right:
        _draw_comparison(agent, items)
        _draw_template_difference(agent)


def _draw_list(items: tuple[AgentVersion, ...]) -> None:
    """Draw the versions as a list, in which one is chosen."""
    chosen = st.session_state.get("agent-version")
    at = now()
    with lists.listing("agent-versions"):
        for item in items:
            lists.row(
                str(item.version),
                f"Version {item.version}",
                _reason(item),
                f"by {item.author}",
                (),
                moment(item.made_at, at),
                str(item.version) == chosen,
                _choose,
            )


def _reason(version: AgentVersion) -> str:
    """Return why a version was made; what the catalogue has, it has by its own version."""
    if version.author == BY_POSTERN:
        return f"As the catalogue has it, {version.note.partition('+')[0]}"
    return version.note or "(no reason)"


def _choose(version: str) -> None:
    """Have the version of a line compared, once the page is drawn again."""
    st.session_state["agent-version"] = version


def _draw_comparison(agent: Agent, items: tuple[AgentVersion, ...]) -> None:
    """Draw what two versions have different, and what restores the one that is chosen."""
    numbers = [item.version for item in items]
    chosen = int(st.session_state.get("agent-version") or 0)
    chosen = chosen if chosen in numbers else agent.version
    if len(numbers) == 1:
        st.caption("It has been as it is since it was installed; there is nothing to compare.")
        return
    against = [number for number in numbers if number != chosen]
    usual = agent.version if chosen != agent.version else max(against)
    other = st.selectbox(
        f"Version {chosen} beside",
        against,
        index=against.index(usual),
        key=f"agent-against-{agent.slug}-{chosen}",
        format_func=lambda number: f"version {number}",
    )
    before, after = sorted((chosen, int(other)))
    draw_difference(agents_desk().agents.compare(agent.slug, before, after), "between")
    if manages() and chosen != agent.version:
        _draw_restoring(agent, chosen)


def draw_difference(difference: Difference, key: str) -> None:
    """Draw what two configurations have different; `key` tells it from others on its page."""
    section(f"What {difference.after} has otherwise than {difference.before}")
    if not difference.text.strip():
        st.caption("Nothing: they are the same.")
        return
    lines = difference.text.splitlines()
    drawn = [_difference_line(text) for text in lines if not text.startswith(("--- ", "+++ "))]
    with st.container(key=f"difference-{key}"):
        draw_marked(drawn[:SHOWN_LINES], "plain", key=f"difference-lines-{key}")
    if len(drawn) > SHOWN_LINES:
        st.caption(f"Not shown: {plural(len(drawn) - SHOWN_LINES, 'more line')}.")


def _difference_line(text: str) -> TextLine:
    """Return a line of a unified difference, marked by whether it was added or removed."""
    if text.startswith("@@"):
        return line(run("…", "quiet"))
    if text.startswith("+"):
        return line(run(text[1:] or " ", "added"))
    if text.startswith("-"):
        return line(run(text[1:] or " ", "removed"))
    return line(run(text[1:] or " "))


def _draw_restoring(agent: Agent, version: int) -> None:
    """Draw the button that restores a version, and the field for the reason that it needs."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="restoring"):
        reason = st.text_input(
            "Why it shall be so again", key="restore-reason", max_chars=LONGEST_REASON
        )
        st.button(
            f"Restore version {version}",
            key="agent-restore",
            type="primary",
            disabled=not reason.strip(),
            on_click=_restore,
            args=(agent, version, reason),
        )
    st.caption("It becomes one more version; nothing is overwritten.")


def _restore(agent: Agent, version: int, reason: str) -> None:
    """Have a version count again, as one more version."""
    restored_version = RestoredVersion(
        version=version, reason=reason.strip(), expected=agent.version
    )
    if (
        restored := attempt(lambda: agents_desk().agents.restore(agent.slug, restored_version))
    ) is not None:
        st.session_state.pop("restore-reason", None)
        offer_undo(agent, restored)


def offer_undo(before: Agent, after: Agent) -> None:
    """Offer for some seconds to take a change of an agent back, where there was one."""
    st.session_state["agent-version"] = ""
    if after.version == before.version:
        return
    offer(
        AgentUndo(
            agent=after.slug,
            version=before.version,
            agent_version=after.version,
            subject=one_line(after.name, 60),
            until=usual_end(),
        )
    )


def _draw_template_difference(agent: Agent) -> None:
    """Draw what the catalogue has otherwise, for an agent that somebody has changed."""
    if not agent.template:
        return
    try:
        difference = agents_desk().agents.compare_template(agent.slug)
    except PosternError:
        return  # the catalogue has it no longer
    if difference.text.strip():
        with st.expander("What the catalogue has otherwise; it is not applied"):
            draw_difference(difference, "template")
