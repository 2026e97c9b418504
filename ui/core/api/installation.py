"""The installation: its health, its backups, and the switch that stops all sending."""

from urllib.parse import quote

from data.records.core.backup_views import BackupEntry, BackupList, NewBackup
from data.records.core.health import HealthReport
from data.records.mail.orders import StopSwitch
from ui.core.api.organization_client import OrganizationClient


class InstallationApi:
    """The part of the API about the installation: health, backups, and the switch."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def health(self, *, outside: bool = False) -> HealthReport:
        """Return what is wrong with the installation, asked now."""
        asked = {"outside": "true"} if outside else {}
        return self._client.read(HealthReport, "/v1/health", **asked)

    def backups(self) -> BackupList:
        """Return the backups that were made or tried."""
        return self._client.read(BackupList, "/v1/backups")

    def begin_backup(self, new_backup: NewBackup) -> BackupEntry:
        """Have a backup made."""
        return self._client.act(BackupEntry, "/v1/backups", new_backup)

    def verify_backup(self, id: str) -> BackupEntry:
        """Have a backup read again."""
        return self._client.act(BackupEntry, f"/v1/backups/{quote(id, safe='')}/verify", {})

    def stop(self) -> StopSwitch:
        """Return whether the kill switch is on."""
        return self._client.read(StopSwitch, self._at("stop"))

    def set_stop(self, stopped: bool) -> StopSwitch:
        """Turn the kill switch on or off."""
        switch = StopSwitch(stopped=stopped)
        return self._client.act(StopSwitch, self._at("stop"), switch)
