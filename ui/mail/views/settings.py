"""Settings: files, where mail goes, signature, filters of others, what is kept, one contact."""

import streamlit as st
from pydantic import ValidationError

from data.counting import plural
from data.records.core.organization import Route, RouteMode
from data.records.mail.signing_views import NewSigning, SigningView
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.session import attempt, core_desk, guard_refusals, me, organization, say
from ui.core.text.clock import now
from ui.core.text.inert import make_inert, one_line
from ui.core.text.words import as_sentence
from ui.core.widgets.heading import heading
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.administration.filters_of_others import filters_of_others
from ui.mail.widgets.administration.holidays import holidays
from ui.mail.widgets.administration.host_name import host_name_form
from ui.mail.widgets.administration.outgoing import outgoing
from ui.mail.widgets.administration.retention import retention
from ui.mail.widgets.administration.setting_versions import setting_versions
from ui.mail.widgets.quarantine.contact_data import draw_contact_data

MODES = {
    RouteMode.AGENT: "it is answered",
    RouteMode.ACCEPT: "it is kept and shown, not answered",
    RouteMode.HOLD: "it waits for a person to let it in",
    RouteMode.ENDPOINT: "it is forwarded to a program",
    RouteMode.BOUNCE: "it is refused, and its sender told why",
    RouteMode.REJECT: "it is refused without a reason",
}


def show() -> None:
    """Draw the page."""
    heading(
        "Settings",
        "Files, routes, replies, signature, holidays, filters, and what is kept how long.",
    )
    with guard_refusals():
        if not me().administers:
            st.info("Only an administrator changes settings.", icon=":material/info:")
            return
        left, right = st.columns(2, gap="medium")
        with left:
            _files()
            outgoing()
            with st.container(key="card-settings-hostname"):
                section("Name of this machine")
                host_name_form()
            _signing()
            filters_of_others()
            holidays()
        with right:
            _routes()
            retention()
            setting_versions()
            with st.container(key="card-settings-contact"):
                section("What is held on a person")
                draw_contact_data()


def _files() -> None:
    """Draw when the organization's files were loaded, and the button that loads them now."""
    with st.container(key="card-settings-files"):
        section("Files")
        st.text(
            "Knowledge, saved replies, contacts, accounts and the policy can be files on the "
            "machine that Postern runs on; what changed there is loaded every hour."
        )
        st.button("Load them now", key="settings-sync", icon=":material/sync:", on_click=_sync)
        items = core_desk().organizations.syncs().items
        if not items:
            empty("They were never loaded.")
        for place, sync_entry in enumerate(items[:5]):
            troubles = (*sync_entry.errors, *sync_entry.warnings)
            chips(
                moment(sync_entry.synced_at, now()),
                chip(f"{len(sync_entry.errors)} not loaded", "bad") if sync_entry.errors else "",
                chip(f"{len(sync_entry.warnings)} doubtful", "warn") if sync_entry.warnings else "",
                make_muted(
                    "" if troubles else "something new" if sync_entry.changed else "nothing new"
                ),
            )
            if place == 0:
                for trouble in troubles[:8]:
                    st.warning(make_inert(trouble, limit=400), icon=":material/warning:")


def _sync() -> None:
    if (synced := attempt(lambda: core_desk().organizations.sync())) is not None:
        troubles = len(synced.errors) + len(synced.warnings)
        sync_text = "what changed counts from now on" if synced.changed else "nothing has changed"
        say("done", f"Loaded: {sync_text}."
            + (f" {plural(troubles, 'thing')} to look at." if troubles else ""))  # fmt: skip


def _signing() -> None:
    """Draw how replies are signed, and the record that the domain has to publish for it."""
    opened = organization()
    if opened is None:
        return
    with st.container(key="card-settings-signing"):
        section("Signature of replies (DKIM)")
        key_made = st.session_state.get("settings-signing")
        view = key_made if isinstance(key_made, SigningView) else mail_desk().setup.signing()
        if view.dkim is None:
            st.text(
                "Replies are not signed here. A server that sends for you may sign them; else "
                "many receivers take them for spam."
            )
            _key_form(first=True)
            return
        signs = view.signs == view.dkim
        chips(
            chip("the key cannot be used", "bad")
            if not view.record
            else chip("replies are signed", "good")
            if signs
            else chip("not signed yet", "warn"),
            chip("published", "good") if view.published == "matches" else "",
            chip("not published", "warn") if view.published in ("missing", "differs") else "",
        )
        if view.record:
            st.text("This TXT record has to stand in the DNS of the domain:")
            st.code(f"{view.name}\n{view.record}", language=None, wrap_lines=True)
            with st.expander("As a line of a zone file", key="signing-zone"):
                st.code(view.zone, language=None, wrap_lines=True)
            if view.sentence:
                st.text(one_line(view.sentence, 400))
        else:
            st.error(make_inert(as_sentence(view.sentence), limit=400), icon=":material/error:")
        if not view.aligned:
            st.warning("The domain is not that of the sender's address, so DMARC will not pass.",
                       icon=":material/warning:")  # fmt: skip
        with st.container(horizontal=True):
            if view.record:
                st.button("Ask the DNS", key="signing-look", on_click=_look, args=(view,))
            if signs:
                st.button("Sign no longer", key="signing-off", on_click=_sign, args=(None,))
            elif view.record:
                st.button("Sign replies with it", key="signing-on", type="primary",
                          on_click=_sign, args=(view,))  # fmt: skip
        if not signs:
            with st.expander("Another key", key="signing-another"):
                _key_form(first=False)


def _key_form(*, first: bool) -> None:
    own = core_desk().organizations.profile().profile.addresses[0].rpartition("@")[2].lower()
    st.text_input("Domain", own, key="signing-domain", max_chars=253)
    st.text_input("Name of the key", "postern" if first else "", key="signing-selector",
                  max_chars=63, placeholder="postern2")  # fmt: skip
    st.button("Make a key", key="signing-make", type="primary" if first else "secondary",
              on_click=_make_key)  # fmt: skip


def _make_key() -> None:
    domain = str(st.session_state.get("signing-domain") or "").strip().lower().rstrip(".")
    selector = str(st.session_state.get("signing-selector") or "").strip().lower()
    try:
        order = NewSigning(domain=domain, selector=selector)
    except ValidationError:
        say("warning", "Write a domain and a name of a-z, 0-9, '-' and '.'.")
        return
    st.session_state["settings-signing"] = attempt(
        lambda: mail_desk().setup.make_signing_key(order)
    )


def _look(view: SigningView) -> None:
    if view.dkim is not None and view.signs != view.dkim:
        order = NewSigning(domain=view.dkim.domain, selector=view.dkim.selector)
        st.session_state["settings-signing"] = attempt(
            lambda: mail_desk().setup.make_signing_key(order)
        )
    else:
        st.session_state["settings-signing"] = attempt(lambda: mail_desk().setup.signing(look=True))


def _sign(view: SigningView | None) -> None:
    dkim = view.dkim if view is not None else None
    if attempt(lambda: mail_desk().setup.set_signing(dkim)) is not None:
        st.session_state.pop("settings-signing", None)
        say("done", "Replies are signed from now on." if dkim else "Replies are signed no longer.")


def _routes() -> None:
    """Draw what becomes of mail by its address, and the form of another route."""
    opened = organization()
    if opened is None:
        return
    with st.container(key="card-settings-routes"):
        section("Where mail goes")
        st.text("The most specific pattern counts: an address, name@*, or *@domain.")
        routes = [
            one for one in core_desk().organizations.routes() if one.organization == opened.slug
        ]
        for place, route in enumerate(routes):
            with st.container(horizontal=True, vertical_alignment="center", wrap=False,
                              key=f"route-{place}"):  # fmt: skip
                goes = MODES[route.mode] + (f": {route.url}" if route.url else "")
                st.text(one_line(f"{route.pattern}: {goes}", 300), width="stretch")
                st.button("Remove", key=f"route-remove-{place}", type="tertiary",
                          on_click=_remove_route, args=(route.pattern,))  # fmt: skip
        section("Add or change one")
        st.text_input("Pattern", key="route-pattern", max_chars=320,
                      placeholder="*@harbor.example")  # fmt: skip
        mode = st.selectbox("Its mail", list(MODES), format_func=lambda item: MODES[item],
                            key="route-mode")  # fmt: skip
        if mode is RouteMode.ENDPOINT:
            st.text_input("To which https address", key="route-url", max_chars=1000)
            st.text_input("Name of the key that signs it", key="route-secret", max_chars=100)
        st.button("Save", key="route-save", type="primary", on_click=_save_route,
                  args=(opened.slug,))  # fmt: skip


def _save_route(slug: str) -> None:
    pattern = str(st.session_state.get("route-pattern") or "").strip()
    if "@" not in pattern:
        say("warning", "Write a pattern: an address, name@*, or *@domain.")
        return
    route = Route(
        pattern=pattern,
        organization=slug,
        mode=RouteMode(st.session_state["route-mode"]),
        url=str(st.session_state.get("route-url") or "").strip(),
        secret=str(st.session_state.get("route-secret") or "").strip(),
    )
    if attempt(lambda: core_desk().organizations.set_route(route)) is not None:
        st.session_state.pop("route-pattern", None)
        say("done", "Mail goes that way from now on.")


def _remove_route(pattern: str) -> None:
    def gone() -> bool:
        core_desk().organizations.remove_route(pattern)
        return True

    if attempt(gone):
        say("done", f"{pattern} is removed; its mail is refused, unless another fits it.")


if __name__ == "__main__":
    show()
