"""Business profile: what the organization says of itself to every agent, and what it refers to."""

import streamlit as st

from data.counting import plural
from data.records.agents.business import (
    LONGEST_EXCERPT,
    LONGEST_PROFILE,
    MOST_REFERENCES,
    BusinessProfile,
    EditBusinessProfile,
    Reference,
    RestoreProfile,
    ToldProfile,
)
from ui.agents.api.desk import agents_desk
from ui.agents.markdown import as_html
from ui.core.chips import chips, empty, make_muted, moment, section
from ui.core.crossing import crossing
from ui.core.session import attempt, core_desk, guard_refusals, read_lately, say
from ui.core.text.clock import now
from ui.core.text.inert import make_inert, one_line
from ui.core.text.text_runs import line, run
from ui.core.widgets.differences import draw_diff
from ui.core.widgets.heading import heading
from ui.core.widgets.marked import draw_marked

SHOWN_VERSIONS = 30
LEAD = "What every agent is told of the organization before it answers."
EXAMPLE = (
    "We lend out sets for guided tours, in three cities.\n\n"
    "- Our customers are museums and guides.\n- We never deliver on Sundays."
)


def show() -> None:
    """Draw the page."""
    heading("Business profile", LEAD)
    left, right = st.columns([6, 5], gap="medium")
    with guard_refusals():
        profile_view = agents_desk().business.profile()
        with left:
            _editor(profile_view)
        with right:
            _draw_profile(profile_view)
            _versions(profile_view.profile)


def _editor(told: ToldProfile) -> None:
    """Draw what the person is writing, begun with the newest wording."""
    profile = told.profile
    if "profile-was" not in st.session_state:
        _begin_with(profile, profile.version)
    was = int(st.session_state["profile-was"])
    with st.container(key="card-profile"):
        text = st.text_area(
            "The profile",
            key="profile-text",
            height=340,
            max_chars=LONGEST_PROFILE,
            placeholder=EXAMPLE,
            persist_state="session",
        )
        _references(
            {f"{reference.kind}:{reference.id}": reference.label for reference in told.references}
        )
        if was != profile.version:
            _meanwhile(profile)
        else:
            st.button(
                "Save",
                key="profile-save",
                type="primary",
                disabled=_is_unchanged(profile, text),
                on_click=_save,
                args=(was,),
            )
        st.caption("Markdown: a line that begins with “- ” is a point of a list.")


def _is_unchanged(profile: BusinessProfile, text: str) -> bool:
    return text == profile.markdown and _chosen() == profile.references


def _meanwhile(profile: BusinessProfile) -> None:
    """Draw the choice that is left when somebody else has written a version meanwhile."""
    st.warning(
        f"{make_inert(profile.author)} has written another version meanwhile; it stands beside "
        "this. What you have written is kept here.",
        icon=":material/sync_problem:",
    )
    with st.container(horizontal=True, gap="small"):
        st.button("Begin with theirs", key="profile-theirs", on_click=_begin_with,
                  args=(profile, profile.version))  # fmt: skip
        st.button("Save mine in its place", key="profile-over", type="primary", on_click=_save,
                  args=(profile.version,))  # fmt: skip


def _begin_with(profile: BusinessProfile, was: int) -> None:
    st.session_state["profile-was"] = was
    st.session_state["profile-text"] = profile.markdown
    st.session_state["profile-references"] = profile.references


def _chosen() -> tuple[Reference, ...]:
    return tuple(st.session_state.get("profile-references", ()))


def _references(named: dict[str, str]) -> None:
    """Draw what the profile refers to, and what can be added.

    `named` is what those are called that lead somewhere, by kind and id.
    """
    chosen = _chosen()
    section("What it refers to")
    st.caption(f"Looked up anew each time; agents are told the first {MOST_REFERENCES}.")
    for place, reference in enumerate(chosen):
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", key=f"refers-{place}"
        ):
            draw_marked([line(run(one_line(_name(reference, named), 90)))], "list",
                   key=f"refers-name-{place}")  # fmt: skip
            st.button("Remove", key=f"refers-drop-{place}", type="tertiary", on_click=_drop,
                      args=(place,))  # fmt: skip
    label_by_key = {
        key: label for key, label in _list_referable().items() if key not in _keys(chosen)
    }
    picked = st.selectbox(
        "Add knowledge, something that the organization remembers, a case or a contact",
        list(label_by_key),
        key="profile-refer",
        index=None,
        format_func=lambda key: label_by_key.get(key, key),
        placeholder="Choose",
    )
    if picked:
        st.button(
            "Add it", key="profile-refer-now", on_click=_refer, args=(picked, label_by_key[picked])
        )


def _name(reference: Reference, named: dict[str, str]) -> str:
    return reference.label or named.get(f"{reference.kind}:{reference.id}") or reference.id


def _keys(references: tuple[Reference, ...]) -> set[str]:
    return {f"{reference.kind}:{reference.id}" for reference in references}


def _list_referable() -> dict[str, str]:
    """Return what can be referred to, by kind and id, as people call it."""
    entries = read_lately("profile-knowledge", lambda: core_desk().knowledge.find(limit=500)).items
    memories_kept = read_lately(
        "profile-memories", lambda: agents_desk().memories.find("organization", "current", 100, 0)
    ).items
    return (
        {f"knowledge:{entry.id}": one_line(entry.title, 90) for entry in entries if entry.trusted}
        | {
            f"memory:{memory.id}": f"Remembered: {one_line(memory.text, 80)}"
            for memory in memories_kept
        }
        | crossing().list_referable()
    )


def _refer(key: str, label: str) -> None:
    kind, _, id = key.partition(":")
    label_kept = label if kind == "knowledge" else ""
    reference = Reference.model_validate({"kind": kind, "id": id, "label": label_kept})
    st.session_state["profile-references"] = (*_chosen(), reference)
    st.session_state.pop("profile-refer", None)


def _drop(place: int) -> None:
    chosen = _chosen()
    st.session_state["profile-references"] = (*chosen[:place], *chosen[place + 1 :])


def _save(was: int) -> None:
    text = str(st.session_state.get("profile-text") or "")
    business_profile = EditBusinessProfile(markdown=text, references=_chosen(), was=was)
    if (
        profile_told := attempt(lambda: agents_desk().business.write(business_profile))
    ) is not None:
        _begin_with(profile_told.profile, profile_told.profile.version)
        say(
            "done",
            f"Saved as version {profile_told.profile.version}; agents are told it from now on.",
        )


def _draw_profile(told: ToldProfile) -> None:
    """Draw the profile as agents get it."""
    profile = told.profile
    with st.container(key="card-told-profile"):
        section("As agents read it")
        if not profile.version:
            empty("Nobody has written it yet.", "Agents answer without it.")
            return
        at = moment(profile.written_at, now()) if profile.written_at else ""
        chips(make_muted(f"version {profile.version} by {profile.author}"), at)
        st.html(f'<div class="t-said">{as_html(profile.markdown) or "(no text)"}</div>')
        for number, reference in enumerate(told.references):
            draw_marked(
                [line(run(f"{reference.label}: ", "strong"), run(_excerpt(reference.excerpt)))],
                "list", key=f"told-reference-{number}",
            )  # fmt: skip
        if told.unresolved:
            leads = "leads" if told.unresolved == 1 else "lead"
            chips(make_muted(f"{plural(told.unresolved, 'reference')} {leads} to nothing any more, "
                        f"or stands beyond the first {MOST_REFERENCES}."))  # fmt: skip


def _excerpt(text: str) -> str:
    return f"{text}…" if len(text) >= LONGEST_EXCERPT else text


def _versions(profile: BusinessProfile) -> None:
    """Draw every version with what it changed, and what brings an earlier one back."""
    listed = agents_desk().business.versions().items
    if len(listed) < 2:
        return
    with st.container(key="card-profile-versions"):
        section("Versions")
        for place, profile_version in enumerate(listed[:SHOWN_VERSIONS]):
            before = listed[place + 1].version if place + 1 < len(listed) else 0
            _version(profile, profile_version, before)
        if len(listed) > SHOWN_VERSIONS:
            st.caption(f"And {len(listed) - SHOWN_VERSIONS} older; `postern business versions` "
                       "lists them.")  # fmt: skip


def _version(profile: BusinessProfile, one: BusinessProfile, before: int) -> None:
    current = one.version == profile.version
    with st.expander(
        f"Version {one.version} by {make_inert(one.author)}" + (", counts now" if current else ""),
        key=f"profile-version-{one.version}",
        on_change="rerun",
    ) as drawn:
        if not drawn.open:
            return
        if one.written_at:
            chips(moment(one.written_at, now()))
        draw_diff(agents_desk().business.compare(before, one.version).lines)
        if current:
            return
        with st.container(horizontal=True, gap="small"):
            st.button("Let this one count again", key=f"profile-restore-{one.version}",
                      on_click=_restore, args=(one.version, profile.version))  # fmt: skip
            st.button(
                "Write with this one",
                key=f"profile-again-{one.version}",
                type="tertiary",
                help="It is put into the field; nothing counts until you save it.",
                on_click=_begin_with,
                args=(one, profile.version),
            )


def _restore(version: int, was: int) -> None:
    order = RestoreProfile(version=version, was=was)
    if (profile_told := attempt(lambda: agents_desk().business.restore(order))) is not None:
        _begin_with(profile_told.profile, profile_told.profile.version)
        say("done", f"Version {version} counts again, as version {profile_told.profile.version}.")


if __name__ == "__main__":
    show()
