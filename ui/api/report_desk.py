"""What a person can ask of reports."""

from typing import Literal
from urllib.parse import urlencode

from data.records.core.record import Record
from data.records.mail.report_views import Report
from data.records.mail.vigilance import VigilanceView
from ui.api.sender_desk import SenderDesk


class ReportFilters(Record):
    """What a report is wanted of; empty means all, and the last 28 days."""

    since: str = ""
    until: str = ""
    by: Literal["day", "week"] = "day"
    category: str = ""
    person: str = ""


class ReportDesk(SenderDesk):
    """The part of a `Desk` about reports; raises what `data.refusals` lists."""

    def report(self, report_filters: ReportFilters) -> Report:
        """Return the figures of a range of days."""
        return self._client.read(Report, f"{self._root}/report", **report_filters.model_dump())

    def vigilance(self) -> VigilanceView:
        """Return how many planted faults were seen of late, and what follows from it."""
        return self._client.read(VigilanceView, f"{self._root}/vigilance")

    def report_file(self, report_filters: ReportFilters, table: str, form: str) -> bytes:
        """Return one of a report's tables as a file."""
        parameters = {name: value for name, value in report_filters.model_dump().items() if value}
        query = urlencode({**parameters, "table": table, "format": form})
        return self._client.fetch(f"{self._root}/report/export?{query}")
