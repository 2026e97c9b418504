"""A person's work on memories: look, word, correct, share, say yes or no, delete."""

from collections.abc import Callable, Sequence
from datetime import datetime

from data.errors import ConflictError, ForbiddenError, NotFoundError
from data.records.agents.memories import (
    Candidate,
    Evidence,
    Layer,
    LayerKind,
    LayerList,
    LayerView,
    Memory,
    MemoryExport,
    MemoryList,
    MemoryPolicy,
    MemoryView,
    Provenance,
    Recall,
    Remembered,
    layer_of,
)
from data.records.core.principals import Permission, Principal
from data.states import MemoryState
from data.store.agents import memories as store
from data.store.agents import memory_erasing, memory_joins
from data.store.core import teams as team_store
from data.store.core.database import Connection
from flows.agents.memory import (
    accept_proposed,
    build_item,
    build_memories,
    end_others,
    understand_candidate,
)
from flows.agents.memory_layers import list_layers_of_person, may_change_layer
from flows.core.acting import Act, ResultT, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.leaks.sensitive import why_sensitive

EVERY_STATE = tuple(MemoryState)
_ALL = 1_000_000


class PersonsMemory:
    """What one person may do with the memory of one organization."""

    def __init__(self, house: House, workspace: Workspace, principal: Principal) -> None:
        self._house, self._workspace, self._principal = house, workspace, principal
        self._memories = build_memories(house, workspace)

    async def list_layers(self) -> tuple[Layer, ...]:
        """Return the layers that the person may look into."""
        return await list_layers_of_person(self._house, self._workspace, self._principal)

    async def list_named_layers(self) -> LayerList:
        """Return those layers with their names and sizes."""
        layers = await self.list_layers()
        sizes = await self._workspace.db.read(store.count_by_layer, layers)
        teams = await self._house.control.read(team_store.list_teams, self._workspace.slug)
        names = {team.id: team.name for team in teams}
        return LayerList(
            items=tuple(
                LayerView(
                    key=layer.key,
                    name=self._name_layer(layer, names),
                    may_change=self._may_change_layer(layer),
                    number=sizes.get(layer.key, 0),
                )
                for layer in layers
            )
        )

    def _name_layer(self, layer: Layer, teams: dict[str, str]) -> str:
        if layer.kind is LayerKind.USER:
            return "You"
        if layer.kind is LayerKind.TEAM:
            return teams.get(layer.owner, layer.owner)
        if layer.kind is LayerKind.AGENT:
            return f"Agent {layer.owner}"
        return self._workspace.organization.name

    def _may_change_layer(self, layer: Layer) -> bool:
        return may_change_layer(self._workspace, self._principal, layer)

    async def list_page(
        self, key: str, states: Sequence[MemoryState], limit: int, offset: int
    ) -> MemoryList:
        """Return one page of what is known in a layer, or in all that the person may see.

        Raises:
            NotFoundError: the person sees no such layer.

        """
        layers = await self._choose_layers(key)
        items, total = await self._workspace.db.read(
            store.list_page, layers, states=states, limit=limit, offset=offset
        )
        return MemoryList(items=tuple(items), total=total)

    async def _choose_layers(self, key: str) -> tuple[Layer, ...]:
        layers = await self.list_layers()
        chosen = tuple(layer for layer in layers if key in ("", layer.key))
        if not chosen:
            raise NotFoundError(f"you see no layer {key!r}; yours are on the page Memory")
        return chosen

    async def search(self, question: str, limit: int) -> Recall:
        """Return what is known of a question in the layers that the person may see."""
        return await self._memories.recall(await self.list_layers(), question, limit)

    async def read_view(self, memory_id: str) -> MemoryView:
        """Return one item with where it comes from and what held before.

        Raises:
            NotFoundError: it is in no layer that the person may see.

        """
        return await self._read_view(await self.list_layers(), memory_id)

    async def _read_view(self, layers: Sequence[Layer], memory_id: str) -> MemoryView:
        def read(cursor: Connection) -> MemoryView:
            item = store.read_memory(cursor, layers, memory_id)
            joined = memory_joins.list_joined(cursor, layers, item.id)
            ids = {memory.id for memory in joined}
            before = [
                memory
                for memory in store.list_earlier(cursor, layers, item)
                if memory.id not in ids
            ]
            return MemoryView(
                memory=item,
                text=item.text,
                evidence=store.list_evidence(cursor, layers, item.id),
                before=tuple(before),
                joined=tuple(joined),
            )

        view = await self._workspace.db.read(read)
        return view.model_copy(update={"text": await self._memories.read_whole_text(view.memory)})

    async def list_proposed(self) -> MemoryList:
        """Return what waits for a yes that the person may say."""
        layers = [layer for layer in await self.list_layers() if self._may_change_layer(layer)]
        items = await self._workspace.db.read(store.list_proposed, layers)
        return MemoryList(items=tuple(items), total=len(items))

    async def remember(self, text: str, key: str) -> Remembered:
        """Remember what the person has worded; where that may not decide, it is proposed."""
        own = Layer(kind=LayerKind.USER, owner=self._principal.id)
        (layer,) = await self._choose_layers(key or own.key)
        return await self._memories.remember(self._build_candidate(layer, text))

    async def correct(self, memory_id: str, text: str) -> Remembered:
        """Put the person's wording in the place of an item; the item is kept with its time.

        Raises:
            ForbiddenError: the person may not say what is true there.

        """
        item = await self._read_changeable(memory_id)
        if why := why_sensitive(text):
            return Remembered(outcome="refused", why=f"{why}; such things are never remembered")
        candidate = understand_candidate(self._build_candidate(layer_of(item.layer), text))
        if not candidate.slot:
            fields_kept = {"subject": item.subject, "slot": item.slot, "replaces": item.replaces}
            candidate = candidate.model_copy(update=fields_kept)
        spilled = await self._memories.spill_text(text)
        return await self._workspace.db.write(
            _correct_item, item, candidate, spilled, self._read_now()
        )

    async def share(self, memory_id: str, key: str) -> Remembered:
        """Let a wider layer know an item of the person's own; the person's copy ends with it.

        Raises:
            ForbiddenError: the item is not the person's own.
            NotFoundError: it was deleted meanwhile.
            ConflictError: it is another one by now, as when somebody of whom it tells was erased.

        """
        item = (await self.read_view(memory_id)).memory
        source = layer_of(item.layer)
        if source.owner != self._principal.id:
            raise ForbiddenError("only what is yours alone can be shared by you")
        (target,) = await self._choose_layers(key)
        worded = self._build_candidate(target, await self._memories.read_whole_text(item))
        candidate = worded.model_copy(
            update={"lineage": (item.id,), "corrected": False, "significance": item.significance}
        )

        def end_own(cursor: Connection, shared: Remembered) -> None:
            _end_own_item(cursor, item, shared, self._read_now())

        return await self._memories.remember(candidate, (source,), end_own)

    async def decide(self, memory_id: str, *, accepted: bool) -> Memory:
        """Say yes or no to what was proposed.

        Raises:
            ForbiddenError: the person may not decide there.
            ConflictError: it was decided meanwhile.

        """
        item = await self._read_changeable(memory_id)
        return await self._carry_out(lambda act: _decide_on_item(act, item, accepted))

    async def retire(self, memory_id: str) -> Memory:
        """Let an item not be recalled any more; what it took the place of comes not back."""
        item = await self._read_changeable(memory_id)
        return await self._workspace.db.write(
            store.set_state, item, MemoryState.RETIRED, self._read_now(), self._principal.name
        )

    async def restore(self, memory_id: str) -> Memory:
        """Let what was retired, replaced by a newer value, or joined, be known again."""
        item = await self._read_changeable(memory_id)
        return await self._workspace.db.write(_restore_item, item, self._read_now())

    async def delete(self, memory_id: str) -> None:
        """Delete an item for good, with the words that it rests on."""
        item = await self._read_changeable(memory_id)
        layer = layer_of(item.layer)
        await self._memories.delete((layer,), [item.id])
        if layer.kind is not LayerKind.USER:
            await self._carry_out(
                lambda act: act.note("delete memory", f"memory:{item.id}", layer.key)
            )

    async def export(self) -> MemoryExport:
        """Return everything that is remembered of the person alone, and what else is theirs."""
        exported = await self.export_layer(Layer(kind=LayerKind.USER, owner=self._principal.id))
        things = await self._workspace.db.read(memory_erasing.list_own_things, self._principal.id)
        return exported.model_copy(update={"things": things})

    async def export_layer(self, layer: Layer) -> MemoryExport:
        """Return everything of one layer, whatever its state; the caller has looked who may."""
        items, _ = await self._workspace.db.read(
            store.list_page, (layer,), states=EVERY_STATE, limit=_ALL
        )
        views = [await self._read_view((layer,), item.id) for item in items]
        return MemoryExport(user_id=layer.owner, items=tuple(views))

    async def read_policy(self) -> MemoryPolicy:
        """Return how what is picked up in chats is treated."""
        return await self._workspace.db.read(store.read_policy)

    async def set_policy(self, memory_policy: MemoryPolicy) -> MemoryPolicy:
        """Treat it in another way from now on.

        Raises:
            ForbiddenError: the person does not administer the organization.

        """
        if not self._principal.may(Permission.ADMINISTER, self._workspace.slug):
            raise ForbiddenError("only who administers the organization may change that; ask one")
        await self._carry_out(lambda act: _set_policy(act, memory_policy))
        return memory_policy

    async def _read_changeable(self, memory_id: str) -> Memory:
        """Return an item that the person may change.

        Raises:
            NotFoundError: it is in no layer that the person may see.
            ForbiddenError: the person may look at it only.

        """
        item = await self._workspace.db.read(store.read_memory, await self.list_layers(), memory_id)
        if not self._may_change_layer(layer_of(item.layer)):
            raise ForbiddenError("your role does not permit you to teach here; ask who may")
        return item

    def _build_candidate(self, layer: Layer, text: str) -> Candidate:
        evidence = Evidence(
            words=text,
            said_by=self._principal.name,
            provenance=Provenance.PERSON,
            said_at=self._read_now(),
        )
        return Candidate(
            layer=layer,
            text=text,
            significance=0.8,
            explicit=True,
            corrected=True,
            needs_yes=not self._may_change_layer(layer),
            author=self._principal.id,
            author_name=self._principal.name,
            evidence=(evidence,),
        )

    async def _carry_out(self, work: Callable[[Act], ResultT]) -> ResultT:
        return await carry_out(self._house, self._workspace, self._principal, work)

    def _read_now(self) -> datetime:
        return self._house.clock()


def _correct_item(
    cursor: Connection, item: Memory, candidate: Candidate, spilled: str, now: datetime
) -> Remembered:
    worded = store.add(
        cursor,
        build_item(candidate, Provenance.PERSON, asks=False, spilled=spilled, now=now),
        candidate.evidence,
    )
    before = store.set_state(cursor, item, MemoryState.SUPERSEDED, now, worded.id)
    end_others(cursor, worded, now)
    return Remembered(outcome="superseded", memory=worded, before=before)


def _end_own_item(cursor: Connection, item: Memory, shared: Remembered, now: datetime) -> None:
    if store.read_memory(cursor, (layer_of(item.layer),), item.id).text != item.text:
        raise ConflictError("this was changed meanwhile; look at it again")
    if shared.memory is None:
        return
    store.clear_meant_for(cursor, item)
    is_known = shared.memory.state is MemoryState.CURRENT and shared.memory.id != item.id
    if is_known and item.state is MemoryState.CURRENT:
        store.set_state(cursor, item, MemoryState.SUPERSEDED, now, shared.memory.id)


def _decide_on_item(act: Act, item: Memory, accepted: bool) -> Memory:
    decided = (
        accept_proposed(act.cursor, item, act.now)
        if accepted
        else store.set_state(act.cursor, item, MemoryState.REJECTED, act.now, act.actor)
    )
    action = "accept memory" if accepted else "reject memory"
    act.note(action, f"memory:{item.id}", item.layer)
    return decided


def _restore_item(cursor: Connection, item: Memory, now: datetime) -> Memory:
    """Let an item be known again; what took its place since is superseded by it.

    One for which another stands is known beside that one from then on.
    """
    layer = layer_of(item.layer)
    if holder := memory_joins.find_stand_in(cursor, item.id):
        return memory_joins.separate_memory(
            cursor, store.read_memory(cursor, (layer,), holder), item, now
        )
    later = store.list_successors(cursor, layer, item)
    restored = store.set_state(cursor, item, MemoryState.CURRENT, now)
    for other in later:
        store.set_state(cursor, other, MemoryState.SUPERSEDED, now, item.id)
    return restored


def take_back_item(cursor: Connection, item: Memory, now: datetime, by: str) -> Memory:
    """Let an item that was stored hold no more; what it took the place of holds again.

    Raises:
        ConflictError: it does not hold any more.

    """
    retired = store.set_state(cursor, item, MemoryState.RETIRED, now, by)
    for before in store.list_replaced(cursor, (layer_of(item.layer),), item.id):
        store.set_state(cursor, before, MemoryState.CURRENT, now)
    return retired


def _set_policy(act: Act, memory_policy: MemoryPolicy) -> None:
    store.set_policy(act.cursor, memory_policy)
    act.note("set memory policy", "memory:policy", memory_policy.model_dump_json())
