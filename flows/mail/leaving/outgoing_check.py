"""Reasons why rendered bytes must not leave: a mark of private context, or an unlisted link."""

from data.errors import ConflictError
from data.lexicons.drafting import phrases
from data.records.mail.delivery import Outgoing
from flows.core.workspace import Workspace
from flows.mail.line.leaks import LEAKED
from flows.mail.line.mail_line import mail_line_of
from tasks.mail.check.outgoing import holds_canary, unlisted_links
from tasks.mail.draft.names import closing, reply_language


class LeakError(ConflictError):
    """A reply would tell private context; it does not leave, whoever approves it."""


def fault_of(workspace: Workspace, outgoing: Outgoing, language: str) -> str:
    """Return why a reply must not leave by itself, in a sentence; empty when nothing is wrong."""
    if holds_canary(outgoing.raw, workspace.canary, len(outgoing.enclosed)):
        return LEAKED
    unlisted = unlisted_links(
        outgoing.raw, workspace.policy.allowed_links, _own_lines(workspace, language)
    )
    return f"the rendered reply holds the link {unlisted[0][:100]!r}" if unlisted else ""


def refuse_leak(workspace: Workspace, raw: bytes, files: int) -> None:
    """Refuse a reply that a person approved and that would tell private context.

    `raw` are its bytes, of which the last `files` parts are files of our own.

    Raises:
        LeakError: it does.

    """
    if holds_canary(raw, workspace.canary, files):
        raise LeakError(f"{LEAKED}; it does not leave: write the reply anew")


def _own_lines(workspace: Workspace, language: str) -> str:
    """Return the lines that an operator wrote, whose links may leave."""
    code = reply_language(language, workspace.organization)
    saved = (reply.body for reply in mail_line_of(workspace).saved_replies)
    last = closing(phrases(code), code, workspace.policy, workspace.organization)
    return "\n\n".join((last, *saved))
