"""Policy: what may leave without a person, what speaks for it, and every version of it."""

import streamlit as st

from data.counting import plural
from data.errors import ManifestError, NotFoundError
from data.policy_text import list_keys
from data.records.core.organization import Mode, Policy
from data.records.core.policies import (
    LONGEST_POLICY,
    PolicyChange,
    PolicyOrder,
    PolicyPlace,
    PolicyState,
    PolicyVersion,
    SetPolicy,
)
from data.records.mail.report_views import DecisionFigures
from data.records.mail.shadow import ShadowEvidence
from data.refusals import RefusedError
from ui.core.chips import chip, chips, empty, make_muted, moment, section
from ui.core.session import attempt, guard_refusals, me, say, sentence, zone
from ui.core.text.clock import now
from ui.core.text.inert import make_inert, one_line
from ui.core.widgets.figures import judged_of
from ui.core.widgets.heading import heading
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.administration.dials import category_dials, default_button, is_given_up
from ui.mail.widgets.administration.service_levels import planted_faults, service_levels
from ui.mail.widgets.administration.working_week import working_week

MODES = {
    Mode.OFF: "Draft nothing",
    Mode.SHADOW: "Draft, and a person sends",
    Mode.LIVE: "Send by itself where allowed",
}
DEFAULTS = Policy()
"""What counts where a policy says nothing else."""
WAYS_BACK = {"mode": "mode", "confidence_threshold": "quality"}
"""The keys that have a way back beside them, and what people call them."""
LEAD = "What may leave without a person, and what speaks for it."


def show() -> None:
    """Draw the page."""
    heading("Policy", LEAD)
    with guard_refusals():
        state, evidence = mail_desk().policy.read(), mail_desk().policy.evidence()
        locked, decided = not me().administers, len(evidence.drafts)
        _place(state, decided, locked=locked)
        if not locked:
            _defaults(state, decided)
        left, right = st.columns([3, 2], gap="medium")
        with left:
            change = _dials(state, evidence, locked=locked)
            if not locked:
                _week(state, decided)
                _service(state, decided)
            _text(state, decided, locked=locked)
            _versions(state, decided, locked=locked)
        with right:
            _draw_change(state, change, evidence, locked=locked)


def _place(state: PolicyState, decided: int, *, locked: bool) -> None:
    """Draw where the policy is kept, and what that means for the other place."""
    version = state.version
    if state.fault:
        st.error(
            make_inert(f"The file policy.yaml cannot be used, so what counted before still counts: "
                  f"{state.fault}", limit=600), icon=":material/error:",
        )  # fmt: skip
    if version.place is PolicyPlace.FILE:
        words = (
            "Kept in the file policy.yaml of the organization's sources."
            if state.file is not None
            else "Nobody has written one yet: the defaults count."
        )
        if state.pending:
            words += " It was changed since it was loaded; the next sync loads it."
        st.caption(f"{words} With the first change here it is kept here, and the file no longer "
                   "counts until you give the policy back to it.")  # fmt: skip
        return
    with st.container(horizontal=True, vertical_alignment="center", key="policy-place"):
        if state.file is None:
            st.caption("Kept here.")
        elif state.unread and not state.fault:
            st.warning("Kept here. The file policy.yaml holds something else, which does not "
                       "count.", icon=":material/sync_problem:")  # fmt: skip
        else:
            st.caption("Kept here; the file policy.yaml does not count.")
        if state.file and not locked:
            with st.popover("Give it back to the file", key="policy-back"):
                _decide(
                    state, PolicyOrder(from_file=True), decided, "back", "Let the file count again"
                )


def _defaults(state: PolicyState, decided: int) -> None:
    """Draw what the policy says that could be as it comes, and the way back to that."""
    policy_keys = _keys_of_policy(state)
    if not policy_keys:
        return
    with st.popover("Use the default", icon=":material/restart_alt:", key="policy-defaults"):
        keys_chosen = st.multiselect(
            "Of which",
            policy_keys,
            format_func=lambda key: make_inert(key.replace("_", " ")),
            key=f"policy-default-keys-{state.version.number}",
            placeholder="What this policy says",
            help="It is said no longer, and counts as it comes with Postern.",
        )
        if keys_chosen:
            order = PolicyOrder(change=PolicyChange(defaults=tuple(keys_chosen)))
            _decide(state, order, decided, "default", "Use the default")


def _dials(state: PolicyState, evidence: ShadowEvidence, *, locked: bool) -> PolicyChange:
    """Draw mode, general quality and the dials; return what differs from what counts."""
    policy, version = state.policy, state.version.number
    with st.container(key="card-policy-mode"):
        with st.container(horizontal=True, vertical_alignment="center"):
            section("How much it does by itself")
            if not locked:
                _ways_back(state)
        usual_mode, usual = policy.mode, round(100 * policy.confidence_threshold)
        if given_up := _given_up(state):
            usual_mode = DEFAULTS.mode if "mode" in given_up else usual_mode
            if "confidence_threshold" in given_up:
                usual = round(100 * DEFAULTS.confidence_threshold)
        mark = "-".join((str(version), *given_up))
        mode = st.radio(
            "Mode",
            list(MODES),
            index=list(MODES).index(usual_mode),
            format_func=lambda item: MODES[item],
            key=f"policy-mode-{mark}",
            label_visibility="collapsed",
            disabled=locked,
            horizontal=True,
        )
        quality = st.slider(
            "Quality that a draft needs, where nothing else is set below",
            0,
            100,
            usual,
            key=f"policy-quality-{mark}",
            disabled=locked,
        )
    rules = category_dials(policy, evidence.drafts, version, locked=locked)
    with st.container(key="card-dial-others"):
        chips(make_muted("Complaints, calls for a person, urgent and angry mail are always "
                    "answered by a person. So are spam and what colleagues write."))  # fmt: skip
        others = [rule for rule in policy.autonomy_rules if rule.priority or not rule.category]
        if others:
            few = "They stay as they are, and stand in the text."
            chips(make_muted(f"{plural(len(others), 'rule')} for a priority or for every category. "
                        f"{few}"))  # fmt: skip
    left = {"mode": mode is usual_mode, "confidence_threshold": quality == usual}
    return PolicyChange(
        defaults=tuple(key for key in given_up if left[key]),
        mode=None if left["mode"] else mode,
        confidence_threshold=None if left["confidence_threshold"] else quality / 100,
        autonomy_rules=rules if rules != policy.autonomy_rules else None,
    )


def _ways_back(state: PolicyState) -> None:
    """Draw the way back to the default of each of the two that the policy's text says."""
    for key, name in WAYS_BACK.items():
        if key in _keys_of_policy(state):
            default_button(f"{key}-{state.version.number}", f"Default {name}", f"The {name}")


def _keys_of_policy(state: PolicyState) -> tuple[str, ...]:
    """Return the keys that the policy's text says; none of one that cannot be read."""
    try:
        return list_keys(state.version.text)
    except ManifestError:
        return ()


def _given_up(state: PolicyState) -> tuple[str, ...]:
    """Return the keys whose default somebody wants."""
    said, version = _keys_of_policy(state), state.version.number
    return tuple(key for key in WAYS_BACK if key in said and is_given_up(f"{key}-{version}"))


def _draw_change(
    state: PolicyState, change: PolicyChange, evidence: ShadowEvidence, *, locked: bool
) -> None:
    """Draw what the dials as they are set would do, and the button that keeps it."""
    with st.container(key="card-policy-change"):
        section("What would leave by itself")
        _would("As it is", evidence.would_send, len(evidence.drafts))
        if locked:
            st.caption("Only an administrator changes it.")
        elif change == PolicyChange():
            st.caption("Move a dial to see what would change. Nothing counts until you save it.")
        else:
            _decide(state, PolicyOrder(change=change), len(evidence.drafts), "dials", "Save")


def _would(name: str, leaving: DecisionFigures, decided: int) -> None:
    """Draw what people said of the drafts that a policy would let go in live mode."""
    of, count = plural(decided, "draft"), judged_of(leaving)
    if not decided:
        words = "nobody has decided on a draft yet, so nothing speaks for it."
    elif not count:
        words = f"nothing, of {of} that people decided on."
    else:
        parts = (
            f"{leaving.unchanged} had been sent unchanged",
            f"{leaving.edited} changed" if leaving.edited else "",
            f"{leaving.rejected} rejected" if leaving.rejected else "",
            f"{leaving.closed} closed without a reply" if leaving.closed else "",
        )
        parts_text = ", ".join(part for part in parts if part)
        words = f"{count} of {of} that people decided on: {parts_text}."
    st.text(f"{name}: {words}")


def _decide(state: PolicyState, order: PolicyOrder, decided: int, name: str, label: str) -> None:
    """Draw what an order would change, what speaks against it, and the button that keeps it."""
    try:
        preview = mail_desk().policy.preview(order)
    except (NotFoundError, RefusedError) as error:
        st.error(make_inert(sentence(error), limit=600), icon=":material/error:")
        return
    if not preview.diff and not order.from_file:
        st.caption("It says what counts already.")
        return
    _would("Then", preview.would_send, decided)
    for warning in preview.warnings:
        st.warning(make_inert(warning, limit=600), icon=":material/warning:")
    with st.expander("What changes in the text", key=f"policy-diff-{name}"):
        st.code("\n".join(preview.diff) or "(nothing)", language="diff", wrap_lines=True)
    note = st.text_input("Why", key=f"policy-why-{name}-{state.version.number}", max_chars=500,
                         placeholder="For whoever reads the versions")  # fmt: skip
    knowing = not preview.warnings or st.checkbox(
        "I have read this, and it is meant all the same",
        key=f"policy-knowing-{name}-{state.version.number}",
    )
    st.button(
        label,
        key=f"policy-save-{name}",
        type="primary",
        disabled=not knowing,
        on_click=_save,
        args=(SetPolicy(**dict(order), was=state.version.number, knowing=knowing, note=note),),
    )


def _save(order: SetPolicy) -> None:
    if (state := attempt(lambda: mail_desk().policy.keep(order))) is not None:
        st.session_state.pop("policy-text", None)
        say("done", f"Version {state.version.number} counts from now on.")


def _week(state: PolicyState, decided: int) -> None:
    """Draw when people work, and the button that keeps it."""
    hours = state.policy.working_hours
    label = (
        f"Working hours: {hours.in_words()}" if hours else "Working hours: none, any hour counts"
    )
    with st.expander(label, key="policy-week"):
        change = working_week(hours, zone() or "UTC", state.version.number)
        if change != PolicyChange():
            _decide(state, PolicyOrder(change=change), decided, "week", "Save the week")


def _service(state: PolicyState, decided: int) -> None:
    """Draw by when mail should be answered, and how often a fault is planted."""
    levels, number = state.policy.service_levels, state.version.number
    with st.expander(
        f"Service levels: {plural(len(levels), 'row') if levels else 'none'}", key="policy-levels"
    ):
        change = service_levels(levels, number)
        if change != PolicyChange():
            _decide(state, PolicyOrder(change=change), decided, "levels", "Save the levels")
    planted = state.policy.planted_a_week
    with st.expander(
        f"Planted faults: {f'{planted} a week' if planted else 'none'}", key="policy-planted"
    ):
        change = planted_faults(planted, number)
        if change != PolicyChange():
            _decide(state, PolicyOrder(change=change), decided, "planted", "Save it")


def _text(state: PolicyState, decided: int, *, locked: bool) -> None:
    """Draw the whole policy as text, which an administrator may write."""
    with st.expander("All of it, as text", key="policy-all"):
        st.caption("Everything else that may be said of mail stands here too: hours, limits, who "
                   "is handed what, forbidden content. docs/configuration.md lists the keys; what "
                   "is not said here is as usual.")  # fmt: skip
        if locked:
            st.code(state.version.text or "(nothing)", language=None, wrap_lines=True)
            return
        text = st.text_area(
            "Policy", state.version.text, key=f"policy-text-{state.version.number}", height=380,
            max_chars=LONGEST_POLICY, label_visibility="collapsed",
        )  # fmt: skip
        if text != state.version.text:
            _decide(state, PolicyOrder(text=text), decided, "text", "Save this text")


def _versions(state: PolicyState, decided: int, *, locked: bool) -> None:
    """Draw every version with what it changed, and the button that brings it back."""
    versions = mail_desk().policy.versions().items
    with st.container(key="card-policy-versions"):
        section("Versions")
        if not versions:
            empty("None yet.", "Each change is kept, and can be taken back.")
        for place, version in enumerate(versions[:30]):
            before = versions[place + 1].number if place + 1 < len(versions) else 0
            _version(state, version, before, decided, locked=locked)
        if len(versions) > 30:
            st.caption(f"And {len(versions) - 30} older; `postern policy versions` lists them.")


def _version(
    state: PolicyState, version: PolicyVersion, before: int, decided: int, *, locked: bool
) -> None:
    current = version.number == state.version.number
    with st.expander(
        f"Version {version.number} by {make_inert(version.author)}"
        + (", counts now" if current else ""),
        key=f"policy-version-{version.number}",
        on_change="rerun",
    ) as drawn:
        if not drawn.open:
            return
        chips(
            moment(version.written_at, now()) if version.written_at else "",
            chip("in the file" if version.place is PolicyPlace.FILE else "kept here", "quiet"),
        )
        if version.note:
            st.text(one_line(version.note, 500))
        lines = mail_desk().policy.compare(before, version.number).lines
        st.code("\n".join(lines) or "(the same wording)", language="diff", wrap_lines=True)
        if not current and not locked:
            _decide(
                state,
                PolicyOrder(restore=version.number),
                decided,
                f"restore-{version.number}",
                "Let this one count again",
            )


if __name__ == "__main__":
    show()
