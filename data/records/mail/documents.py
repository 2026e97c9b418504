"""The text and the pages of an attachment, read or drawn because somebody asked for it."""

from pydantic import ConfigDict

from data.records.core.parsed_mail import Hidden
from data.records.core.record import Record
from data.records.core.screening import Verdict

PAGES_HEADER = "Postern-Pages"
"""The header of a drawn page that says how many pages the file has."""
MOST_DRAWN_PAGES = 10
"""Pages of a PDF that are drawn, from its first."""


class DocumentText(Record):
    """What a reading process got out of a file."""

    kind: str = ""
    """`PDF`, `Word`, `Excel`, `OpenDocument`, `HTML`, `text`; empty for another kind."""
    text: str = ""
    cut: bool = False
    """Whether there is more than was read."""
    trouble: str = ""
    """Why it could not be read, in a sentence; empty when it was."""
    summary: str = ""
    """Sentences of it, about a sixth; picked here, not written."""
    hidden: tuple[Hidden, ...] = ()
    """What a page holds that its reader does not see: for the screen, and told to no model."""
    tags: tuple[str, ...] = ()
    """Words that stand in it most often, apart from those of every text."""


class DocumentView(Record):
    """An attachment with its text, and what the screen says of it."""

    message_id: str
    filename: str
    sha256: str
    document: DocumentText
    verdict: Verdict = Verdict.CLEAN
    """Of the screen, as of mail; its text is somebody else's words in any case."""
    findings: tuple[str, ...] = ()
    """What the screen found, in the words of its rules, strongest first."""


class DrawnPage(Record):
    """A picture, or a page of a PDF, as a drawing process made it anew out of plain pixels."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    png: bytes = b""
    """A PNG that holds pixels alone; empty when there is a trouble."""
    pages: int = 1
    """How many pages the file has; a picture is one."""
    trouble: str = ""
    """Why it is not drawn, in a sentence; empty when it is."""
