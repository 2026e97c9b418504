"""Dials of the policy: for a category or a kind of wish, who sends, and from which quality."""

from collections import Counter
from collections.abc import Sequence
from html import escape

import streamlit as st

from data.counting import plural
from data.records.core.organization import AutonomyRule, Policy
from data.records.core.understanding import LEAVING, Category, IntentKind
from data.records.mail.shadow import DraftJudgement, JudgedDraft
from ui.core.pages import switch_to
from ui.core.text.inert import make_inert, one_line
from ui.core.text.text_runs import line, run
from ui.core.text.words import percent, word, word_sentence
from ui.core.widgets.marked import draw_marked

ALONE, PERSON, ABOVE = "alone", "person", "above"
CHOICES = {PERSON: "A person sends", ALONE: "By itself", ABOVE: "As for all of it"}
DIALLED = tuple(
    category
    for category in Category
    if category not in (Category.COMPLAINT, Category.SPAM, Category.INTERNAL)
)
"""Categories that a dial is drawn for; of the others nothing leaves, or hardly anything comes."""
TONES = {
    DraftJudgement.UNCHANGED: "good",
    DraftJudgement.EDITED: "warn",
    DraftJudgement.REJECTED: "bad",
    DraftJudgement.CLOSED: "quiet",
}
SAID = {
    DraftJudgement.UNCHANGED: "sent unchanged",
    DraftJudgement.EDITED: "sent changed",
    DraftJudgement.REJECTED: "rejected",
    DraftJudgement.CLOSED: "closed without a reply",
}
SHOWN = 12
"""Drafts that are listed of a dial."""


def category_dials(
    policy: Policy, drafts: Sequence[JudgedDraft], version: int, *, locked: bool
) -> tuple[AutonomyRule, ...]:
    """Draw the dials of every category; return the rules as they are set.

    `version` is the policy's: with another one all dials begin where that has them.
    """
    rule_by_key = {_key(rule): rule for rule in policy.autonomy_rules}
    for category in DIALLED:
        with st.container(key=f"card-dial-{category}"):
            _dial(policy, drafts, rule_by_key, category, None, version, locked=locked)
            own = [kind for kind in LEAVING if (category, kind, None) in rule_by_key]
            with st.expander(
                f"Kinds of {word(category)}" + (f", {len(own)} of their own" if own else ""),
                key=f"dial-kinds-{category}-{version}",
            ):
                for kind in LEAVING:
                    _dial(policy, drafts, rule_by_key, category, kind, version, locked=locked)
    return tuple(rule_by_key.values())


def _key(rule: AutonomyRule) -> tuple[object, object, object]:
    return rule.category, rule.intent, rule.priority


def _dial(
    policy: Policy,
    drafts: Sequence[JudgedDraft],
    rule_by_key: dict[tuple[object, object, object], AutonomyRule],
    category: Category,
    kind: IntentKind | None,
    version: int,
    *,
    locked: bool,
) -> None:
    """Draw one dial with its evidence, and put its rule among the wanted."""
    key = (category, kind, None)
    rule = rule_by_key.get(key)
    name = f"{category}-{kind or 'all'}"
    about = [draft for draft in drafts if _is_about(draft, category, kind)]
    with st.container(key=f"dial-{name}", gap="small"):
        choices = [PERSON, ALONE] if kind is None else [ABOVE, PERSON, ALONE]
        usual = choices[0] if rule is None else ALONE if rule.auto_send else PERSON
        given_up = rule is not None and is_given_up(f"dial-{name}-{version}")
        mark = f"{name}-{version}{'-default' if given_up else ''}"
        if given_up:
            rule, usual = None, choices[0]
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<b>{escape(word(kind or category).capitalize())}</b>", width=140)
            chosen = st.segmented_control(
                f"Who sends {word(kind or category)}",
                choices,
                default=usual,
                format_func=lambda item: CHOICES[item],
                key=f"dial-who-{mark}",
                label_visibility="collapsed",
                disabled=locked,
            )
            if rule is not None and not locked:
                default_button(f"dial-{name}-{version}", "Default", "No rule of its own")
        chosen = chosen or usual
        least = _least(policy, rule)
        percents = st.slider(
            "From which quality",
            0,
            100,
            round(100 * least),
            key=f"dial-quality-{mark}",
            format="from quality %d",
            label_visibility="collapsed",
            disabled=locked or chosen == ABOVE,
        )
        if chosen != ABOVE:
            _evidence(about, percents / 100, name)
    if given_up and (chosen, percents) == (usual, round(100 * least)):
        rule_by_key.pop(key, None)
        return
    rule_made = _rule(
        rule, category, kind, chosen, None if percents == round(100 * least) else percents
    )
    if rule_made is None:
        rule_by_key.pop(key, None)
    elif rule_made != rule and (rule is not None or chosen != usual):
        rule_by_key[key] = rule_made


def default_button(mark: str, label: str, meaning: str) -> None:
    """Draw the way back to the default beside what sets something else.

    It counts once the change is saved, as if somebody had moved the dial there.
    """
    st.button(
        label,
        key=f"default-{mark}",
        icon=":material/restart_alt:",
        type="tertiary",
        help=f"{meaning}: the default counts, once it is saved.",
        on_click=_give_up,
        args=(mark,),
    )


def is_given_up(mark: str) -> bool:
    """Return whether somebody pressed that way back to the default."""
    return bool(st.session_state.get(f"given-up-{mark}"))


def _give_up(mark: str) -> None:
    st.session_state[f"given-up-{mark}"] = True


def _least(policy: Policy, rule: AutonomyRule | None) -> float:
    if rule is None or rule.threshold is None:
        return policy.confidence_threshold
    return rule.threshold


def _rule(
    rule: AutonomyRule | None,
    category: Category,
    kind: IntentKind | None,
    chosen: str,
    percents: int | None,
) -> AutonomyRule | None:
    """Return the rule that a dial stands for; `percents` is None where its slider was left."""
    if chosen == ABOVE:
        return None
    before = rule.threshold if rule is not None else None
    return AutonomyRule(
        category=category,
        intent=kind,
        auto_send=chosen == ALONE,
        threshold=before if percents is None or chosen == PERSON else percents / 100,
    )


def _is_about(draft: JudgedDraft, category: Category, kind: IntentKind | None) -> bool:
    return any(
        wish.category is category and (kind is None or wish.intent is kind) for wish in draft.wishes
    )


def _evidence(about: Sequence[JudgedDraft], least: float, name: str) -> None:
    """Draw what people said of the drafts that a dial would let go, and of those held besides."""
    if not about:
        st.caption("Nobody has decided on a draft about this yet.")
        return
    reaching = [draft for draft in about if draft.quality >= least]
    leaving = [draft for draft in reaching if draft.could_leave]
    drafts = [draft for draft in reaching if not draft.could_leave]
    drawn = leaving or drafts
    if drawn:
        st.html(_bar(drawn))
    words = f"{plural(len(about), 'draft')} decided on; {len(leaving) or 'none'} would have left"
    words += f": {_count_judgements(leaving)}." if leaving else "."
    if drafts:
        reasons = Counter(draft.held_by for draft in drafts)
        words += (
            f" {len(drafts)} {'reaches' if len(drafts) == 1 else 'reach'} this quality and would "
            f"have been held all the same ({_count_judgements(drafts)}); "
            f"most often: {word_sentence(reasons.most_common(1)[0][0])}"
        )
    st.caption(make_inert(words, limit=600))
    if drawn:
        _which(leaving, drafts, name)


def _count_judgements(drafts: Sequence[JudgedDraft]) -> str:
    counts = [
        (judgement, sum(draft.said is judgement for draft in drafts))
        for judgement in DraftJudgement
    ]
    return ", ".join(f"{count} {SAID[said]}" for said, count in counts if count)


def _which(leaving: Sequence[JudgedDraft], judged_drafts: Sequence[JudgedDraft], name: str) -> None:
    """Draw the drafts behind the figures, what would have left and what was refused first."""
    worst = list(DraftJudgement)[::-1]
    listed = [
        *sorted(leaving, key=lambda draft: worst.index(draft.said)),
        *sorted(judged_drafts, key=lambda draft: worst.index(draft.said)),
    ]
    with st.popover("Which ones", type="tertiary", key=f"dial-which-{name}", on_change="rerun"
                    ) as drawn:  # fmt: skip
        if not drawn.open:
            return
        for draft in listed[:SHOWN]:
            _draw_listed(draft, name)
        if len(listed) > SHOWN:
            st.caption(f"And {len(listed) - SHOWN:,} more.")


def _bar(drafts: Sequence[JudgedDraft]) -> str:
    counts = Counter(draft.said for draft in drafts)
    parts = "".join(
        f'<i class="{TONES[judgement]}" '
        f'style="width:{100 * counts[judgement] / len(drafts):.1f}%"></i>'
        for judgement in DraftJudgement
        if counts[judgement]
    )
    return f'<span class="said-bar" aria-hidden="true">{parts}</span>'


def _draw_listed(draft: JudgedDraft, name: str) -> None:
    """Draw a draft with the way to its case."""
    changed = f", {percent(draft.changed)} of it" if draft.said is DraftJudgement.EDITED else ""
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        draw_marked(
            [
                line(
                    run(one_line(draft.subject or "(no subject)", 70), "strong"),
                    run(
                        f"\n{SAID[draft.said]}{changed} by {draft.decided_by}; "
                        f"quality {round(100 * draft.quality)}"
                        f"{'' if draft.could_leave else ', held all the same'}",
                        "quiet",
                    ),
                )
            ],
            "list",
            key=f"dial-draft-{name}-{draft.case_id}",
        )
        if st.button("Open", key=f"dial-case-{name}-{draft.case_id}", type="tertiary"):
            st.session_state["case"] = draft.case_id
            switch_to("review")
