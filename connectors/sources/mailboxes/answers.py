"""Answers that a server left out: asked for again alone, looked for, told; never taken for gone.

A message that is missing from an answer may have been removed meanwhile, or the server may have
failed over it (`NO`, `BODY[] NIL`, no line at all). Only a search that answers, and does not name
it, says that it is gone.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from connectors.sources.mailboxes.failures import shorten_failure

MOST_REFUSED = 20
"""Refusals of single messages after which the server's trouble is not one with messages."""
MOST_ALONE = 50
"""Messages that are asked for a second time in one go."""
NO_ANSWER = "it gave no answer for it"

AnswerT = TypeVar("AnswerT")
AskServer = Callable[[Sequence[int]], Mapping[int, AnswerT]]
Present = Callable[[Collection[int]], Collection[int]]


@dataclass
class _Refusals:
    """Single messages that the server refused, and what it said."""

    words: dict[int, str] = field(default_factory=dict)


def ask_each(
    ask: AskServer[AnswerT], present: Present, uids: Sequence[int]
) -> tuple[dict[int, AnswerT], dict[int, str]]:
    """Ask for messages; return the answers, and why others that are there have none.

    Args:
        ask: gives what the server answered for some UIDs; raises what the library raises.
        present: gives those of some UIDs that are in the folder now.
        uids: the messages, ascending.

    Raises:
        IMAPClientError: the connection broke, or the server refuses more than single messages.

    """
    refusals = _Refusals()
    answers = _ask_by_halves(ask, uids, refusals)
    absent = [uid for uid in uids if uid not in answers]
    there = set(present(absent)) if absent else set()
    owed = [uid for uid in absent if uid in there]
    for uid in owed[:MOST_ALONE]:
        refusals.words.pop(uid, None)
        answers |= _ask_by_halves(ask, [uid], refusals)
    silent = [uid for uid in owed if uid not in answers]
    return answers, {uid: refusals.words.get(uid, NO_ANSWER) for uid in silent}


def _ask_by_halves(
    ask: AskServer[AnswerT], uids: Sequence[int], refusals: _Refusals
) -> dict[int, AnswerT]:
    """Ask for all at once, and after a refusal for each half, down to the one that is refused."""
    if not uids:
        return {}
    try:
        return dict(ask(uids))
    except IMAPClientAbortError:
        raise
    except (IMAPClientError, ValueError, KeyError, IndexError, TypeError) as error:
        if len(uids) == 1:
            if len(refusals.words) >= MOST_REFUSED:
                raise
            refusals.words[uids[0]] = (
                f"it said {shorten_failure(str(error) or type(error).__name__)}"
            )
            return {}
    middle = len(uids) // 2
    first = _ask_by_halves(ask, uids[:middle], refusals)
    return first | _ask_by_halves(ask, uids[middle:], refusals)
