"""The figures of the overview and of reports."""

from typing import Literal
from urllib.parse import urlencode

from data.records.core.record import Record
from data.records.mail.overview_views import Overview
from data.records.mail.report_views import Report
from data.records.mail.vigilance import VigilanceView
from ui.core.api.organization_client import OrganizationClient


class ReportFilters(Record):
    """What a report is wanted of; empty means all, and the last 28 days."""

    since: str = ""
    until: str = ""
    by: Literal["day", "week"] = "day"
    category: str = ""
    person: str = ""


class ReportApi:
    """The part of the API about the figures of the overview and of reports."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def overview(self) -> Overview:
        """Return the numbers of the first page."""
        return self._client.read(Overview, self._at("overview"))

    def report(self, report_filters: ReportFilters) -> Report:
        """Return the figures of a range of days."""
        return self._client.read(Report, self._at("report"), **report_filters.model_dump())

    def vigilance(self) -> VigilanceView:
        """Return how many planted faults were seen of late, and what follows from it."""
        return self._client.read(VigilanceView, self._at("vigilance"))

    def report_file(self, report_filters: ReportFilters, table: str, form: str) -> bytes:
        """Return one of a report's tables as a file."""
        parameters = {name: value for name, value in report_filters.model_dump().items() if value}
        query = urlencode({**parameters, "table": table, "format": form})
        return self._client.fetch(f"{self._at('report', 'export')}?{query}")
