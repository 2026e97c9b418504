"""The API of what agents remember: items in layers, and a person's memory as a file."""

from data.records.agents.memories import (
    EditMemory,
    LayerList,
    Memory,
    MemoryErased,
    MemoryExport,
    MemoryList,
    MemoryView,
    NewMemory,
    PersonHolding,
    PersonHoldingList,
    Recall,
    Remembered,
    ShareMemory,
)
from ui.core.api.organization_client import OrganizationClient


class MemoryApi:
    """The part of the API about what agents remember."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def layers(self) -> LayerList:
        """Return the layers that the person sees."""
        return self._client.read(LayerList, self._at("memories", "layers"))

    def find(self, layer: str, state: str, limit: int, offset: int) -> MemoryList:
        """Return one page of what is known in a layer, or in all of them."""
        return self._client.read(
            MemoryList,
            self._at("memories"),
            layer=layer,
            state=state,
            limit=limit,
            offset=offset,
        )

    def proposed(self) -> MemoryList:
        """Return what waits for the person's yes."""
        return self._client.read(MemoryList, self._at("memories", "proposed"))

    def recall(self, question: str) -> Recall:
        """Return what an agent would recall of a question."""
        return self._client.read(Recall, self._at("memories", "search"), q=question, limit=25)

    def own_file(self) -> bytes:
        """Return everything that is remembered of the person alone, as a file."""
        return self._client.fetch(self._at("memories", "export"))

    def people_held(self) -> tuple[PersonHolding, ...]:
        """Return how much is held of whom, of those whose memory the person may erase."""
        return self._client.read(PersonHoldingList, self._at("memories", "people")).items

    def file_of(self, user_id: str) -> bytes:
        """Return everything that is remembered of a person alone, as a file; audited."""
        path = self._at("memories", "people", user_id, "export")
        return self._client.act(MemoryExport, path, {}).model_dump_json(indent=2).encode()

    def erase_person(self, user_id: str) -> MemoryErased:
        """Erase what is remembered of a person, and the name in what others know; audited."""
        return self._client.act(MemoryErased, self._at("memories", "people", user_id, "erase"), {})

    def read(self, id: str) -> MemoryView:
        """Return one item with where it comes from."""
        return self._client.read(MemoryView, self._at("memories", id))

    def add(self, text: str, layer: str) -> Remembered:
        """Remember what the person words."""
        new_memory = NewMemory(text=text, layer=layer)
        return self._client.act(Remembered, self._at("memories"), new_memory)

    def correct(self, id: str, text: str) -> Remembered:
        """Put the person's wording in the place of an item."""
        return self._client.act(Remembered, self._at("memories", id), EditMemory(text=text), "PUT")

    def share(self, id: str, layer: str) -> Remembered:
        """Let a wider layer know an item."""
        order = ShareMemory(layer=layer)
        return self._client.act(Remembered, self._at("memories", id, "share"), order)

    def decide(self, id: str, act: str) -> Memory:
        """Accept, reject, retire or restore an item."""
        return self._client.act(Memory, self._at("memories", id, act), {})

    def delete(self, id: str) -> None:
        """Delete an item for good."""
        self._client.remove(self._at("memories", id))
