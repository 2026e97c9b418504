"""Asking a provider for an access token (RFC 6749 sections 4.4, 5 and 6), blocking."""

import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import re2

from connectors.bounded_http import UNPACKED, BoundedBody
from connectors.causes import causes_of
from connectors.sources.mailboxes.failures import (
    MailboxAwayError,
    MailboxCertificateError,
    MailboxRefusedError,
    shorten_failure,
)
from connectors.verified_tls import verified_tls
from data.mailbox_files import read_secret
from data.records.mail.mailbox_oauth import MailboxOAuth
from data.records.mail.mailboxes import MailboxAccount

ANSWER_SECONDS = 20.0
"""The time for a whole answer."""
MOST_BYTES = 1 << 16
USUAL_SECONDS = 3600.0
"""How long a token lasts that the provider does not say it of."""
#: What a token may be made of (RFC 6750 section 2.1): nothing that ends a field of SASL.
_TOKEN = re2.compile(r"[A-Za-z0-9._~+/-]+=*")
#: Answers after which asking again may help.
_PASSING = frozenset({"temporarily_unavailable", "server_error", "slow_down"})
_TRY_AGAIN = frozenset({408, 425, 429})


@dataclass(frozen=True, kw_only=True)
class TokenGrant:
    """What the provider gave."""

    access_token: str
    lasts_seconds: float
    refresh_token: str = ""
    """A new refresh token in place of the one that was shown; empty when that one stays."""


def ask_for_token(
    account: MailboxAccount,
    oauth: MailboxOAuth,
    refresh_token: str,
    seconds: float = ANSWER_SECONDS,
) -> TokenGrant:
    """Return a new access token, for a refresh token or, without one, for the client itself.

    A provider that has not answered whole within `seconds` is away.

    The client's secret goes into the body (RFC 6749 section 2.3.1), which every large provider
    takes. Nothing of what was sent is in an error.

    Raises:
        MailboxRefusedError: the provider will not; a person has to change something.
        MailboxAwayError: it cannot now, or cannot be reached.
        MailboxCertificateError: it could not prove who it is; nothing was sent.
        SettingsError: the client's secret or the certificates cannot be read.

    """
    form = {"grant_type": "client_credentials", "client_id": oauth.client_id}
    if refresh_token:
        form |= {"grant_type": "refresh_token", "refresh_token": refresh_token}
    if oauth.client_secret_env or oauth.client_secret_file:
        form["client_secret"] = read_secret(
            account.name, "client secret", oauth.client_secret_env, oauth.client_secret_file
        )
    if oauth.scope:
        form["scope"] = oauth.scope
    status, body = _post(account, oauth, form, seconds)
    answer = _object(body)
    if status == httpx.codes.OK:
        return _granted(account, oauth, answer)
    raise _refusal(account, oauth, status, answer, form)


def _post(
    account: MailboxAccount, oauth: MailboxOAuth, form: dict[str, str], seconds: float
) -> tuple[int, bytes]:
    """Return status and body of the answer to a form; raises as `ask_for_token`."""
    where, until = _describe_endpoint(account, oauth), time.monotonic() + seconds
    try:
        with (
            httpx.Client(
                verify=verified_tls(
                    oauth.ca_file, f"'oauth' of mailbox {account.name!r}", oauth.ca_pem
                ),
                trust_env=False,
                follow_redirects=False,
                timeout=seconds,
            ) as client,
            client.stream(
                "POST",
                oauth.token_url,
                data=form,
                headers={"Accept": "application/json", **UNPACKED},
            ) as answer,
        ):
            body = BoundedBody(answer, MOST_BYTES)
            for piece in answer.iter_raw():
                fits = body.add(piece)
                if time.monotonic() > until:
                    raise httpx.ReadTimeout("the answer takes too long")
                if not fits:
                    raise MailboxRefusedError(
                        f"{where} answers more than {MOST_BYTES} bytes; is it the right address?"
                    )
            return answer.status_code, body.whole()
    except httpx.HTTPError as error:
        certificate = _certificate_error(error)
        if certificate is not None:
            raise MailboxCertificateError(
                f"the certificate of {where} is not trusted: {certificate.verify_message}; mend "
                "'token_url', or give the certificate of who signed it: its private CA in the "
                "window, 'ca_file' in mailboxes.yaml (no secret was sent)"
            ) from None
        raise MailboxAwayError(
            f"{where} cannot be reached ({shorten_failure(str(error) or type(error).__name__)}); "
            "it is tried again"
        ) from None  # its context holds the request


def _certificate_error(error: BaseException) -> ssl.SSLCertVerificationError | None:
    """Return the refusal of a certificate that an error goes back to, None where there is none."""
    causes = causes_of(error)
    return next((one for one in causes if isinstance(one, ssl.SSLCertVerificationError)), None)


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _granted(account: MailboxAccount, oauth: MailboxOAuth, answer: Mapping[str, Any]) -> TokenGrant:
    token, kind = answer.get("access_token"), answer.get("token_type", "Bearer")
    if not (isinstance(token, str) and _TOKEN.fullmatch(token) and str(kind).lower() == "bearer"):
        raise MailboxAwayError(
            f"{_describe_endpoint(account, oauth)} answered without a bearer token; see that it is "
            "the provider's token endpoint; it is tried again"
        )
    renewed = answer.get("refresh_token")
    return TokenGrant(
        access_token=token,
        lasts_seconds=_seconds(answer.get("expires_in")),
        refresh_token=renewed if isinstance(renewed, str) and renewed.isprintable() else "",
    )


def _seconds(value: object) -> float:
    """Return a lifetime in seconds, a day at most; some providers write the number as text."""
    try:
        seconds = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return USUAL_SECONDS
    return min(seconds, 86_400.0) if seconds > 0 else USUAL_SECONDS


def _refusal(
    account: MailboxAccount,
    oauth: MailboxOAuth,
    status: int,
    answer: Mapping[str, Any],
    form: Mapping[str, str],
) -> MailboxRefusedError | MailboxAwayError:
    code, detail = str(answer.get("error", "")), str(answer.get("error_description", ""))
    reason = f"status {status} {code}: {detail}".rstrip(": ")
    for name in ("refresh_token", "client_secret"):  # while they are still whole
        if form.get(name):
            reason = reason.replace(form[name], "…")
    where, reason = _describe_endpoint(account, oauth), shorten_failure(reason)
    if status >= 500 or status in _TRY_AGAIN or code in _PASSING:
        return MailboxAwayError(f"{where} gives no token now ({reason}); it is tried again")
    return MailboxRefusedError(f"{where} gives no token ({reason}); {_advice(oauth, code)}")


def _advice(oauth: MailboxOAuth, code: str) -> str:
    if code == "invalid_grant":
        place = oauth.refresh_token_file or oauth.refresh_token_env
        return (
            f"the refresh token in {place!r} has ended or was taken back: let the mailbox's owner "
            "consent again, and put the new one there; for a mailbox that is kept in the window, "
            "into its field there"
        )
    if code in {"invalid_client", "unauthorized_client"}:
        return "see that 'client_id' and the client's secret are those of the registration"
    if code == "invalid_scope":
        return "mend 'scope'"
    return "see that 'token_url' is the provider's token endpoint, and what it says"


def _describe_endpoint(account: MailboxAccount, oauth: MailboxOAuth) -> str:
    return f"the token endpoint {oauth.token_url!r} of mailbox {account.name!r}"
