"""Reports: how mail was answered in a range of days, and by whom."""

from functools import partial

import streamlit as st

from data.counting import plural
from data.records.mail.report_views import (
    CategoryFigures,
    DecisionFigures,
    DurationFigures,
    Report,
    ServiceFigures,
    StoppedFigures,
    VigilanceFigures,
)
from ui.core.chips import chips, empty, make_muted, section
from ui.core.pages import page_file
from ui.core.session import guard_refusals, zone
from ui.core.text.clock import ago, day, now
from ui.core.text.screen_words import TECHNIQUE_NAMES
from ui.core.text.words import DONE_BY, REASONS, percent, word
from ui.core.widgets.figures import (
    dollars,
    draw_counted,
    figures,
    judged_of,
    write_duration,
    write_spread,
)
from ui.core.widgets.heading import heading
from ui.core.widgets.plain_text import words
from ui.core.widgets.tiles import draw_tile
from ui.mail.api.desk import mail_desk
from ui.mail.api.reports import ReportFilters
from ui.mail.widgets import charts
from ui.mail.widgets.charts import Point
from ui.mail.widgets.report_range import choose_person, choose_range

AGES = {
    "1": "Up to a day",
    "3": "Up to 3 days",
    "7": "Up to a week",
    "30": "Up to 30 days",
    "more": "Older",
}
SHARES = {
    "5": "A few words (up to 5 %)",
    "20": "Up to a fifth",
    "50": "Up to a half",
    "100": "More than a half",
}
DECIDED = ("Unchanged", "Edited", "Rejected", "Closed")
FILES = {
    "periods": "Day by day",
    "categories": "By what it was about",
    "people": "By person",
    "topics": "Open questions",
    "agents": "Cost by agent",
    "models": "Cost by model",
    "costs": "Cost day by day",
}


def show() -> None:
    """Draw the page."""
    heading("Reports", "How mail was answered, what waits, and what people said of the drafts.")
    with guard_refusals():
        with st.container(horizontal=True, vertical_alignment="bottom", key="report-head"):
            asked = choose_range()
            report = mail_desk().reports.report(asked)
            choose_person(report.deciders)
            _files(asked)
        chips(make_muted(_describe_scope(report)))
        _headline(report)
        _by_day(report)
        _decisions(report)
        _who(report)
        _open_questions(report)
        _stopped_and_cost(report)


def _describe_scope(report: Report) -> str:
    """Return in sentences what the figures are of."""
    hours = report.working_hours
    counted_in = (
        f"Times count on working days from {hours.in_words()}."
        if hours
        else "Times count round the clock: no working hours are set."
    )
    sentences = [f"{day(report.since)} to {day(report.until)}.", counted_in]
    if report.person:
        sentences.append("What came in, waits and costs is everybody's.")
    return " ".join(sentences)


def _files(asked: ReportFilters) -> None:
    """Draw what gives a table as a file."""
    with st.popover("Download", icon=":material/download:", key="report-files"):
        table = st.selectbox(
            "What", list(FILES), format_func=lambda name: FILES[name], key="report-table"
        )
        with st.container(horizontal=True):
            for form, label, mime in (
                ("csv", "CSV", "text/csv"),
                ("parquet", "Parquet", "application/vnd.apache.parquet"),
            ):
                st.download_button(
                    label,
                    data=partial(mail_desk().reports.report_file, asked, str(table), form),
                    file_name=f"{table}-{asked.since}-{asked.until}.{form}",
                    mime=mime,
                    key=f"report-file-{form}",
                    on_click="ignore",
                )


def _headline(report: Report) -> None:
    columns = st.columns(5, gap="small")
    backlog = report.backlog
    came = ago(backlog.oldest_at, now(), zone()) if backlog.oldest_at else ""
    oldest = f"the oldest came {came}" if came else "nothing"
    itself = (
        f"{report.by_itself:,} of them by itself" if report.by_itself else "each by a person's yes"
    )
    if not report.answered:
        itself = "no reply left"
    stopped = plural(report.stopped.stopped, "was", "were") + " stopped by the screen"
    resolution, first = report.resolution, report.first_answer
    tiles = (
        ("received", f"{report.received:,}", "received", stopped),
        ("answered", f"{report.answered:,}", "answered", itself),
        ("first", write_duration(first.median), "to a first answer", write_spread(first)),
        (
            "resolved",
            write_duration(resolution.median),
            "until it was settled",
            write_spread(resolution),
        ),
        ("waiting", f"{backlog.waiting:,}", "waiting at the end", oldest),
    )
    for column, (name, figure, label, under) in zip(columns, tiles, strict=True):
        with column:
            draw_tile(f"report-{name}", figure, label, under, leads=False)


def _by_day(report: Report) -> None:
    def points(kind: str, field: str) -> list[Point]:
        values = [(period.begins.isoformat(), getattr(period, field)) for period in report.periods]
        return [Point(begins, kind, value, f"{value:,}") for begins, value in values]

    times = [
        Point(
            period.begins.isoformat(),
            "hours",
            period.first_answer / 3600,
            write_duration(period.first_answer),
        )
        for period in report.periods
        if period.first_answer is not None
    ]
    all_days = [period.begins.isoformat() for period in report.periods]
    costs = [
        Point(cost.begins.isoformat(), word(cost.agent), cost.cost, dollars(cost.cost))
        for cost in report.costs
    ]
    left, right = st.columns(2, gap="small")
    with left:
        came = points("Received", "received") + points("Answered", "answered")
        charts.bars("report-flow", "Received and answered", came)
        charts.draw_lines(
            "report-times",
            "Hours to a first answer, half are quicker",
            times,
            all_days,
            noughts=True,
        )
    with right:
        charts.draw_lines("report-waiting", "Waiting for an answer", points("Waiting", "waiting"))
        charts.bars("report-costs", "Cost of models in US dollars", costs, stacked=True)
    with st.expander("These figures as a table", key="report-as-table"):
        _period_table(report)


def _period_table(report: Report) -> None:
    head = ("Day" if report.by == "day" else "Week from", "Received", "Stopped", "Answered",
            "By itself", "Waiting", "First answer", "Cost")  # fmt: skip
    rows = [
        (day(period.begins), f"{period.received:,}", f"{period.stopped:,}", f"{period.answered:,}",
         f"{period.by_itself:,}", f"{period.waiting:,}", write_duration(period.first_answer),
         dollars(period.cost))
        for period in reversed(report.periods)
    ]  # fmt: skip
    figures(head, rows, "Figures by day" if report.by == "day" else "Figures by week")


def _decisions(report: Report) -> None:
    columns = st.columns(3, gap="small")
    with columns[0], st.container(key="card-report-judged"):
        section("What people did with drafts")
        _draw_decisions(report.judged)
        if report.reasons:
            section("Why drafts were rejected")
            names = {str(reason): told for reason, told in REASONS.items()}
            draw_counted(
                [
                    (names.get(reason_count.name, word(reason_count.name)), reason_count.value)
                    for reason_count in report.reasons
                ]
            )
    with columns[1], st.container(key="card-report-alone"):
        section("What would have left by itself")
        _alone(report)
        _service(report.service)
        _vigilance(report.vigilance)
        if report.edits.by_share:
            section("How much of edited drafts was changed")
            draw_counted(
                [
                    (SHARES[share_count.name], share_count.value)
                    for share_count in report.edits.by_share
                ]
            )
    with columns[2], st.container(key="card-report-ages"):
        section("How long cases wait")
        if report.backlog.waiting:
            draw_counted(
                [(AGES[age_count.name], age_count.value) for age_count in report.backlog.by_age]
            )
        else:
            empty("Nothing waits.")


def _draw_decisions(judged: DecisionFigures) -> None:
    if not judged_of(judged):
        empty("Nobody decided on a draft in these days.")
        return
    draw_counted(
        [
            ("Approved unchanged", judged.unchanged),
            ("Approved with changes", judged.edited),
            ("Rejected", judged.rejected),
            ("Closed without a reply", judged.closed),
        ]
    )


def _alone(report: Report) -> None:
    agreed = report.alone.unchanged_share
    if agreed is None:
        empty("Nobody decided on such a draft.", "In shadow mode they are counted here.")
        return
    st.text(
        f"People agreed with {percent(agreed)} of {plural(report.would_send, 'draft')} that would "
        "have been sent without them: they approved it as it was."
    )
    _draw_decisions(report.alone)


def _service(figures: ServiceFigures) -> None:
    """Draw how often mail was answered in time, where times are set."""
    answered = figures.kept + figures.missed
    if not answered and not figures.broken:
        return
    section("Answered in time")
    if answered:
        st.text(f"{figures.kept} of {plural(answered, 'reply')} left by their target.")
    if figures.broken:
        st.text(f"{plural(figures.broken, 'case')} past the target at the end.")


def _vigilance(figures: VigilanceFigures) -> None:
    """Draw how carefully letters were looked at, where anybody measured it."""
    ended = figures.seen + figures.missed
    if not figures.timed and not ended:
        return
    section("How carefully letters were read")
    if figures.timed:
        st.text(
            f"{plural(figures.timed, 'decision')} took "
            f"{plural(round(figures.seconds or 0), 'second')} at the median; "
            f"{plural(figures.unread, 'letter')} approved faster than anybody can read."
        )
    if ended:
        st.text(
            f"{plural(ended, 'planted fault')}: {figures.seen:,} seen, {figures.missed:,} missed."
        )


def _who(report: Report) -> None:
    spread = ("Answered", "First answer", "9 of 10 within")
    if report.categories:
        with st.container(key="card-report-categories"):
            section("By what it was about")
            head = ("About", "Received", "Waiting", *spread, *DECIDED, "Would have left", "Agreed")
            figures(
                head, [_category(category) for category in report.categories], "Figures by category"
            )
    if report.people:
        with st.container(key="card-report-people"):
            section("By person")
            rows = [
                (
                    person_figures.person,
                    *_answers(person_figures.answered, person_figures.first_answer),
                    *_counts(person_figures.judged),
                )
                for person_figures in report.people
            ]
            figures(("Person", *spread, *DECIDED), rows, "Figures by person")


def _category(category_figures: CategoryFigures) -> tuple[str, ...]:
    agreed = category_figures.alone.unchanged_share
    return (
        word(category_figures.category).capitalize(),
        f"{category_figures.received:,}",
        f"{category_figures.waiting:,}",
        *_answers(category_figures.answered, category_figures.first_answer),
        *_counts(category_figures.judged),
        f"{judged_of(category_figures.alone):,}",
        "–" if agreed is None else percent(agreed),
    )


def _answers(answered: int, spread: DurationFigures) -> tuple[str, str, str]:
    return f"{answered:,}", write_duration(spread.median), write_duration(spread.p90)


def _counts(judged: DecisionFigures) -> tuple[str, ...]:
    counts = (judged.unchanged, judged.edited, judged.rejected, judged.closed)
    return tuple(f"{count:,}" for count in counts)


def _open_questions(report: Report) -> None:
    with st.container(key="card-report-topics"):
        section("Questions without an answer")
        if not report.topics:
            empty("No draft left a question open.")
            return
        for topic in report.topics:
            sentence = f"{plural(topic.questions, 'question')} in {plural(topic.cases, 'case')}"
            times = "once" if topic.owners == 1 else f"{topic.owners:,} times"
            asked = f", an owner was asked {times}" if topic.owners else ""
            with st.expander(f"{word(topic.category).capitalize()}: {sentence}{asked}"):
                if topic.examples:
                    st.caption("In the words of those who wrote, the newest first:")
                for number, example in enumerate(topic.examples):
                    words(example, "small", f"report-{topic.category}-{number}")
        st.page_link(
            page_file("knowledge"), label="Write what is missing", icon=":material/menu_book:"
        )


def _describe_stopped(stopped: StoppedFigures) -> str:
    """Return in a sentence what people said of what the screen stopped."""
    sentences = []
    if stopped.confirmed:
        sentences.append(f"people called {stopped.confirmed:,} a threat")
    if stopped.released:
        sentences.append(f"people let {stopped.released:,} in")
    decided = " and ".join(sentences) or "nobody has decided on any of them"
    return f"{plural(stopped.stopped, 'message')}: {decided}."


def _stopped_and_cost(report: Report) -> None:
    left, right = st.columns(2, gap="small")
    stopped = report.stopped
    with left, st.container(key="card-report-stopped"):
        section("Stopped by the screen")
        if not stopped.stopped:
            empty("Nothing was stopped.")
        else:
            st.text(_describe_stopped(stopped))
            draw_counted(
                [
                    (
                        TECHNIQUE_NAMES.get(technique.name, word(technique.name)).capitalize(),
                        technique.value,
                    )
                    for technique in stopped.by_kind[:8]
                ]
            )
    with right, st.container(key="card-report-models"):
        section("Cost of models")
        if not report.agents:
            empty("No model was asked.", "Postern's own reading and drafting costs nothing.")
            return
        head = ("Asked", "Times", "Tokens", "Cost")
        for name, usages in (("By agent", report.agents), ("By model", report.models)):
            rows = [
                (
                    DONE_BY.get(usage.name, word(usage.name)),
                    f"{usage.calls:,}",
                    f"{usage.tokens:,}",
                    dollars(usage.cost),
                )
                for usage in usages
            ]
            figures(head, rows, name)
        if report.unpriced:
            st.caption(f"{plural(report.unpriced, 'call')} had no price and count as nothing.")


if __name__ == "__main__":
    show()
