"""The OAuth 2 login of a mailbox (RFC 6749): where tokens come from, and as whom."""

from ipaddress import ip_address
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from data.records.core.record import Record

LONGEST_PEM = 100_000
"""Characters of certificates that are written as text."""


def is_loopback(host: str) -> bool:
    """Whether this name or address is always this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _endpoint(url: str) -> str:
    """Refuse an address that secrets would reach readable for others."""
    parts = urlsplit(url)
    if not parts.hostname or parts.username or parts.fragment or not url.isprintable():
        raise ValueError("write it as https://name/path, without a user or a fragment")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
        raise ValueError("secrets are sent there: it must begin with https://")
    return url


Endpoint = Annotated[str, Field(max_length=500), AfterValidator(_endpoint)]
"""The address of a token endpoint."""


class MailboxOAuth(Record):
    """The key `oauth` of a mailbox."""

    token_url: Endpoint
    """The provider's token endpoint; https, or http on loopback."""
    client_id: str = Field(min_length=1, max_length=500)
    """The id under which the application is registered with the provider."""
    client_secret_env: str = ""
    """Environment variable that holds the client's secret; public clients have none."""
    client_secret_file: str = ""
    """File that holds it in its first line."""
    refresh_token_env: str = ""
    """Environment variable that holds the refresh token; without one the client asks for itself."""
    refresh_token_file: str = ""
    """File that holds it in its first line; a new one that the provider gives is written there."""
    scope: str = Field(default="", max_length=1000)
    """What the token is for, as the provider names it; empty for what was consented to."""
    ca_file: str = ""
    """Certificates (PEM) of who signed the endpoint's, where the system does not know them."""
    ca_pem: str = Field(default="", max_length=LONGEST_PEM)
    """The same certificates themselves, in place of a file."""

    @property
    def refreshes(self) -> bool:
        """Whether a person's refresh token is used, and not the client's own rights."""
        return bool(self.refresh_token_env or self.refresh_token_file)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        """Refuse what no token could be asked with."""
        if self.client_secret_env and self.client_secret_file:
            raise ValueError("give client_secret_env or client_secret_file, not both")
        if self.refresh_token_env and self.refresh_token_file:
            raise ValueError("give refresh_token_env or refresh_token_file, not both")
        if self.ca_file and self.ca_pem:
            raise ValueError("give ca_file or ca_pem, not both")
        if not self.refreshes and not (self.client_secret_env or self.client_secret_file):
            raise ValueError(
                "give refresh_token_env or refresh_token_file; or, for an application that reads "
                "by its own right, client_secret_env or client_secret_file"
            )
        return self


class KeepOAuth(Record):
    """How a mailbox is logged into with access tokens, as a person names it in the window.

    The two secrets are kept as files by themselves and are in no answer.
    """

    token_url: Endpoint
    """The provider's token endpoint; https, or http on loopback."""
    client_id: str = Field(min_length=1, max_length=500)
    """The id under which the application is registered with the provider."""
    has_secret: bool = True
    """Whether the application has a secret; a public client has none."""
    client_secret: str = Field(default="", max_length=2000)
    """That secret; empty for the one that is kept already."""
    refreshes: bool = True
    """Whether a person has consented; else the application asks by its own right."""
    refresh_token: str = Field(default="", max_length=10_000)
    """What that consent has brought; empty for the one that is kept already."""
    scope: str = Field(default="", max_length=1000)
    """What the token is for, as the provider names it; empty for what was consented to."""
    private_ca: bool = False
    """Whether the token endpoint's certificate is of the mailbox's private CA too."""

    @model_validator(mode="after")
    def _can_ask(self) -> Self:
        """Refuse a client that could prove nothing."""
        if not self.refreshes and not self.has_secret:
            raise ValueError(
                "an application that asks by its own right needs its secret; without one give a "
                "refresh token"
            )
        return self

    @classmethod
    def of(cls, oauth: MailboxOAuth) -> Self:
        """Return what a person named, without the secrets."""
        return cls(
            token_url=oauth.token_url,
            client_id=oauth.client_id,
            has_secret=bool(oauth.client_secret_file),
            refreshes=oauth.refreshes,
            scope=oauth.scope,
            private_ca=bool(oauth.ca_pem),
        )

    def without_secrets(self) -> Self:
        """Return what may be shown and kept as a version."""
        return self.model_copy(update={"client_secret": "", "refresh_token": ""})
