"""The tool that does what was plainly ordered or asked, and its arguments."""

from datetime import UTC, datetime

from pydantic import JsonValue

from data.records.core.record import Record
from tasks.agents.alternations import split_list
from tasks.agents.figures import Figures, find_figures, find_language_named
from tasks.agents.orders import Order, find_order
from tasks.agents.spoken_time import has_time, read_spoken_time
from tasks.agents.tasks_asked import is_about_tasks
from tasks.agents.time_patterns import read_time_lists
from tasks.core.calendar.periods import SplitQuestion, split_question
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import denials
from tasks.core.words.sentences import fold, is_stop_word, words

_TO_WORDS = {
    "remind": "add_task",
    "add_task": "add_task",
    "mention_task": "propose_task",
    "add_event": "add_event",
    "list_events": "list_events",
    "free_time": "free_time",
    "move_event": "move_event",
    "mention_event": "add_event",
    "remove_event": "remove_event",
    "move_task": "move_task",
}
"""Tools that read the time out of the words themselves."""
_TO_NOTHING = {
    "agree": "confirm_task",
    "refuse": "drop_proposed_task",
    "follow_ups": "follow_ups",
}
_OF_CONTACTS = {"contact_mail": "", "contact_phone": "phone", "contacts_at": "place"}
"""What is asked of contacts, as `find_contacts` takes it."""
_TO_NAME = {"contact": "find_contacts", "cases_of": "cases_of", "draft_reply": "draft_reply"}
_ASKED_BESIDES = compiled(
    r"(?i),?\s+(?:and|or|und|oder|et|ou|y|o)\s+"
    r"(?:what|which|how|where|is|has|was|wie|welche\w*|wo|ist|hat|quel\w*|comment|où|est|a"
    r"|cu[aá]l|qu[eé]|c[oó]mo|d[oó]nde|est[aá]|ha)\b"
    r"(?:.*\b(?:his|her|their|its|seine?|ihre?|son|sa|leur|su|sus|he|she|they|er|sie|ils?|elles?)\b.*"
    r"|\s+\S+\s+tienen?\W*)$"
)
"""A second question, of the one who was just named."""
_RELATIVE = compiled(
    r"(?i),?\s+(?:i|we|you|that|which|whom?|ich|wir|je|nous|qui|que|quien(?:es)?)\s.*$"
)
"""What is said of somebody behind the name: *Declan I haven't seen*."""
_CASE_OF = compiled(
    r"(?i)^(?:the |der |die |den |dem |le |la |l'|l’|el |un |une |una )?"
    r"(?:(?:\w+\s+)?(?:case|mail|message|one|guy|person|lady|man|woman|contact|customer|people"
    r"|fall|nachricht|frau|herr|herrn|dame|typ|kunde|kundin|kontakt|ansprechpartner(?:in)?"
    r"|cas|dossier|monsieur|client|cliente|personne|responsable"
    r"|caso|correo|mensaje|señora|señor|persona|chica|chico|contacto))?\s*"
    r"(?:from|of|at|by|von|vom|bei|beim|de|du|der|des|del|d'|d’|chez|en)\s*\b"
    r"(?:(?:the|der|dem|den|la|el|l'|l’)\s*\b)?"
)
"""What leads on to a name: *the case of …*."""
_TITLES = frozenset(
    split_list(
        "mr, mrs, ms, miss, sir, herr, herrn, frau, fr, hr, m, mme, mlle, monsieur, madame, senor"
    )
    + split_list("senora, sr, sra, srta, don, dona, dr, prof")
)
"""What stands before a name, and is none of it."""
_AROUND = compiled(
    r"(?i)^(?:(?:the|der|die|la|el)\s+)?(?:area|region|surroundings|gegend|nähe|umgebung|région|zona)"
    r"\s+(?:of|around|von|um|de|d['’])\s*\b"
)
"""What leads on to a town: *the area of Granada*."""
_ABOUT = frozenset(split_list("about, regarding, wegen, uber, bezuglich, sur, sobre, because"))
"""What leads on to a thing, and not to a name."""
_HEADS = frozenset(split_list("the, der, die, das, den, dem, la, le, les, el, los"))
"""Articles before the name of a company."""
_ASKING = frozenset({"know", "wissen", "savoir", "saber"})
"""What follows *I need to* where somebody asks."""
_LISTS = frozenset({"list", "liste", "lista", "einkaufsliste"})
"""What is on one of these is no event: *what is on the shopping list*."""
_SUPERLATIVES = frozenset(
    split_list("most, least, biggest, largest, smallest, cheapest, best, highest, lowest, dearest")
    + split_list(
        "teuerste, teuersten, billigste, billigsten, grosste, grossten, kleinste, kleinsten"
    )
    + split_list("plus, moins, mas, menos")
)
"""What compares, and names nobody: *on the most expensive plan*."""
_CHARGED = frozenset({"responsible", "zustandig", "responsable", "verantwortlich"})
"""What follows *who is* where no name does."""
_RECALLING = frozenset({"of", "what", "which", "who", "where", "how", "was", "wer", "wo", "wie"})
"""What follows *remind me* where somebody asks for what they once knew."""
_FILLING = frozenset(
    split_list(
        "schon, denn, noch, eigentlich, neulich, zuletzt, gerade, aktuell, derzeit, already, yet"
    )
    + split_list(
        "lately, recently, currently, now, deja, encore, recemment, dernierement, maintenant"
    )
    + split_list("actuellement, ya, ultimamente, recientemente, ahora, actualmente")
)
"""What stands beside a name and is none of it: *hat Ana schon geantwortet*."""
_LONGEST_NAME = 300
_THAT = compiled(r"(?i)\s*,?\s+(?:that|saying that|saying|dass|que|qu['’])\s*\b")
"""What leads on from a name to what is noted there: *on Priya that she prefers calls*."""
_VERB_LAST = "dass"
"""The one of them behind which the words make no sentence without it."""
_LONGEST_HEAD = 4
"""Words of the name before it."""
_SHORTEST_NUMBER, _BESIDE_NUMBER = 3, 2
"""Digits of the number of an invoice at least, and words with a topic beside it at most."""
_ONESELF = frozenset({"me", "mir", "moi", "mi", "conmigo"})
"""Folded words for who asks, with whom cases lie."""


class OrderedCall(Record):
    """A tool to call."""

    name: str
    arguments: dict[str, JsonValue]


_LISTED = {
    "complaints": OrderedCall(name="cases_about", arguments={"category": "complaint"}),
    "owing": OrderedCall(name="find_contacts", arguments={"asked": "owing"}),
    "next_event": OrderedCall(name="list_events", arguments={"only_next": True}),
    "wrote_last": OrderedCall(name="newest_mail", arguments={}),
}
"""Questions that are the same call whoever asks them."""
_OF_DAYS = {
    "wrote_most": OrderedCall(name="count_figures", arguments={"subject": "mails", "by": "sender"}),
    "answer_time": OrderedCall(name="answer_time", arguments={}),
}
"""Questions for figures that may name the days that they are about."""


def find_call(order: Order, text: str) -> OrderedCall | None:
    """Return the call that does what was ordered; None where what was filled in names nothing.

    Who says that something has to be done, and not when, tells a story as often as a task; and who
    asks who *the …* is asks for no name. What somebody does not have to do is nothing to note.
    """
    begins = (words(_cut_titles(order.rest)) or [""])[0]
    timed = has_time(order.rest, order.language)
    if order.kind == "mention_task" and (not timed or begins in _ASKING or _has_denial(order.rest)):
        return None
    if order.kind == "mention_event" and (
        text.rstrip().endswith("?") or not _has_time_at_end(order)
    ):
        return None
    if order.kind == "remind" and not timed and begins in _RECALLING:
        return None
    if order.kind == "list_events" and not _LISTS.isdisjoint(words(order.rest)):
        return None
    if order.kind == "contact" and begins in _CHARGED:
        return None
    if order.kind in _TO_NAME and begins in _ABOUT:
        return None
    if order.kind in _TO_NAME and is_stop_word(begins or "the"):
        bare = _CASE_OF.sub("", order.rest)
        if bare == order.rest:
            return None
    if order.kind == "list_tasks":
        if not is_about_tasks(order.rest, order.language):
            return None
        asked: dict[str, JsonValue] = {"words": text[:500], "language": order.language}
        return OrderedCall(name="list_tasks", arguments=asked)
    if order.kind in _TO_NOTHING:
        return OrderedCall(name=_TO_NOTHING[order.kind], arguments={})
    if order.kind in _LISTED:
        return _LISTED[order.kind]
    if order.kind == "came_in":
        return _find_arrivals_call(order)
    if order.kind in _OF_DAYS:
        return _find_days_figure_call(order)
    if order.kind == "left":
        return OrderedCall(name="list_tasks", arguments={"words": "", "language": order.language})
    if order.kind == "query":
        return OrderedCall(name="run_query", arguments={"sql": text})
    if order.kind == "figures":
        figures = find_figures(order.rest, order.language)
        return _build_count_call(figures) if figures is not None and not figures.unread else None
    if order.kind in _TO_WORDS:
        if not order.rest and order.kind not in ("list_events", "free_time"):
            return None
        call_arguments: dict[str, JsonValue] = {
            "words": order.rest[:500],
            "language": order.language,
        }
        return OrderedCall(name=_TO_WORDS[order.kind], arguments=call_arguments)
    if not order.rest:
        return None
    if order.kind == "promised_to":
        return _find_promises_call(order)
    if order.kind in _OF_CONTACTS:
        return _find_contacts_call(order)
    if order.kind in _TO_NAME:
        name = _cut_name(_CASE_OF.sub("", order.rest))
        dated = split_question(name, order.language)
        if dated.when and order.kind == "cases_of":
            return _find_mail_of_days_call(dated, order.language)
        return OrderedCall(name=_TO_NAME[order.kind], arguments={"name": name})
    if order.kind in ("finish_task", "drop_task"):
        return OrderedCall(name=order.kind, arguments={"words": order.rest[:_LONGEST_NAME]})
    if order.kind in ("note_contact", "propose_knowledge"):
        return _find_note_call(order)
    if order.kind == "about_number":
        return _find_number_call(order.rest)
    if order.kind == "written_in":
        code = find_language_named(order.rest, order.language)
        return OrderedCall(name="cases_about", arguments={"written_in": code}) if code else None
    if order.kind == "cases_with":
        colleague = _cut_name(order.rest)
        if any(map(str.isdigit, colleague)):
            return _find_number_call(order.rest)
        if is_stop_word((words(colleague) or ["the"])[0]) and fold(colleague) not in _ONESELF:
            return None
        return OrderedCall(name="cases_about", arguments={"lies_with": colleague})
    if order.kind == "wrote_about":
        about: dict[str, JsonValue] = {"words": _cut_article(order.rest)[:500]}
        return _find_number_call(order.rest) or OrderedCall(name="cases_about", arguments=about)
    return None


def _cut_article(rest: str) -> str:
    """Return what is looked for in mail without what leads on to it: *a refund*."""
    runs = rest.split()
    while len(runs) > 1 and is_stop_word((words(runs[0]) or [""])[0]):
        runs.pop(0)
    return " ".join(runs)


def _find_number_call(rest: str) -> OrderedCall | None:
    """Return the call that looks for the number of a paper, *invoice 4711*; None without one.

    Among much else a number is not what is asked for.
    """
    runs = [run.strip(".,;:!?()") for run in rest.split()]
    numbers = [run for run in runs if sum(map(str.isdigit, run)) >= _SHORTEST_NUMBER]
    beside = [word for run in runs if run not in numbers for word in words(run)]
    beside = [word for word in beside if not is_stop_word(word)]
    if len(numbers) != 1 or len(beside) > _BESIDE_NUMBER:
        return None
    return OrderedCall(name="cases_about", arguments={"words": numbers[0]})


def _find_days_figure_call(order: Order) -> OrderedCall | None:
    """Return the call for a figure of some days, or of all; None where more is asked than days."""
    asked = split_question(order.rest, order.language)
    if asked.words:
        return None
    call = _OF_DAYS[order.kind]
    when: dict[str, JsonValue] = {"when": asked.when, "language": order.language}
    return OrderedCall(name=call.name, arguments=call.arguments | (when if asked.when else {}))


def _has_time_at_end(order: Order) -> bool:
    """Return whether words end with their day and hour: what goes on behind them tells of it."""
    now = datetime(2000, 1, 3, tzinfo=UTC)
    spoken = read_spoken_time(order.rest, order.language, now)
    if not (spoken.dated and spoken.clocked) or spoken.unread or spoken.past:
        return False
    title = words(spoken.rest)
    return bool(title) and words(order.rest)[: len(title)] == title


def _find_arrivals_call(order: Order) -> OrderedCall | None:
    """Return the call that lists what came in on some days; None where it is not only about days.

    Without any it is today.
    """
    asked = split_question(order.rest, order.language)
    if asked.words:
        return None
    days: dict[str, JsonValue] = {"when": asked.when or _read_today_word(order.language)}
    return OrderedCall(name="cases_about", arguments=days | {"language": order.language})


def _find_mail_of_days_call(dated: SplitQuestion, language: str) -> OrderedCall | None:
    """Return the call that lists what somebody wrote on some days."""
    if not dated.words:
        return None
    asked: dict[str, JsonValue] = {"name": " ".join(dated.words), "when": dated.when}
    return OrderedCall(name="cases_of", arguments=asked | {"language": language})


def _read_today_word(language: str) -> str:
    """Return the word for today."""
    return split_list(read_time_lists(language)["today"])[0]


def _find_contacts_call(order: Order) -> OrderedCall | None:
    """Return the call that asks something of contacts; None where nobody and nothing is named."""
    name = _AROUND.sub("", _cut_name(order.rest))
    head, _, company = name.partition(" ")
    if order.kind == "contacts_at" and fold(head) in _HEADS:
        name = company
    if is_stop_word((words(name) or ["the"])[0]) or not _SUPERLATIVES.isdisjoint(words(name)):
        return None
    asked: dict[str, JsonValue] = {"name": name}
    if of_contact := _OF_CONTACTS[order.kind]:
        asked["asked"] = of_contact
    return OrderedCall(name="find_contacts", arguments=asked)


def _cut_name(text: str) -> str:
    """Return a name without the words beside it that say nothing.

    What is asked of the same person besides (*…, and what is her mail?*) is told with the contact.
    """
    runs = _cut_titles(_RELATIVE.sub("", _ASKED_BESIDES.sub("", text))).split()
    while len(runs) > 1 and not _FILLING.isdisjoint(words(runs[-1])):
        runs.pop()
    while len(runs) > 1 and not _FILLING.isdisjoint(words(runs[0])):
        runs.pop(0)
    return " ".join(runs)[:_LONGEST_NAME]


def _cut_titles(text: str) -> str:
    """Return a name without the titles before it: *Frau Krüger*, *m. Brévart*."""
    runs = text.split()
    while len(runs) > 1 and fold(runs[0].strip(".")) in _TITLES:
        runs.pop(0)
    return " ".join(runs)


def _find_note_call(order: Order) -> OrderedCall | None:
    """Return the call that writes something down: *Priya Nair: prefers calls*.

    What stands before the colon is whom or what it is about; a note without one is about nobody.
    What is written down ends as a sentence does: an order is read without its full stop.
    """
    whole = f"{order.rest}." if order.rest[-1:].isalnum() else order.rest
    head, colon, text = (part.strip() for part in whole.partition(":"))
    if order.kind == "note_contact" and not colon and (lead := _THAT.search(whole)):
        head, text = whole[: lead.start()].strip(" ,"), whole[lead.end() :].strip()
        if lead.group().strip(" ,").lower() == _VERB_LAST:
            text = f"{_VERB_LAST} {text}"
        text = f"{text[:1].upper()}{text[1:]}"
        if len(head.split()) > _LONGEST_HEAD:
            return None
    if order.kind == "note_contact":
        if not (head and text) or is_stop_word((words(head) or ["the"])[0]):
            return None
        about: dict[str, JsonValue] = {"name": head[:_LONGEST_NAME], "text": text[:2000]}
        return OrderedCall(name="note_about_contact", arguments=about)
    title, body = (head, text) if colon and text else (order.rest, whole)
    entry: dict[str, JsonValue] = {"title": title[:200], "text": body[:2000]}
    return OrderedCall(name="propose_knowledge", arguments=entry)


def find_uncounted_call(text: str) -> OrderedCall | None:
    """Return the call that says what can be counted, for a question that asks for more than that.

    *How many cases from Berlin* may be answered elsewhere; what is counted is not told as if it
    were that.
    """
    order = find_order(text)
    if order is None or order.kind != "figures":
        return None
    figures = find_figures(order.rest, order.language)
    return _build_count_call(figures) if figures is not None and figures.unread else None


def _build_count_call(figures: Figures) -> OrderedCall:
    """Return the call that counts; words that were not read are a condition that there is not."""
    where: dict[str, JsonValue] = dict(figures.where)
    if figures.unread:
        where["words"] = figures.unread[:100]
    asked: dict[str, JsonValue] = {"subject": figures.subject, "by": figures.by}
    if where:
        asked["where"] = where
    if figures.when:
        asked |= {"when": figures.when, "language": figures.language}
    return OrderedCall(name="count_figures", arguments=asked)


def _find_promises_call(order: Order) -> OrderedCall | None:
    """Return the call that lists what somebody was promised; None where nobody is named."""
    to_whom = split_question(order.rest, order.language).words
    if to_whom and is_stop_word(to_whom[0]):
        return None
    return OrderedCall(
        name="list_promises", arguments={"words": order.rest[:500], "language": order.language}
    )


def _has_denial(text: str) -> bool:
    """Return whether a word of a text denies, in any language."""
    return not denials().isdisjoint(words(text))
