"""The default agent of a chat where nobody named one, and the reason for it."""

from collections.abc import Collection, Sequence

from data.records.agents.agents import Agent

GENERAL = "assistant"
"""Slug of the template of the general agent."""


def choose_default_agent(
    there: Sequence[Agent], able: Collection[str] | None = None
) -> tuple[Agent, str] | None:
    """Return the agent to ask with the reason in a sentence; None where there is none.

    Args:
        there: agents that the person can ask, by name.
        able: slugs of those that can look into what the chat is about; None for nothing in
            particular.

    """
    awake = [agent for agent in there if agent.works]
    if able is not None:
        awake = [agent for agent in awake if agent.slug in able]
        return (awake[0], "It can look into what the chat is about.") if awake else None
    for agent in awake:
        if agent.template == GENERAL:
            return agent, "It is the general one."
    return (awake[0], "It is the first by name of those that you can ask.") if awake else None
