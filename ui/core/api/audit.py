"""The audit log."""

from urllib.parse import urlencode

from data.records.core.audit_views import AuditChain, AuditChoices, AuditFilter, AuditView
from ui.core.api.listing import Listing
from ui.core.api.organization_client import OrganizationClient


class AuditApi:
    """The part of the API about the audit log."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def events(
        self, limit: int = 25, offset: int = 0, only: AuditFilter | None = None
    ) -> Listing[AuditView]:
        """Return events of the audit log, newest first."""
        narrowed = (only or AuditFilter()).model_dump(mode="json")
        return self._client.read(
            Listing[AuditView], self._at("audit"), limit=limit, offset=offset, **narrowed
        )

    def chain(self) -> AuditChain:
        """Verify the chain of hashes over the whole audit log, now."""
        return self._client.read(AuditChain, self._at("audit", "chain"))

    def choices(self) -> AuditChoices:
        """Return who did something, and what was done."""
        return self._client.read(AuditChoices, self._at("audit", "choices"))

    def file(self, only: AuditFilter, form: str) -> bytes:
        """Return events of the audit log as a file, oldest first."""
        narrowed = {name: one for name, one in only.model_dump(mode="json").items() if one}
        query = urlencode({**narrowed, "format": form})
        return self._client.fetch(f"{self._at('audit', 'export')}?{query}")
