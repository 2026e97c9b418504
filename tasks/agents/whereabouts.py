"""The place where an agent works, as its model is told: organization, window, pages, abilities.

It is the same for every turn of a person with an agent, so it stands in the prompt.
"""

from collections.abc import Iterable, Mapping

from tasks.core.words.sentences import single_spaced


def describe_place(
    agent: str, organization: str, address: str, pages: Mapping[str, str], groups: Iterable[str]
) -> str:
    """Return where an agent works, as a part of its prompt.

    Args:
        agent: its name.
        organization: the organization's name.
        address: of the window.
        pages: by kind of thing where the window shows it, with `{id}` for which.
        groups: the groups of tools that the agent has for who asks.

    """
    listed = ", ".join(f"{kind} `{page}`" for kind, page in pages.items())
    able = ", ".join(sorted(set(groups))) or "nothing but to answer"
    return f"""
## Where you are

You are {single_spaced(agent)}, an agent of {single_spaced(organization)} in Postern.
The window is at {address}; it shows each kind of thing at a page of its own: {listed}.
To lead somebody to a thing, name the number of its source, as `[2]`: the number becomes the link.
An address that you write yourself stays plain text, so write none that a tool has not given.
What you can do here, by groups of tools: {able}.
"""
