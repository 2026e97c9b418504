"""Our sender against a mail server that others wrote (aiosmtpd), not only against our own sink."""

import asyncio
import socket

from aiosmtpd.smtp import SMTP, Envelope, Session

from connectors.outbound import DeliveryKind, SmtpTransport

RAW = b"Message-ID: <r2@postern.example>\r\nSubject: answer\r\n\r\nHello\r\n.dot\r\n"


class Keeper:
    """Keeps what the server was given."""

    def __init__(self) -> None:
        self.kept: list[Envelope] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Take one message."""
        self.kept.append(envelope)
        return "250 taken"


async def test_a_server_of_others_takes_our_mail_as_it_is() -> None:
    """Dots, line ends and addresses arrive in aiosmtpd as they were rendered."""
    keeper = Keeper()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = await asyncio.get_running_loop().create_server(
            lambda: SMTP(keeper, hostname="peer.example"), sock=listening
        )
        transport = SmtpTransport(
            "127.0.0.1", listening.getsockname()[1], hostname="postern.example", tls="none"
        )
        asked, told = asyncio.Event(), asyncio.Event()

        async def ask() -> bool:
            asked.set()
            return True

        async def tell() -> None:
            told.set()

        result = await transport.deliver(
            RAW, "help@harbor.example", ["ann@out.example"], before_data=ask, before_dot=tell
        )
        server.close()
        await server.wait_closed()
    assert result.kind is DeliveryKind.SENT
    assert (asked.is_set(), told.is_set()) == (True, True)
    (envelope,) = keeper.kept
    assert envelope.content == RAW
    assert (envelope.mail_from, envelope.rcpt_tos) == ("help@harbor.example", ["ann@out.example"])
