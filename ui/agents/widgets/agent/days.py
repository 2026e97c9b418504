"""A small chart of an agent's days: bars of what it did and cost on each."""

from html import escape

import streamlit as st

from data.counting import plural
from data.records.agents.agents import Agent, AgentDay
from ui.agents.api.desk import agents_desk
from ui.core.chips import chips, make_muted, section

SHOWN = 30
"""Days of the chart."""


def days(agent: Agent) -> None:
    """Draw the days up to today; by cost where there was any, else by answers asked of it."""
    shown = agents_desk().agents.days(agent.slug, SHOWN).items
    cost, turns = (
        sum(entry.cost for entry in shown),
        sum(entry.turns for entry in shown),
    )
    if not turns and not cost:
        return
    section(f"The last {SHOWN} days")
    heights = [entry.cost if cost else float(entry.turns) for entry in shown]
    most = max(heights)
    bars = "".join(_bar(one, height / most) for one, height in zip(shown, heights, strict=True))
    st.html(f'<div class="days" role="img" aria-label="{escape(words(shown))}">{bars}</div>')
    chips(make_muted(words(shown)))


def words(shown: tuple[AgentDay, ...]) -> str:
    """Return the days taken together, in words."""
    turns, cost = (
        sum(entry.turns for entry in shown),
        sum(entry.cost for entry in shown),
    )
    requests, tokens = (
        sum(entry.requests for entry in shown),
        sum(entry.tokens for entry in shown),
    )
    if not requests:
        return f"{plural(turns, 'answer')} asked of it, without a model and at no cost"
    return (
        f"{cost:.2f} US dollars for {plural(turns, 'answer')}: "
        f"{plural(requests, 'request')} to models, {plural(tokens, 'token')}"
    )


def _bar(entry: AgentDay, share: float) -> str:
    answers = plural(entry.turns, "answer")
    sentence = f"{entry.day:%-d %b}: {answers}, {entry.cost:.4f} US dollars"
    height = max(round(share * 100), 3 if entry.turns or entry.cost else 0)
    return f'<span title="{escape(sentence)}"><i style="height:{height}%"></i></span>'
