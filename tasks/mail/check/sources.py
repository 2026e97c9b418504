"""The sources that a draft may rest on: cited knowledge, saved replies, the operator's words."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Generic, NamedTuple, TypeVar

from data.lexicons.drafting import phrases
from data.records.core.briefing import INTERNAL, Briefing, Snippet
from data.records.core.citations import Citation
from data.records.core.knowledge import SavedReply
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address
from data.records.mail.drafting import Draft, Finding, Severity
from tasks.core.answering.frames import make_frame
from tasks.core.leaks.links import find_addresses, find_links
from tasks.core.words.sentences import sentences, squeeze, words
from tasks.mail.check.limits import dropped_limit
from tasks.mail.context.citable import is_citable
from tasks.mail.draft.names import closing, greeting

_SHINGLE = 8
"""Words in a row that are no accident."""
_INTERNAL_SHINGLE = 5
_T = TypeVar("_T")


def find_contradicted(sentence: str, cited: Sequence[Snippet]) -> list[Finding]:
    """Return a finding for each cited snippet that another entry contradicts today."""
    return [
        Finding(
            check="contradicted_source",
            severity=Severity.HOLD,
            excerpt=sentence[:200],
            sentence=f"{snippet.title!r} and {', '.join(map(repr, snippet.against))} contradict "
            "each other; mend one of them, or let one supersede the other.",
        )
        for snippet in cited
        if snippet.against
    ]


class _Same(Generic[_T]):
    """Something as a key by which it is, because hashing what it holds takes longer than using it.

    It holds the thing, so that no other gets its id.
    """

    def __init__(self, thing: _T) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.thing is other.thing


class _Lines(NamedTuple):
    """What the operator wrote or approved beforehand, in one language."""

    fixed: str
    house: str
    templates: frozenset[str]
    """The sentences of the fixed lines."""


class Sources:
    """The texts that one draft is held against; made once per check."""

    def __init__(
        self,
        draft: Draft,
        briefing: Briefing,
        organization: Organization,
        policy: Policy,
        sender: Address,
        saved_replies: Sequence[SavedReply],
    ) -> None:
        self._draft = draft
        language = self.language = draft.language
        lines = _operators_lines(language, _Same(organization), _Same(policy), _Same(saved_replies))
        self.fixed = lines.fixed
        """Everything that the operator wrote or approved beforehand, without the greeting."""
        hello = greeting(
            phrases(language, policy.formality), language, policy, sender, organization
        )
        self.operator = f"{hello}\n\n{lines.fixed}"
        self.house = lines.house
        """The organization's record, which every sentence may name."""
        self.templates = lines.templates.union(squeezed_sentences(hello))
        """The sentences that need no citation."""
        self._snippets = {
            snippet.ref: snippet for snippet in briefing.snippets if is_citable(snippet)
        }
        self._citations = [
            (squeeze(citation.sentence), citation.ref) for citation in draft.citations
        ]
        self._internal = [
            snippet.text for snippet in briefing.snippets if snippet.ref.startswith(INTERNAL)
        ]

    @cached_property
    def _own(self) -> list[str]:
        """Return every text that a draft may repeat, one by one."""
        entry_texts = (text for s in self._snippets.values() for text in (s.title, s.text))
        return [*entry_texts, self.operator, self.house]

    @cached_property
    def public(self) -> str:
        """Every text that a draft may repeat."""
        return "\n".join(self._own)

    @property
    def snippets(self) -> list[Snippet]:
        """The snippets that may be cited."""
        return list(self._snippets.values())

    def cited(self, sentence: str) -> list[Snippet]:
        """Return the citable snippets that the draft names for a sentence."""
        squeezed = squeeze(sentence)
        refs = [ref for sentence, ref in self._citations if _is_meant_for(sentence, squeezed)]
        return [self._snippets[ref] for ref in dict.fromkeys(refs) if ref in self._snippets]

    def dropped_limit(self, sentence: str, source_sentence: str) -> str:
        """Return the limit of a source's sentence that a draft leaves out; empty where it does not.

        It may stand in another sentence that cites the same source.
        """
        language = self.language
        if not dropped_limit(sentence, "", source_sentence, language):
            return ""
        cited = self.cited(sentence)
        beside = [
            other
            for other in sentences(self._draft.body)
            if other != sentence and any(snippet in cited for snippet in self.cited(other))
        ]
        return dropped_limit(sentence, "\n".join(beside), source_sentence, language)

    def leaks_internal(self, sentence: str) -> bool:
        """Return whether a sentence repeats knowledge that is not public."""
        return _shares(sentence, self._internal, self._own, _INTERNAL_SHINGLE)

    def repeats(self, sentence: str, foreign: str) -> bool:
        """Return whether a sentence repeats eight words in a row of a foreign text."""
        return _shares(sentence, [foreign], self._own, _SHINGLE)


@lru_cache(maxsize=16)
def _operators_lines(
    language: str,
    organization: _Same[Organization],
    policy: _Same[Policy],
    saved_replies: _Same[Sequence[SavedReply]],
) -> _Lines:
    """Return the operator's own lines, which are the same for a batch of drafts."""
    house, lists = organization.thing, phrases(language, policy.thing.formality)
    frames = [frame for reply in saved_replies.thing if (frame := make_frame(reply))]
    fixed = "\n\n".join(
        (
            closing(lists, language, policy.thing, house),
            *lists.lines,
            *(lists.handed.replace("{person}", person.name) for person in house.people),
            *(text for frame in frames for text in (*frame.before, *frame.after)),
        )
    )
    record = (
        house.name,
        *house.own_addresses,
        house.signature,
        *(person.name for person in house.people),
    )
    return _Lines(fixed, "\n".join(record), squeezed_sentences(fixed))


@lru_cache(maxsize=1024)
def squeezed_sentences(text: str) -> frozenset[str]:
    """Return the sentences of a text, squeezed; knowledge and our own lines come up again."""
    return frozenset(map(squeeze, sentences(text)))


@lru_cache(maxsize=256)
def contacts_of(text: str) -> frozenset[str]:
    """Return the links and mail addresses that the operator's own lines hold."""
    return frozenset((*(link.text for link in find_links(text)), *find_addresses(text)))


def is_cited(citation: Citation, draft: Draft) -> bool:
    """Return whether a citation's sentence stands in the draft."""
    return squeeze(citation.sentence) in squeeze(draft.body)


def _is_meant_for(cited: str, sentence: str) -> bool:
    """Return whether a citation is meant for a sentence."""
    return bool(cited) and (cited == sentence or sentence in cited or cited in sentence)


def _shares(sentence: str, foreign: Sequence[str], own: Sequence[str], length: int) -> bool:
    """Return whether `sentence` and a foreign text share words in a row that no `own` text has."""
    if not foreign:
        return False
    sentence_words = words(sentence)
    rows = [
        f" {' '.join(sentence_words[at : at + length])} "
        for at in range(len(sentence_words) - length + 1)
    ]
    theirs = [_spaced(text) for text in foreign]
    taken_rows = [row for row in rows if any(row in text for text in theirs)]
    return any(not any(row in _spaced(text) for text in own) for row in taken_rows)


@lru_cache(maxsize=2048)
def _spaced(text: str) -> str:
    """Return the words of a text with a space around each; knowledge comes up again and again."""
    return f" {' '.join(words(text))} "
