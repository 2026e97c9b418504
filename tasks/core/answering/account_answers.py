"""A customer's questions about her own account, answered from what the organization knows of it.

A question is one about the account when every word of it that says something is a word for what is
known (plan, renewal, balance, orders, status), and it says whose: *which plan are we on*. *What
does the plan cost* and *can I change my plan* ask for something else, and are answered elsewhere or
left open.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from data.lexicons.drafting import phrases
from data.lexicons.drafting.accounts import FIELDS, AccountWords, account_words
from data.records.core.accounts import CustomerFacts
from data.records.core.briefing import INTERNAL, Snippet, SourceKind
from data.records.core.citations import Citation
from tasks.core.patterns import compiled
from tasks.core.words.questions import AskedQuestion

_WORD = compiled(r"[\p{L}\p{M}\p{N}]+")


def is_account(snippet: Snippet) -> bool:
    """Return whether a snippet tells the sender's own account."""
    own = snippet.source is SourceKind.ACCOUNT and snippet.trusted and snippet.citable
    return own and not snippet.ref.startswith(INTERNAL)


def knowledge_in(snippets: Sequence[Snippet]) -> Sequence[Snippet]:
    """Return the snippets without those of an account; the same list where there are none."""
    if not any(snippet.source is SourceKind.ACCOUNT for snippet in snippets):
        return snippets
    return [snippet for snippet in snippets if snippet.source is not SourceKind.ACCOUNT]


def of_account(question: AskedQuestion, snippets: Sequence[Snippet]) -> tuple[Citation, ...] | None:
    """Return the sentences that answer a question about the sender's account, or None."""
    account_lines = [snippet for snippet in snippets if is_account(snippet)]
    if not account_lines:
        return None
    asked = asked_fields(question.text, account_lines[0].language, question.context)
    snippets_told = [
        snippet for snippet in account_lines if snippet.ref.rpartition("#")[2] in asked
    ]
    if not asked or asked - {snippet.ref.rpartition("#")[2] for snippet in snippets_told}:
        return None  # part of what is asked is not known: a person answers
    return tuple(
        Citation(sentence=snippet.text, ref=snippet.ref, title=snippet.title)
        for snippet in snippets_told
    )


def asked_fields(question: str, language: str, before: str = "") -> set[str]:
    """Return what of an account is asked for; empty when the question is about anything else.

    Whose it is may stand in the words `before`, where they ask for it too: *which plan are we on,
    and when does it renew*.
    """
    lexicon, empty = account_words(language), _empty_words(language)
    question_words = [word.lower() for word in _WORD.findall(question)]
    own = set(lexicon.own)
    if not own & set(question_words):
        earlier = {word.lower() for word in _WORD.findall(before)}
        fields = [word for words in lexicon.fields.values() for word in words]
        if not (own & earlier and any(_is_one_of(word, fields) for word in earlier)):
            return set()
    asked: set[str] = set()
    for word in question_words:
        # First, because *debemos* says whose it is, too.
        field = next((name for name in FIELDS if _is_one_of(word, lexicon.fields[name])), "")
        if field:
            asked.add(field)
        elif word not in empty and not _is_one_of(word, lexicon.neutral):
            return set()
    return set() if _wants_done(question_words, asked, lexicon) else asked


def _wants_done(words: Sequence[str], asked: set[str], lexicon: AccountWords) -> bool:
    """Return whether something is to be done, not told: *can you renew our plan*."""
    acts = [act for field in asked for act in lexicon.acts.get(field, ())]
    tells = any(_is_one_of(word, lexicon.asks) for word in words)
    return not tells and any(word in acts for word in words)


def account_snippets(
    email: str, facts: CustomerFacts, language: str, formality: str = ""
) -> list[Snippet]:
    """Return what is known of an established sender as pieces of context, in a language.

    `formality` is the policy's form of address.

    What a reply may tell is one sentence a piece. The organization's notes may be read by whoever
    plans and drafts, and told by nobody.
    """
    lexicon = account_words(language, formality)
    pieces = [
        Snippet(
            source=SourceKind.ACCOUNT,
            ref=f"account:{ref}#{field}",
            title=lexicon.title,
            text=sentence,
            trusted=True,
            language=language,
        )
        for ref, field, sentence in _sentences(email, facts, lexicon)
    ]
    if facts.notes:
        pieces.append(
            Snippet(
                source=SourceKind.ACCOUNT,
                ref=f"{INTERNAL}notes:{email}",
                title="Notes",
                text=facts.notes,
                trusted=True,
                citable=False,
            )
        )
    return pieces


def _sentences(
    email: str, facts: CustomerFacts, lexicon: AccountWords
) -> Iterator[tuple[str, str, str]]:
    """Yield (reference, field, sentence) of what may be told."""
    several = len(facts.accounts) > 1
    plans = [own_account.plan for own_account in facts.accounts if own_account.plan]
    if facts.plan and not plans:
        yield email, "plan", lexicon.sentences["plan"].replace("{value}", _clean(facts.plan))
    for account in facts.accounts:
        values = {
            "plan": account.plan,
            "status": account.status,
            "renewal": account.renewal.isoformat() if account.renewal else "",
            "balance": account.balance,
            "orders": account.orders,
        }
        for field, value in values.items():
            if value:
                sentence_form = lexicon.sentences[field].replace("{value}", _clean(value))
                name = f"{_clean(account.account)}: " if several and account.account else ""
                yield account.id, field, f"{name}{sentence_form}"


def _clean(value: str) -> str:
    """Return a value on one line, without an end of its own."""
    line = " ".join("".join(c if c.isprintable() else " " for c in value).split())
    return line.rstrip(".!?")


def _is_one_of(word: str, listed: Sequence[str]) -> bool:
    return any(
        word.startswith(listed_word.removesuffix("*"))
        if listed_word.endswith("*")
        else word == listed_word
        for listed_word in listed
    )


@cache
def _empty_words(language: str) -> frozenset[str]:
    """Return words that say nothing of what is asked."""
    lists = phrases(language)
    return frozenset((*lists.stop_words, *lists.pointing_words, *account_words(language).own))
