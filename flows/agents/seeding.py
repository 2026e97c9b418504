"""The seed facts of an agent's manifest, and the keys of it that have no effect yet."""

from datetime import datetime

from data.errors import UnfitError
from data.manifest import Manifest
from data.pictures import is_embedded
from data.records.agents.memories import (
    INLINE,
    Candidate,
    Evidence,
    Layer,
    LayerKind,
    Provenance,
)
from data.records.core.manifest_format import SeedFact
from data.store.core.database import Connection
from flows.agents.memory import keep_candidate, understand_candidate
from tasks.core.leaks.sensitive import why_sensitive
from tasks.core.words.sentences import single_spaced


def seed_memory(
    cursor: Connection, manifest: Manifest, before: Manifest | None, author: str, now: datetime
) -> int:
    """Put the seed facts of a manifest into the agent's own layer; return how many.

    Those that the version `before` had are there already, or people have made something else of
    them since; they are left alone.
    """
    facts_before = before.agent.knowledge.seed_facts if before is not None else ()
    new = [
        seed_fact
        for seed_fact in manifest.agent.knowledge.seed_facts
        if seed_fact not in facts_before
    ]
    layer = Layer(kind=LayerKind.AGENT, owner=manifest.agent.slug)
    for seed in new:
        keep_candidate(
            cursor, understand_candidate(_build_candidate(layer, seed, author, now)), (), "", now
        )
    return len(new)


def check_seeds(manifest: Manifest) -> None:
    """Refuse seed facts that are nothing to remember: secrets, health and pay, and long texts.

    Raises:
        UnfitError: one of them is.

    """
    for seed in manifest.agent.knowledge.seed_facts:
        words, what = _words_of(seed), f"the manifest: seed fact {seed.subject[:60]!r}"
        if why := why_sensitive(words):
            raise UnfitError(f"{what}: {why}; such things are never remembered")
        if len(words.encode()) > INLINE:
            raise UnfitError(f"{what} is longer than {INLINE} bytes; keep it in the knowledge")


def _words_of(seed: SeedFact) -> str:
    return single_spaced(f"{seed.subject}: {seed.value}")


def _build_candidate(layer: Layer, seed: SeedFact, author: str, now: datetime) -> Candidate:
    words = _words_of(seed)
    evidence = Evidence(words=words, said_by=author, provenance=Provenance.PERSON, said_at=now)
    return Candidate(
        layer=layer,
        text=words,
        kind=single_spaced(seed.category)[:40] or "fact",
        significance=0.8,
        explicit=True,
        agent=layer.owner,
        author="",
        author_name=author,
        evidence=(evidence,),
    )


def list_unheeded_keys(manifest: Manifest, provider: str) -> tuple[str, ...]:
    """Return the keys of a manifest that say something and have no effect on its agent here.

    A model of another provider than the one that is asked (empty for none) has none.
    """
    agent = manifest.agent
    preferred = agent.model_preference
    unheeded_by_name = {
        "avatar_url": bool(agent.avatar_url) and not is_embedded(agent.avatar_url or ""),
        "channels": bool(set(agent.channels) - {"chat", "api"}),
        "capability_level": agent.capability_level == "experimental",
        "model_preference.model": bool(preferred.model)
        and not (provider and preferred.model_at(provider)),
        "delegates": bool(agent.delegates),
        "views": bool(agent.views),
    }
    return tuple(key for key, is_said in unheeded_by_name.items() if is_said)
