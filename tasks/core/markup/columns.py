"""Columns of tables that are taken out by `visibility: collapse` (CSS 2.2 section 17.5.5)."""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

ABOVE = 4
"""Elements between a cell or column and its table."""
CELLS = 200
"""Columns that one element may stand for."""
_SPANS = {"col": "span", "colgroup": "span", "td": "colspan", "th": "colspan"}


@dataclass
class Columns:
    """Which columns of which tables are not seen; asked in the order of the document."""

    taken_out: dict[int, set[int]] = field(default_factory=dict)
    """Places, from 0, by the parser's number of the table."""
    _places: dict[int, int] = field(default_factory=dict)
    """Where each cell or column stands that was asked about, so that none is counted twice."""

    def __bool__(self) -> bool:
        """Whether any column is taken out."""
        return bool(self.taken_out)

    def take_out(self, node: LexborNode) -> None:
        """Take out the columns that a column, or a group of them, stands for."""
        if (table := _table(node)) is None:
            return
        start = self._place(node)
        if node.tag == "col" and node.parent is not None and node.parent.tag == "colgroup":
            start += self._place(node.parent)
        cells = range(start, start + min(_width(node), CELLS))
        self.taken_out.setdefault(table.mem_id, set()).update(cells)

    def holds(self, cell: LexborNode) -> bool:
        """Whether a cell stands in a column that is taken out."""
        table = _table(cell)
        return table is not None and self._place(cell) in self.taken_out.get(table.mem_id, ())

    def _place(self, node: LexborNode) -> int:
        """Return how many columns stand before a column or a cell."""
        if (place_known := self._places.get(node.mem_id)) is not None:
            return place_known
        unknown = [node]
        before = node.prev
        while before is not None and before.mem_id not in self._places:
            if before.tag in _SPANS:
                unknown.append(before)
            before = before.prev
        place = 0 if before is None else self._places[before.mem_id] + _width(before)
        for column in reversed(unknown):
            self._places[column.mem_id] = place
            place += _width(column)
        return self._places[node.mem_id]


def _table(node: LexborNode) -> LexborNode | None:
    above = node.parent
    for _ in range(ABOVE):
        if above is None or above.tag == "table":
            return above
        above = above.parent
    return None


def _width(node: LexborNode) -> int:
    """Return how many columns a column, a group of them or a cell is wide."""
    if node.tag == "colgroup" and (inside := node.css("col")[:CELLS]):
        return sum(map(_width, inside))
    span = (node.attributes.get(_SPANS[node.tag or "col"]) or "1").strip()
    return int(span[:4]) if span.isdecimal() else 1
