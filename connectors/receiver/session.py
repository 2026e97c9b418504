"""The commands of a session (RFC 5321 section 4.1), with enhanced status codes (RFC 3463)."""

from collections.abc import Callable
from typing import ClassVar

from connectors.addresses import MAX_PATH, has_control
from connectors.receiver import paths
from connectors.receiver.auth import Login
from connectors.receiver.connection import SmtpConnection
from connectors.receiver.door import Door
from connectors.receiver.taking import Taking

JUNK = frozenset({"NOOP", "RSET", "VRFY", "HELP", "EHLO", "HELO", "LHLO"})
MECHANISMS = ("PLAIN", "LOGIN")
_OK = "250 2.0.0 Ok"


class SmtpSession(SmtpConnection):
    """What one connected client may do, and how far it has come."""

    verbs: ClassVar[frozenset[str]] = frozenset(
        [
            "EHLO",
            "HELO",
            "MAIL",
            "RCPT",
            "DATA",
            "RSET",
            "NOOP",
            "QUIT",
            "VRFY",
            "HELP",
            "STARTTLS",
            "AUTH",
        ]
    )

    def __init__(self, door: Door) -> None:
        super().__init__(door)
        self.helo = self.user = ""
        self.extended = self.utf8 = False
        self.sender: str | None = None
        self.recipients: list[str] = []
        self.login: Login | None = None
        self.failed_logins = 0

    def forget(self) -> None:
        """Forget the message begun."""
        self.sender, self.recipients, self.utf8 = None, [], False

    def renew(self) -> None:
        """Forget everything said, as after a TLS handshake."""
        self.forget()
        self.helo = self.user = ""
        self.extended = False

    def obey(self, line: bytes) -> None:
        """Do what a line asks for, and answer."""
        if not line.endswith(b"\r\n"):
            self.say("500 5.5.2 Commands end with CR LF")
            return
        if len(line) > self.limits.command_bytes:
            self.say("500 5.5.2 Command line too long")
            return
        if self.login is not None:
            self.login.take(line[:-2])
            return
        verb_bytes, _, argument = line[:-2].partition(b" ")
        verb = verb_bytes.decode("ascii", "replace").upper()
        if verb not in self.verbs:
            self.say("500 5.5.1 Command not recognized")
            return
        if verb in JUNK:
            self.junk += 1
            if self.junk > self.limits.junk_commands:
                self.hang_up("421 4.7.0 Too many commands without a message")
                return
        method: Callable[[str], None] = getattr(self, f"smtp_{verb}")
        method(argument.decode("utf-8", "surrogateescape").strip(" "))

    # -- greeting ------------------------------------------------------------------------

    def smtp_EHLO(self, hostname: str) -> None:
        """Greet, and name the extensions that work here."""
        if self._introduced(hostname):
            self.extended = True
            names = self.door.extensions
            if self.door.tls is not None and not self.tls:
                names = (*names, "STARTTLS")
            if self._may_log_in():
                names = (*names, f"AUTH {' '.join(MECHANISMS)}")
            lines = [f"250-{name}" for name in names[:-1]]
            self.push("\r\n".join((*lines, f"250 {names[-1]}")))

    def smtp_HELO(self, hostname: str) -> None:
        """Greet a client that knows no extensions."""
        if self._introduced(hostname):
            self.extended = False
            self.push(f"250 {self.door.hostname}")

    def _introduced(self, hostname: str) -> bool:
        if not hostname or has_control(hostname) or len(hostname) > MAX_PATH:
            self.say("501 5.5.4 Syntax: EHLO hostname")
            return False
        self.forget()
        self.helo = hostname
        return True

    def smtp_STARTTLS(self, argument: str) -> None:
        """Encrypt; whatever the client sent ahead is an attack (RFC 3207, CVE-2011-0411)."""
        if self.pending:
            self.hang_up("554 5.5.0 Wait for the answer to STARTTLS")
        elif self.tls or self.door.tls is None:
            self.say("502 5.5.1 STARTTLS is not available")
        elif argument:
            self.say("501 5.5.4 Syntax: STARTTLS")
        else:
            self.push("220 2.0.0 Ready to start TLS")
            self.start_tls(self.door.tls)

    def _may_log_in(self) -> bool:
        return self.door.users is not None and self.tls and not self.user

    def smtp_AUTH(self, argument: str) -> None:
        """Log in (RFC 4954); never over a connection that others can read."""
        mechanism, _, initial = argument.partition(" ")
        if self.door.users is None:
            self.say("502 5.5.1 AUTH is not available")
        elif not self.tls:
            self.say("538 5.7.11 Encryption required, use STARTTLS first")
        elif not self.extended or self.user or self.sender is not None:
            self.say("503 5.5.1 AUTH comes once, after EHLO and before MAIL")
        elif mechanism.upper() not in MECHANISMS:
            self.say("504 5.5.4 Mechanism not recognized")
        else:
            Login(self, self.door.users, mechanism.upper()).begin(initial or None)

    # -- mail ----------------------------------------------------------------------------

    def smtp_MAIL(self, argument: str) -> None:
        """Begin a message (RFC 5321 section 4.1.1.2, RFC 1870)."""
        if not self.helo:
            self.say("503 5.5.1 Send EHLO first")
        elif self.sender is not None:
            self.say("503 5.5.1 MAIL was given already")
        elif self.door.refusal:
            self.push(self.door.refusal)
        else:
            try:
                path = paths.read_path(argument, "FROM")
                self._check_parameters(path)
            except paths.PathError as error:
                self.say(str(error))
                return
            refusal = self.door.rate_refusal(self.peer, path.address, self.user, self.trusted)
            if refusal:
                self.put_off(refusal)
                return
            self.sender = path.address
            self.push("250 2.1.0 Ok")

    def _check_parameters(self, path: paths.Path) -> None:
        given = dict(path.parameters)
        if given and not self.extended:
            raise paths.PathError("501 5.5.4 Parameters need EHLO")
        size = given.pop("SIZE", "0")
        if not (size.isascii() and size.isdigit() and len(size) <= 20):
            raise paths.PathError("501 5.5.4 SIZE must be a number")
        if int(size) > self.limits.message_bytes:
            raise paths.PathError("552 5.3.4 Message size exceeds fixed limit")
        if given.pop("BODY", "7BIT").upper() not in {"7BIT", "8BITMIME"}:
            raise paths.PathError("501 5.5.4 BODY must be 7BIT or 8BITMIME")
        if self.user or self._may_log_in():
            given.pop("AUTH", None)  # who else may have sent it is not our concern (RFC 4954 5)
        utf8 = given.pop("SMTPUTF8", None)
        if utf8:
            raise paths.PathError("501 5.5.4 SMTPUTF8 takes no value")
        if given:
            raise paths.PathError("555 5.5.4 Parameter not recognized")
        self.utf8 = utf8 is not None
        if not self.utf8 and not path.address.isascii():
            raise paths.PathError("553 5.6.7 Address needs SMTPUTF8")

    def smtp_RCPT(self, argument: str) -> None:
        """Add a recipient that has a route (RFC 5321 section 4.1.1.3)."""
        if self.sender is None:
            self.say("503 5.5.1 Send MAIL first")
            return
        try:
            path = paths.read_path(argument, "TO")
        except paths.PathError as error:
            self.say(str(error))
            return
        if not path.address:
            self.say("501 5.1.3 Bad recipient address syntax")
        elif not self.utf8 and not path.address.isascii():
            self.say("553 5.6.7 Address needs SMTPUTF8")
        elif path.parameters:
            self.say("555 5.5.4 Parameter not recognized")
        elif len(self.recipients) >= self.limits.recipients:
            self.push("452 4.5.3 Too many recipients")
        else:
            address = self.door.completed(path.address)
            reply = self.door.recipient_reply(address)
            if reply.startswith("2"):
                self.add_recipient(address)
            self.say(reply)

    def add_recipient(self, address: str) -> None:
        """Note an accepted recipient, once."""
        if address not in self.recipients:
            self.recipients.append(address)

    def smtp_DATA(self, argument: str) -> None:
        """Take the message; `taken` hears how that ended."""
        if self.sender is None:
            self.say("503 5.5.1 Send MAIL first")
        elif not self.recipients:
            self.say("503 5.5.1 Send RCPT first")
        elif argument:
            self.say("501 5.5.4 Syntax: DATA")
        elif self.pending:
            # RFC 2920 section 3.1: DATA is the last of a group; more is a smuggler's.
            self.hang_up("554 5.5.0 Wait for the answer to DATA")
        elif self.door.refusal:
            self.push(self.door.refusal)
        else:
            self.intake = Taking(self)
            self.await_within(self.limits.data_seconds)
            self.push("354 End data with <CR><LF>.<CR><LF>")

    def taken(self, reply: str) -> None:
        """Answer for a message that has been taken or refused, and go on."""
        self.intake = None
        if reply.startswith("2"):
            self.junk = self.errors = 0
            self.session_end = self.loop.time() + self.limits.session_seconds
        self.answer_data(reply)
        self.forget()
        self.go_on()

    def answer_data(self, reply: str) -> None:
        """Say how the message fared: once in SMTP."""
        self.say(reply)

    # -- the rest ------------------------------------------------------------------------

    def smtp_RSET(self, _: str) -> None:
        """Forget the message begun."""
        self.forget()
        self.push(_OK)

    def smtp_NOOP(self, _: str) -> None:
        """Do nothing."""
        self.push(_OK)

    def smtp_VRFY(self, _: str) -> None:
        """Say the same for every address, so that none can be found out."""
        self.push("252 2.1.5 Cannot verify, send a message to find out")

    def smtp_HELP(self, _: str) -> None:
        """Point to the standard."""
        self.push("214 2.0.0 See RFC 5321")

    def smtp_QUIT(self, _: str) -> None:
        """Say goodbye."""
        self.hang_up("221 2.0.0 Bye")
