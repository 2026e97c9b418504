"""The failures of a mailbox, each with a sentence that says what to do."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from imapclient.exceptions import CapabilityError, IMAPClientAbortError, IMAPClientError

from data.errors import OutsidePermanentError, OutsideTemporaryError
from data.records.mail.mailboxes import MailboxAccount


class MailboxAwayError(OutsideTemporaryError):
    """The server cannot be reached, or the connection broke; what was fetched is not lost."""


class LoginPutOffError(MailboxAwayError):
    """The server lets this login in later, or so it says; some say it of a token that has ended."""


class MailboxRefusedError(OutsidePermanentError):
    """The server refuses the login, or an order; somebody has to change something."""


class MailboxCertificateError(OutsidePermanentError):
    """The server could not prove who it is; no password was sent."""


class FolderMissingError(OutsidePermanentError):
    """The mailbox has no such folder, or it may not be opened."""


@contextmanager
def translate_failures(account: MailboxAccount, doing: str) -> Iterator[None]:
    """Turn what the network and the IMAP library raise into our failures."""
    where = f"mailbox {account.name!r} at {account.host}:{account.server_port}"
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise MailboxCertificateError(
            f"the certificate of {where} is not trusted: {error.verify_message}; write the name "
            "in it as 'host', or give the certificate of who signed it: the private CA in the "
            "window, 'ca_file' in mailboxes.yaml (no password was sent)"
        ) from error
    except ssl.SSLError as error:
        raise MailboxAwayError(
            f"no TLS with {where} while {doing} ({error.reason or error}); see that 'port' and "
            f"'tls: {account.tls}' are those of the server"
        ) from error
    except socket.gaierror as error:
        raise MailboxAwayError(
            f"the name of {where} is not known ({error.strerror}); mend 'host'"
        ) from error
    except TimeoutError as error:
        raise MailboxAwayError(
            f"{where} did not answer in time while {doing}; it is tried again"
        ) from error
    except ConnectionRefusedError as error:
        raise MailboxAwayError(
            f"nothing listens for {where}; see that the server runs, and mend 'host' and 'port'"
        ) from error
    except (OSError, IMAPClientAbortError, EOFError) as error:
        raise MailboxAwayError(
            f"the connection to {where} broke while {doing} ({_word(error)}); it is tried again, "
            "and nothing that was not safe here was marked"
        ) from error
    except CapabilityError as error:
        raise MailboxRefusedError(
            f"{where} cannot do what is asked while {doing}: {_word(error)}; change 'tls'"
        ) from error
    except IMAPClientError as error:
        raise MailboxRefusedError(
            f"{where} refused while {doing}: {_word(error)}; see the server's log"
        ) from error
    except (ValueError, KeyError, IndexError, TypeError) as error:  # an answer nobody can read
        raise MailboxAwayError(
            f"{where} answered what cannot be read while {doing} ({_word(error)}); "
            "it is tried again"
        ) from error


def login_refused(account: MailboxAccount, answer: str) -> MailboxRefusedError | MailboxAwayError:
    """Return the failure for a login that did not succeed (response codes of RFC 5530)."""
    server_words = shorten_failure(answer)
    where = f"mailbox {account.name!r} at {account.host}"
    if "UNAVAILABLE" in server_words or "INUSE" in server_words or "LIMIT" in server_words:
        return LoginPutOffError(f"{where} lets nobody in now: {server_words}; it is tried again")
    advice = (
        "see that the token's scope covers IMAP, and that it was consented to by this user"
        if account.oauth
        else f"see that the password in {account.secret} is right, and that this account may use "
        "IMAP with a password"
    )
    return MailboxRefusedError(
        f"{where} refused the login of {account.user!r}: {server_words}; {advice}"
    )


def _word(error: BaseException) -> str:
    return shorten_failure(str(error) or type(error).__name__)


def shorten_failure(text: str, limit: int = 160) -> str:
    """Return what a server said as one printable line.

    The library quotes bytes as Python writes them; what stands within is what was said.
    """
    if text[:2] in ("b'", 'b"') and len(text) > 3 and text[-1] == text[1]:
        text = text[2:-1]
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
