"""The message on the wire to the message in the spool, in pieces (RFC 5321 section 4.5.2)."""

from connectors import line_ends

END = b"\r\n.\r\n"
_PREFIXES = tuple(END[:length] for length in range(len(END) - 1, 0, -1))
LINE_LIMIT = 65_536


class DataDecoder:
    """Takes what follows 354 in pieces of any size and gives the message in pieces.

    Only CRLF.CRLF ends it: any other mixture of CR, LF and a dot is content, so that no second
    message can be smuggled in. Bare CR and LF become CRLF and set `bare_eol`.
    At most four bytes are held back.
    """

    def __init__(self, line_limit: int = LINE_LIMIT) -> None:
        self.finished = False
        self.bare_eol = False
        self.wire_bytes = 0
        """Bytes taken so far, dots and end marker included."""
        self.too_long = False
        """Whether a line was longer than `line_limit` bytes, line end not counted."""
        self.rest = b""
        """What came after the end marker."""
        self._line_limit = line_limit
        self._line = 0
        self._held = b"\r\n"  # stands for the line end of the DATA command
        self._virtual = 2

    def feed(self, chunk: bytes) -> bytes:
        """Take the next bytes from the wire; return the next bytes of the message."""
        piece = self._held + chunk
        at = piece.find(END)
        if at >= 0:
            self.finished = True
            self.rest = piece[at + len(END) :]
            self.wire_bytes += len(chunk) - len(self.rest)
            self._held = b""
            return self._content(piece[: at + 2])
        self.wire_bytes += len(chunk)
        self._held = next((p for p in _PREFIXES if piece.endswith(p)), b"")
        return self._content(piece[: len(piece) - len(self._held)])

    def _content(self, piece: bytes) -> bytes:
        if not piece:
            return b""
        text = piece.replace(b"\r\n.", b"\r\n")
        if self._virtual:
            text = text[self._virtual :]
            self._virtual = 0
        if line_ends.has_bare_ends(text):
            self.bare_eol = True
            text = line_ends.normalize(text)
        self._measure(text)
        return text

    def _measure(self, text: bytes) -> None:
        """Look for a line over the limit, jumping from line end to line end as far as it allows."""
        at = 0
        while self._line + len(text) - at > self._line_limit:
            # The line that began before `at` must end, CRLF included, within this window.
            end = text.rfind(b"\n", at, at + self._line_limit - self._line + 2)
            if end < 0:
                self.too_long = True
                break
            at, self._line = end + 1, 0
        last = text.rfind(b"\n", at)
        self._line = self._line + len(text) - at if last < 0 else len(text) - last - 1
