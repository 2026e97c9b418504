"""What a person can do with what agents remember."""

from data.records.agents.business import (
    EditBusinessProfile,
    ProfileVersions,
    RestoreProfile,
    ToldProfile,
)
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
from data.records.core.version_diff import VersionDiff
from ui.api.talk_desk import TalkDesk


class MemoryDesk(TalkDesk):
    """The part of a `Desk` about memory; raises what `data.refusals` lists."""

    def memory_layers(self) -> LayerList:
        """Return the layers that the person sees."""
        return self._client.read(LayerList, f"{self._root}/memories/layers")

    def memories(self, layer: str, state: str, limit: int, offset: int) -> MemoryList:
        """Return one page of what is known in a layer, or in all of them."""
        return self._client.read(
            MemoryList,
            f"{self._root}/memories",
            layer=layer,
            state=state,
            limit=limit,
            offset=offset,
        )

    def proposed_memories(self) -> MemoryList:
        """Return what waits for the person's yes."""
        return self._client.read(MemoryList, f"{self._root}/memories/proposed")

    def recall(self, question: str) -> Recall:
        """Return what an agent would recall of a question."""
        return self._client.read(Recall, f"{self._root}/memories/search", q=question, limit=25)

    def own_memory_file(self) -> bytes:
        """Return everything that is remembered of the person alone, as a file."""
        return self._client.fetch(f"{self._root}/memories/export")

    def people_held(self) -> tuple[PersonHolding, ...]:
        """Return how much is held of whom, of those whose memory the person may erase."""
        return self._client.read(PersonHoldingList, f"{self._root}/memories/people").items

    def memory_file_of(self, user_id: str) -> bytes:
        """Return everything that is remembered of a person alone, as a file; audited."""
        path = self._at("memories", "people", user_id, "export")
        return self._client.act(MemoryExport, path, {}).model_dump_json(indent=2).encode()

    def erase_person(self, user_id: str) -> MemoryErased:
        """Erase what is remembered of a person, and the name in what others know; audited."""
        return self._client.act(MemoryErased, self._at("memories", "people", user_id, "erase"), {})

    def memory_view(self, id: str) -> MemoryView:
        """Return one item with where it comes from."""
        return self._client.read(MemoryView, self._at("memories", id))

    def add_memory(self, text: str, layer: str) -> Remembered:
        """Remember what the person words."""
        new_memory = NewMemory(text=text, layer=layer)
        return self._client.act(Remembered, f"{self._root}/memories", new_memory)

    def correct_memory(self, id: str, text: str) -> Remembered:
        """Put the person's wording in the place of an item."""
        return self._client.act(Remembered, self._at("memories", id), EditMemory(text=text), "PUT")

    def share_memory(self, id: str, layer: str) -> Remembered:
        """Let a wider layer know an item."""
        order = ShareMemory(layer=layer)
        return self._client.act(Remembered, self._at("memories", id, "share"), order)

    def decide_memory(self, id: str, act: str) -> Memory:
        """Accept, reject, retire or restore an item."""
        return self._client.act(Memory, self._at("memories", id, act), {})

    def delete_memory(self, id: str) -> None:
        """Delete an item for good."""
        self._client.remove(self._at("memories", id))

    def business_profile(self) -> ToldProfile:
        """Return what the organization says of itself to every agent."""
        return self._client.read(ToldProfile, f"{self._root}/business-profile")

    def business_profile_versions(self) -> ProfileVersions:
        """Return the wordings that it has had."""
        return self._client.read(ProfileVersions, f"{self._root}/business-profile/versions")

    def compare_business_profiles(self, before: int, after: int) -> VersionDiff:
        """Return what two versions have different; 0 stands for nothing."""
        path = f"{self._root}/business-profile/diff"
        return self._client.read(VersionDiff, path, before=str(before), after=str(after))

    def restore_business_profile(self, order: RestoreProfile) -> ToldProfile:
        """Let an earlier version count again, as one more."""
        return self._client.act(ToldProfile, f"{self._root}/business-profile/restore", order)

    def write_business_profile(self, business_profile: EditBusinessProfile) -> ToldProfile:
        """Write another version of it."""
        return self._client.act(
            ToldProfile, f"{self._root}/business-profile", business_profile, "PUT"
        )
