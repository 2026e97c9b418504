"""People and access: who works here, what each may do, how they sign in, and teams."""

from collections.abc import Callable

import streamlit as st

from data.counting import plural
from data.errors import ConflictError
from data.records.core.principals import (
    EditTeam,
    EditUser,
    Grant,
    NewTeam,
    NewUser,
    Role,
    Team,
    User,
)
from data.records.core.tokens import TokenEntry
from ui.core.address import sign_in_link
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.session import attempt, core_desk, guard_refusals, manages, me, organization, say
from ui.core.text.clock import now
from ui.core.text.inert import make_inert, one_line
from ui.core.widgets.conflict_forms import begin_anew, begun_with, keep_typed, tell_changes
from ui.core.widgets.figures import figures
from ui.core.widgets.heading import heading

NOBODY = ""
PERMITS = {
    "see": "look",
    "decide": "decide",
    "teach": "teach",
    "manage_users": "manage people",
    "administer": "administer",
}


def show() -> None:
    """Draw the page."""
    heading("People & access", "Who works here, what each may do, and how they sign in.")
    with guard_refusals():
        roles = core_desk().users.roles()
        if me().administers:
            everybody = core_desk().users.everybody()
            _people(everybody, roles)
        else:
            st.info("Only an administrator changes who may sign in.", icon=":material/info:")
        if manages():
            _teams()
        _roles(roles)


def _people(everybody: tuple[User, ...], roles: tuple[Role, ...]) -> None:
    tokens = [token for token in core_desk().users.tokens() if token.revoked_at is None]
    present = [user for user in everybody if user.ended_at is None]
    left, right = st.columns([3, 2], gap="small")
    with left, st.container(key="card-people"):
        section("People")
        sign_ins = {user.id: sum(token.user_id == user.id for token in tokens) for user in present}
        rows = [
            (user.name, user.email or "–", _roles_in_words(user), _ways(sign_ins[user.id]))
            for user in present
        ]
        figures(("Name", "Address", "May", "Signs in by"), rows, "People", text_columns=3)
        ended = len(everybody) - len(present)
        if ended:
            st.caption(f"{plural(ended, 'person', 'people')} left; what they did stays on record.")
    with right:
        _chosen(present, roles, tokens)
        _new(roles)


def _ways(links: int) -> str:
    """Return by how many links somebody signs in, for people."""
    return plural(links, "link") if links else "no link yet"


def _roles_in_words(user: User) -> str:
    """Return a user's roles in words, as far as they count here."""
    here = organization()
    roles_text = [
        f"{grant.role} everywhere" if grant.organization is None else grant.role
        for grant in user.grants
        if grant.organization in (None, here.slug if here else None)
    ]
    return ", ".join(roles_text) or "nothing here"


def _chosen(present: list[User], roles: tuple[Role, ...], tokens: list[TokenEntry]) -> None:
    user_by_id = {user.id: user for user in present}
    if "access-person" not in st.session_state:
        _forget_links()  # the page was left since, and what is shown once was shown
    with st.container(key="card-person"):
        chosen = st.selectbox(
            "Person",
            list(user_by_id),
            format_func=lambda id: (
                make_inert(user_by_id[id].name, limit=40) if id in user_by_id else ""
            ),
            key="access-person",
            on_change=_forget_links,
        )
        user = user_by_id.get(str(chosen))
        if user is None:
            return
        user = begun_with(f"person-{user.id}", user, _fields)
        name = st.text_input("Name", key=f"access-name-{user.id}", max_chars=100)
        email = st.text_input("Address", key=f"access-email-{user.id}", max_chars=254)
        role = _role(f"access-role-{user.id}", roles)
        everywhere = [grant.role for grant in user.grants if grant.organization is None]
        if everywhere:
            st.caption(f"Besides that: {', '.join(everywhere)} everywhere.")
        with st.container(horizontal=True):
            st.button(
                "Save",
                key="access-save",
                type="primary",
                on_click=_save,
                args=(user,),
                disabled=(name, email, role) == (user.name, user.email, _role_here(user)),
            )
            with st.popover("Has left", icon=":material/person_off:", key="access-leave"):
                st.text(
                    "They can sign in no more, and hold no role. What they did stays on record."
                )
                st.button("End", key="access-end", on_click=_end, args=(user,))
        _sign_ins(user, [token for token in tokens if token.user_id == user.id])


def _role_here(user: User) -> str:
    here = organization()
    roles_here = [grant.role for grant in user.grants if here and grant.organization == here.slug]
    return roles_here[0] if roles_here else NOBODY


def _role(key: str, roles: tuple[Role, ...]) -> str:
    names = {role.slug: role.name for role in roles}
    slugs = [NOBODY, *names]
    here = organization()
    chosen = st.selectbox(
        make_inert(f"Role at {here.name}" if here else "Role", limit=60),
        slugs,
        format_func=lambda slug: make_inert(names.get(slug, "None"), limit=40),
        key=key,
    )
    return str(chosen or NOBODY)


def _grants(user: User | None, role: str) -> tuple[Grant, ...]:
    """Return what a user holds with that role here; what counts elsewhere stays."""
    here = organization()
    assert here is not None  # noqa: S101  # the page is one of an organization
    grants_elsewhere = tuple(
        grant for grant in (user.grants if user else ()) if grant.organization != here.slug
    )
    return (
        (*grants_elsewhere, Grant(role=role, organization=here.slug)) if role else grants_elsewhere
    )


def _do_and_tell(act: Callable[[], object], done: str) -> None:
    """Do something; say what was done, or in a sentence why not."""
    _is_done(act, done)


def _is_done(act: Callable[[], object], done: str) -> bool:
    """Do something and say so; return whether it was done."""
    if attempt(lambda: act() or True) is None:
        return False
    say("done", done)
    return True


def _typed(key: str) -> str:
    """Return what a field holds now; what a button was drawn with may be older."""
    return str(st.session_state.get(key) or "").strip()


def _fields(user: User) -> dict[str, object]:
    """Return what the fields of a person hold, by their keys."""
    values = {"name": user.name, "email": user.email, "role": _role_here(user)}
    return {f"access-{field}-{user.id}": value for field, value in values.items()}


def _told_fields(user: User) -> dict[str, object]:
    return {"the name": user.name, "the address": user.email, "the role": _role_here(user)}


def _save(user: User) -> None:
    name, email, role = (_typed(f"access-{field}-{user.id}") for field in ("name", "email", "role"))
    if not name:
        say("warning", "Write the name.")
        return

    def act() -> object:
        there = {other.id: other for other in core_desk().users.everybody()}.get(user.id, user)
        before, now_there = _told_fields(user), _told_fields(there)
        typed_fields = dict(zip(before, (name, email, role), strict=True))
        meant = {label for label, value in typed_fields.items() if value != before[label]}
        if any(now_there[label] != before[label] for label in meant):
            keep_typed(f"person-{user.id}", user, there, _fields)
            raise ConflictError(
                f"somebody has changed {user.name} meanwhile: {tell_changes(before, now_there)}"
            )
        edit = EditUser(
            name=name if "the name" in meant else None,
            email=email if "the address" in meant else None,
            grants=_grants(there, role) if "the role" in meant else None,
            was=there.mark,
        )
        edited_user = core_desk().users.edit(user.id, edit)
        begin_anew(f"person-{user.id}", edited_user, _fields)
        return edited_user

    _do_and_tell(act, f"{user.name} is changed.")


def _end(user: User) -> None:
    _do_and_tell(lambda: core_desk().users.end(user.id), f"{user.name} can sign in no more.")


def _sign_ins(user: User, tokens: list[TokenEntry]) -> None:
    section("Signs in by")
    token_made = st.session_state.get(f"access-made-{user.id}")
    if token_made:
        st.text(
            "Pass this link on in a safe way: it signs in whoever has it. It is shown this once."
        )
        st.code(sign_in_link(str(token_made)), language=None, wrap_lines=True)
    for token in tokens:
        with st.container(horizontal=True, vertical_alignment="center"):
            chips(
                make_muted(f"made {moment(token.created_at, now()).data['text']}, {token.id[:6]}…")
            )
            st.button(
                "Take back",
                key=f"access-revoke-{token.id}",
                type="tertiary",
                on_click=_revoke,
                args=(user, token.id),
            )
    st.button(
        "New sign-in link", key="access-token", icon=":material/key:", on_click=_make, args=(user,)
    )


def _make(user: User) -> None:
    token_made = attempt(lambda: core_desk().users.add_token(user))
    if token_made is not None:
        st.session_state[f"access-made-{user.id}"] = token_made.token


def _forget_links() -> None:
    """Forget the links that were shown: each signs in whoever reads it."""
    for name in [str(name) for name in st.session_state]:
        if name.startswith("access-made-"):
            del st.session_state[name]


def _revoke(user: User, id: str) -> None:
    st.session_state.pop(f"access-made-{user.id}", None)
    _do_and_tell(lambda: core_desk().users.revoke_token(id), "That link opens nothing any more.")


def _new(roles: tuple[Role, ...]) -> None:
    with st.expander("Somebody new", icon=":material/person_add:", key="access-new"):
        name = st.text_input("Name", key="access-new-name", max_chars=100)
        st.text_input("Address", key="access-new-email", max_chars=254)
        st.session_state.setdefault("access-new-role", "reviewer")
        _role("access-new-role", roles)
        st.button(
            "Add",
            key="access-add",
            type="primary",
            disabled=not name.strip(),
            on_click=_add,
        )


def _add() -> None:
    typed_fields = {
        field_name: _typed(f"access-new-{field_name}") for field_name in ("name", "email", "role")
    }
    name, email, role = typed_fields.values()
    if not name:
        say("warning", "Write the name.")
        return
    new_user = NewUser(name=name, email=email, grants=_grants(None, role))
    added = f"{name} is added; make a sign-in link for them."
    if _is_done(lambda: _open_person(core_desk().users.add(new_user)), added):
        for field in ("name", "email"):
            st.session_state[f"access-new-{field}"] = ""


def _open_person(user: User) -> User:
    """Have the page show a person, whose sign-in link is made there."""
    st.session_state["access-person"] = user.id
    return user


def _teams() -> None:
    name_by_user = {
        user.id: user.name for user in core_desk().users.colleagues() if user.ended_at is None
    }
    with st.container(key="card-teams"):
        section("Teams")
        teams = core_desk().teams.list_all()
        if not teams:
            empty(
                "There is no team yet.", "A team can be asked, and sees chats and agents together."
            )
        for team in teams:
            _team(team, name_by_user)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.text_input("New team", key="team-new", max_chars=100, width=260)
            st.button(
                "Add",
                key="team-add",
                disabled=not name.strip(),
                on_click=_add_team,
                args=(name.strip(),),
            )


def _team(team: Team, name_by_user: dict[str, str]) -> None:
    def fields(team: Team) -> dict[str, object]:
        members = [member for member in team.members if member in name_by_user]
        return {f"team-members-{team.id}": members}

    def save(team: Team, members: tuple[str, ...]) -> None:
        there = {other.id: other for other in core_desk().teams.list_all()}.get(team.id, team)
        if set(there.members) != set(team.members):
            keep_typed(f"team-{team.id}", team, there, fields)
            names = [name_by_user.get(member, "somebody") for member in there.members]
            changes = tell_changes({}, {"the list of members": names})
            raise ConflictError(f"somebody has changed {team.name} meanwhile: {changes}")
        edit = EditTeam(name=there.name, members=members, was=there.mark)
        begin_anew(f"team-{team.id}", core_desk().teams.edit(team.id, edit), fields)

    team = begun_with(f"team-{team.id}", team, fields)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        members = st.multiselect(
            make_inert(team.name, limit=60),
            list(name_by_user),
            format_func=lambda id: make_inert(name_by_user.get(id, ""), limit=40),
            key=f"team-members-{team.id}",
            placeholder="Nobody yet",
        )
        st.button(
            "Save",
            key=f"team-save-{team.id}",
            disabled=set(members) == set(team.members),
            on_click=_do_and_tell,
            args=(lambda: save(team, tuple(members)), f"{team.name} is changed."),
        )
        st.button(
            "Remove",
            key=f"team-remove-{team.id}",
            type="tertiary",
            on_click=_do_and_tell,
            args=(lambda: core_desk().teams.remove(team.id), f"{team.name} is removed."),
        )


def _add_team(name: str) -> None:
    if _is_done(lambda: core_desk().teams.add(NewTeam(name=name)), f"{name} is made."):
        st.session_state["team-new"] = ""


def _roles(roles: tuple[Role, ...]) -> None:
    with st.expander("What each role may do", key="access-roles"):
        for role in roles:
            permits = [
                chip(PERMITS.get(str(permission), str(permission)), "info")
                for permission in role.permissions
            ]
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(one_line(role.name, 60), width=170)
                chips(*permits)


if __name__ == "__main__":
    show()
