"""Erasing what is remembered of a person who works here: the own layer, and the name elsewhere.

The rows go in one transaction with an order for what has to follow, so that a kill leaves work for
the engine's next start: the archive's files, the index, and the bytes in the database.
"""

import asyncio
from collections.abc import Sequence

import orjson

from data.errors import ForbiddenError, NotFoundError
from data.ids import new_id
from data.records.agents.memories import (
    INLINE,
    Layer,
    LayerKind,
    MemoryErased,
    MemoryExport,
    PersonHolding,
    PersonHoldingList,
)
from data.records.core.principals import Permission, Principal, User
from data.store.agents import memory_erasing
from data.store.agents.memory_erasing import LongText
from data.store.core import leftovers, turn_seals, users
from flows.agents.memory import build_memories
from flows.agents.memory_desk import PersonsMemory
from flows.agents.running import end_turns_of_person
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace

_SHORTEST_NAME = 3


async def export_person(
    house: House, workspace: Workspace, user_id: str, principal: Principal
) -> MemoryExport:
    """Return everything that is remembered of one person alone, to hand out to that person.

    Who asks for their own gets what else is theirs, too; their chats are no other's to read.

    Raises:
        NotFoundError: there is no such user.
        ForbiddenError: who asks is neither that person nor manages users.

    """
    await _read_permitted_user(house, workspace, user_id, principal)
    desk = PersonsMemory(house, workspace, principal)
    layer = Layer(kind=LayerKind.USER, owner=user_id)
    own = user_id == principal.id
    exported = await (desk.export() if own else desk.export_layer(layer))
    subject, detail = f"user:{user_id}", f"{len(exported.items)} items"
    await carry_out(
        house, workspace, principal, lambda act: act.note("export memory", subject, detail)
    )
    return exported


async def erase_person(
    house: House, workspace: Workspace, user_id: str, principal: Principal
) -> MemoryErased:
    """Erase what is remembered of one person alone, and the name in what others know.

    What agents are at for the person ends before.

    Raises:
        NotFoundError: there is no such user.
        ForbiddenError: who asks is neither that person nor manages users.
        StoreError: there is no room to write the database anew; it is done at the next start.

    """
    user = await _read_permitted_user(house, workspace, user_id, principal)
    names = await _list_names(house, user)
    order = new_id(house.clock())
    async with workspace.erasing:
        await end_turns_of_person(house, workspace, user_id, principal)
        erased, spilled = await _delete_rows(house, workspace, user_id, names, order, principal)
        house.streams.forget_ended()
    await workspace.db.write(leftovers.remove_now, workspace.archive.remove, spilled)
    await workspace.memory_index.forget()
    await workspace.db.renew()
    await workspace.db.write(memory_erasing.drop_order, order)
    return erased


async def _delete_rows(
    house: House,
    workspace: Workspace,
    user_id: str,
    names: Sequence[str],
    order: str,
    principal: Principal,
) -> tuple[MemoryErased, list[str]]:
    """Delete the rows; return what was erased, and what the archive loses."""
    long_texts = await _cut_long_texts(house, workspace, user_id, names)

    def work(act: Act) -> tuple[MemoryErased, list[str]]:
        with turn_seals.seal_rewritten(act.cursor, act.now, "words of a person were erased"):
            erased, spilled = memory_erasing.erase_person(
                act.cursor, user_id, names, act.now, long_texts
            )
        files = orjson.dumps({"archive": spilled}).decode()
        memory_erasing.add_order(act.cursor, order, files, act.actor, act.now)
        detail = f"{erased.items} items, {erased.chats} chats, {erased.elsewhere} elsewhere"
        act.note("erase memory", f"user:{user_id}", detail)
        return erased, spilled

    return await carry_out(house, workspace, principal, work)


async def _cut_long_texts(
    house: House, workspace: Workspace, user_id: str, names: Sequence[str]
) -> list[LongText]:
    """Keep in the archive what is left of long texts of others without the name; return those."""
    memories, cut = build_memories(house, workspace), []
    for before in await workspace.db.read(memory_erasing.list_spilled_elsewhere, user_id):
        try:
            whole = (await asyncio.to_thread(workspace.archive.read, before)).decode()
        except NotFoundError:  # what the state has of it is cut
            continue
        left = await workspace.db.read(memory_erasing.cut_names, whole, names)
        if left != whole:
            after = await memories.spill_text(left)
            content = left.encode()
            beginning = content[:INLINE].decode(errors="ignore")
            cut.append(LongText(before, after, len(content), beginning))
    return cut


async def list_people_held(
    house: House, workspace: Workspace, principal: Principal
) -> PersonHoldingList:
    """Return how much is held of whom: of everybody for who manages users, else of who asks.

    Somebody who is no user any more is there as long as something is held.
    """
    manages = principal.may(Permission.MANAGE_USERS, workspace.slug)
    holdings = await workspace.db.read(memory_erasing.count_held)
    listed = []
    for user in await house.control.read(users.list_users):
        row = holdings.get(user.id)
        works_here = any(grant.organization in (None, workspace.slug) for grant in user.grants)
        if user.id != principal.id and not (manages and (works_here or row is not None)):
            continue
        counts = row._asdict() if row is not None else {"user_id": user.id}
        listed.append(PersonHolding(**counts, name=user.name, ended=user.ended_at is not None))
    return PersonHoldingList(items=tuple(listed))


async def _read_permitted_user(
    house: House, workspace: Workspace, user_id: str, principal: Principal
) -> User:
    allowed = principal.may(Permission.MANAGE_USERS, workspace.slug)
    if user_id != principal.id and not allowed:
        raise ForbiddenError("only that person, or who manages users, may do that")
    return await house.control.read(users.read_user, user_id)


async def _list_names(house: House, user: User) -> list[str]:
    """Return by what a person is named: the whole name, the address, and parts of no other."""
    every = await house.control.read(users.list_users)
    others = {
        part.casefold()
        for user_known in every
        if user_known.id != user.id
        for part in user_known.name.split()
    }
    parts = [
        part
        for part in user.name.split()
        if len(part) >= _SHORTEST_NAME and part.casefold() not in others
    ]
    return [name for name in (user.name, user.email, *parts) if name]
