"""On which occasion something is done for somebody: before whom, and because of which words."""

from data.records.core.record import Record


class Occasion(Record):
    """Who is there when something is said or asked; what may be remembered follows from it."""

    kind: str
    """Kind of the chat: `direct`, `team`, `organization`, `group`; another one sees the least."""
    user: str = ""
    """Id of the person, in a chat of one person."""
    teams: tuple[str, ...] = ()
    """Ids of the teams whose chat it is, or to which everybody in a group belongs."""
    agent: str = ""
    """Slug of the agent that is asked."""
    about: str = ""
    """What the chat is about: `case:` and the id of a case; empty for nothing in particular."""
    chat_id: str = ""
    turn_id: str = ""
    message_id: str = ""
    words: str = ""
    """What was said."""

    def about_a(self, kind: str) -> str:
        """Return the id of what the chat is about where it is of that kind; else nothing."""
        about_kind, _, id = self.about.partition(":")
        return id if about_kind == kind else ""
