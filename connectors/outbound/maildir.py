"""The `file` transport: approved replies into a Maildir, exactly once."""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

from connectors import disk
from connectors.outbound.transport import (
    AskMayLeave,
    DeliveryKind,
    DeliveryResult,
    Tell,
    build_common_result,
    find_refusal,
)

FOLDERS = ("tmp", "new", "cur")


class FileTransport:
    """Writes each message as one file whose name comes from its Message-ID and recipients.

    A second attempt after a crash writes the same name, so that here, unlike over SMTP,
    a reply leaves exactly once.
    """

    exactly_once = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def deliver(
        self,
        raw: bytes,
        mail_from: str,
        rcpt_to: Sequence[str],
        *,
        before_data: AskMayLeave,
        before_dot: Tell,
    ) -> DeliveryResult:
        """Write the message; `Transport.deliver` says the rest."""
        if (refused := find_refusal(raw, mail_from, rcpt_to)) is not None:
            return refused
        if not await before_data():
            return build_common_result(rcpt_to, DeliveryKind.STOPPED, text="sending is stopped")
        name = file_name(raw, mail_from, rcpt_to)
        await before_dot()
        try:
            again = await asyncio.to_thread(self._write, name, raw)
        except OSError as error:
            text = f"the folder {str(self.folder)!r} cannot be written: {error.strerror or error}"
            return build_common_result(rcpt_to, DeliveryKind.DEFERRED, text=text)
        text = f"written as {name}" if not again else f"was already written as {name}"
        return build_common_result(rcpt_to, DeliveryKind.SENT, 250, text)

    def _write(self, name: str, raw: bytes) -> bool:
        """Put the file into `new/`; return whether it was there, or read (`cur/`), already."""
        for folder in FOLDERS:
            (self.folder / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self.folder / "new"
        read = any(path.name.startswith(f"{name}:") for path in (self.folder / "cur").iterdir())
        if read or (new / name).exists():
            # Its bytes were synced before the rename, the rename perhaps not.
            disk.sync_folder(new)
            return True
        disk.write_durably(new, name, raw, via=self.folder / "tmp")
        return False


def file_name(raw: bytes, mail_from: str, rcpt_to: Sequence[str]) -> str:
    """Return the Maildir name of a message: the same for the same message and envelope."""
    identity = _message_id(raw) or hashlib.sha256(raw).digest()
    parts = (identity, mail_from.encode(), *(address.encode() for address in sorted(rcpt_to)))
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()
    return f"{digest[:40]}.postern"


def _message_id(raw: bytes) -> bytes:
    for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n"):
        if line[:11].lower() == b"message-id:":
            return line[11:].strip()
    return b""
