"""Models: who thinks, whether it answers, what it has used, and how much it may use."""

import streamlit as st

from data.counting import plural
from data.records.core.asking import SENTENCES
from data.records.core.model_views import (
    CallsView,
    ModelSetup,
    ModelsView,
    TriedModel,
    TryModel,
)
from ui.core.chips import chip, chips, empty, facts, make_muted, section
from ui.core.session import attempt, core_desk, guard_refusals, me, organization, read_lately
from ui.core.text.inert import one_line
from ui.core.text.words import DONE_BY
from ui.core.widgets.caps import caps
from ui.core.widgets.figures import figures
from ui.core.widgets.heading import heading
from ui.core.widgets.model_form import CLASSES, PROVIDERS, TRIED, model_form
from ui.core.widgets.set_where import set_where

FAULTS: dict[str, str] = {str(fault): sentence for fault, sentence in SENTENCES.items()} | {
    "reserved": "it is under way, or the engine ended in the middle"
}
"""Why a call had no answer, by the name that it is counted under."""


def show() -> None:
    """Draw the page."""
    heading("Models", "Who thinks, what it has cost, and how much it may use.")
    with guard_refusals():
        if not me().administers:
            st.info("Only an administrator sets up models.", icon=":material/info:")
            return
        if organization() is None:
            empty("There is no organization yet.", "First steps begins one.")
            return
        models_view = core_desk().models.view()
        left, right = st.columns(2, gap="medium")
        with left:
            _who_thinks(models_view, core_desk().models.setup())
            _used(models_view)
        with right:
            caps(models_view)
            _where_set()


def _who_thinks(models_view: ModelsView, setup: ModelSetup) -> None:
    with st.container(key="card-models-who"):
        section("Who thinks")
        if models_view.provider == "local":
            chips(chip("Postern by itself", "accent"))
            st.text(
                "No language model is asked, and nothing leaves this machine for one. Mail is "
                "understood, planned and answered by what Postern brings along. Choose who else "
                "thinks here; it counts from the next question on, without a restart."
            )
        else:
            _thinking_now(models_view)
        if setup.trouble:
            st.error(one_line(f"No model can be asked as it is set: {setup.trouble}", 500),
                     icon=":material/error:")  # fmt: skip
        model_form(setup)
        trial = st.session_state.get(TRIED)
        if isinstance(trial, TriedModel):
            _draw_trial(trial)


def _thinking_now(models_view: ModelsView) -> None:
    chips(chip(PROVIDERS.get(models_view.provider, models_view.provider), "accent"))
    for tier in models_view.tiers:
        with st.container(horizontal=True, vertical_alignment="center",
                          key=f"model-{tier.tier}"):  # fmt: skip
            price = f"US$ {tier.price} a million tokens" if tier.price else "price not set"
            with st.container(gap=None):
                st.text(one_line(tier.model, 120))
                st.caption(f"{CLASSES.get(tier.tier, tier.tier)}. {price}.")
            st.button("Test", key=f"model-try-{tier.tier}", icon=":material/play_arrow:",
                      on_click=_try, args=(tier.tier,),
                      help="Asks one short question, within the caps.")  # fmt: skip
    if any(not tier.price for tier in models_view.tiers):
        st.warning("A model without a price is not asked while money is capped. Write its line "
                   "below; zeros for a server of your own.",
                   icon=":material/warning:")  # fmt: skip


def _try(tier: str) -> None:
    order = TryModel.model_validate({"tier": tier})
    st.session_state[TRIED] = attempt(lambda: core_desk().models.try_out(order))


def _draw_trial(tried: TriedModel) -> None:
    with st.container(key="model-tried"):
        if tried.trouble:
            st.error(one_line(tried.trouble, 400), icon=":material/error:")
            if tried.remedy:
                st.text(one_line(tried.remedy, 400))
            return
        chips(
            chip("it answered", "good"),
            make_muted(f"{tried.milliseconds / 1000:.1f} s"),
            make_muted(f"{tried.used.tokens_in:,} tokens in, {tried.used.tokens_out:,} out"),
            make_muted(_cost(tried.used)),
        )
        st.text(one_line(f"{tried.model} was asked: {tried.question}", 300))
        st.text(one_line(tried.answer, 500))


def _used(models_view: ModelsView) -> None:
    """Draw what models have used and cost: in all, by day, and by agent."""
    with st.container(key="card-models-used"):
        section("Used")
        facts(
            *(
                (f"This {spending.name}", make_muted(_spent(spending.cost, spending.cap)))
                for spending in models_view.spent
            )
        )
        if not models_view.by_day and not models_view.by_agent:
            chips(make_muted("Nothing was asked this month."))
            return
        head = ("Calls", "Tokens in", "Tokens out", "Cost")
        if models_view.by_day:
            figures(
                ("Day (UTC)", *head),
                [_row(day_usage.name, day_usage) for day_usage in models_view.by_day],
                "By day",
            )
        if models_view.by_agent:
            agent_rows = [
                _row(DONE_BY.get(agent_usage.name, agent_usage.name), agent_usage)
                for agent_usage in models_view.by_agent
            ]
            figures(("This month", *head), agent_rows, "By agent")
        if failed := sum(fault.calls for fault in models_view.faults):
            reasons = ", ".join(_fault(fault) for fault in models_view.faults)
            chips(chip(f"{plural(failed, 'call')} without an answer", "warn"), make_muted(reasons))


def _fault(calls_view: CallsView) -> str:
    """Return why calls had no answer, as people read it, and how many they were."""
    sentence = FAULTS.get(calls_view.name, calls_view.name.replace("_", " "))
    return f"{sentence} ({calls_view.calls:,})"


def _row(name: str, calls_view: CallsView) -> tuple[str, ...]:
    return (
        name,
        f"{calls_view.calls:,}",
        f"{calls_view.tokens_in:,}",
        f"{calls_view.tokens_out:,}",
        _cost(calls_view),
    )


def _cost(calls_view: CallsView) -> str:
    return "price not known" if calls_view.unpriced else f"US$ {calls_view.cost:.4f}"


def _spent(cost: float, cap: float) -> str:
    spent = f"US$ {cost:.4f}" if 0 < cost < 0.01 else f"US$ {cost:.2f}"
    return f"{spent} of {cap:.2f}" if cap else f"{spent}, no cap"


def _where_set() -> None:
    with st.container(key="card-models-set"):
        section("Where this is set")
        settings_view = read_lately("settings", core_desk().settings.list_all, 30)
        st.text(
            "Provider, models, key and prices are settings of the installation and count for "
            "every organization. What postern.toml or the environment names is changed there, "
            "and counts after a restart; all else is changed on the left, at once."
        )
        set_where(settings_view, "llm_")


if __name__ == "__main__":
    show()
