"""Cutting pieces of context until they fit, from the least useful on; what binds goes last.

Our commitments and the questions put to us stay while there is room for them at all, whatever else
has to go. Where they alone are too many, questions give way before commitments, so that nobody can
push out what we promised by asking much.
"""

from collections.abc import Callable, Iterable, Sequence

from data.records.core.briefing import Snippet
from tasks.mail.context.compacting import condense_snippet, keep_binding, snippet_tokens, truncate


class _Piece:
    """A piece as it is now, or nothing."""

    def __init__(self, snippet: Snippet) -> None:
        self.snippet: Snippet | None = snippet
        self.size = snippet_tokens((snippet,))


class _Pile:
    """All pieces together, and what they weigh."""

    def __init__(self, room: int) -> None:
        self.over = -room
        """Tokens by which the pieces are too many."""

    def add(self, snippets: Sequence[Snippet]) -> list[_Piece]:
        """Take these on."""
        pieces = [_Piece(snippet) for snippet in snippets]
        self.over += sum(piece.size for piece in pieces)
        return pieces

    def give_way(
        self, pieces: Iterable[_Piece], cut: Callable[[Snippet, int], Snippet | None]
    ) -> None:
        """Cut one piece after the other until everything fits; `cut` knows the tokens left."""
        for piece in pieces:
            if self.over <= 0:
                return
            if piece.snippet is not None:
                piece.snippet = cut(piece.snippet, max(0, piece.size - self.over))
                size = snippet_tokens((piece.snippet,)) if piece.snippet is not None else 0
                self.over += size - piece.size
                piece.size = size


def fit(
    talk: Sequence[Snippet],
    earlier: Sequence[Snippet],
    facts: Sequence[Snippet],
    house: Sequence[Snippet],
    room: int,
) -> list[Snippet]:
    """Return what fits into `room` tokens; messages come oldest first, facts best first.

    First the contact's other messages give way to what binds in them; then the worse half of the
    knowledge goes; then the conversation but for its newest message gives way, the knowledge but
    for its best entry, the newest message, and that entry. Who we are always stays.
    """
    pile = _Pile(room)
    past_talk, past, known_facts = pile.add(talk), pile.add(earlier), pile.add(facts)
    own = pile.add(house)
    half = -(-len(known_facts) // 2)
    pile.give_way(past, _what_binds)
    pile.give_way(known_facts[half:][::-1], _nothing)
    pile.give_way(past_talk[:-1], _what_binds)
    pile.give_way(known_facts[1:half][::-1], _nothing)
    pile.give_way(past_talk[-1:], condense_snippet)
    pile.give_way(known_facts[:1], _nothing)
    for ours in (False, True):
        mine = [
            piece
            for piece in (*past, *past_talk)
            if piece.snippet and piece.snippet.outbound is ours
        ]
        pile.give_way(mine, _beginning)
    return [
        piece.snippet
        for piece in (*past_talk, *past, *known_facts, *own)
        if piece.snippet is not None
    ]


def _what_binds(snippet: Snippet, _: int) -> Snippet | None:
    return keep_binding(snippet)


def _nothing(_: Snippet, __: int) -> None:
    return None


def _beginning(snippet: Snippet, tokens: int) -> Snippet | None:
    cut = truncate(snippet, tokens)
    return cut if cut.text and snippet_tokens((cut,)) <= tokens else None
