"""The choice of spam filters, by the settings."""

from connectors.filters.rspamd import Rspamd
from connectors.filters.spam_filter import SpamFilter
from connectors.filters.spamd import Spamd
from data.settings import Settings


def filters_from(settings: Settings) -> tuple[SpamFilter, ...]:
    """Return the filters that are to be asked; none by default.

    Raises:
        SettingsError: an address or a URL is not valid.

    """
    filters: list[SpamFilter] = []
    if settings.spamassassin_address:
        filters.append(Spamd(settings.spamassassin_address, settings.filter_seconds))
    if settings.rspamd_url:
        password = settings.rspamd_password.get_secret_value()
        filters.append(Rspamd(settings.rspamd_url, password, settings.filter_seconds))
    return tuple(filters)
