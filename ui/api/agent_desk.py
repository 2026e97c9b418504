"""What a person who manages agents can do with them."""

from data.records.agents.agents import (
    Agent,
    AgentDays,
    AgentSettings,
    AgentVersionList,
    AgentWork,
    AssignmentList,
    Difference,
    NewAnswers,
    NewConfiguration,
    NewSettings,
    OwnAnswers,
    OwnWork,
    RestoredVersion,
    TemplateList,
    ToInstall,
)
from data.records.agents.chats import Said
from data.records.agents.library import EntryKind, LibraryEntryList, LibraryVersion, NewEntry
from ui.api.sender_desk import SenderDesk


class AgentDesk(SenderDesk):
    """The part of a `Desk` about one agent; raises what `data.refusals` lists."""

    def agent_work(self, slug: str) -> AgentWork:
        """Return what an agent is, may and has done."""
        return self._client.read(AgentWork, self._at("agents", slug, "work"))

    def agent_days(self, slug: str, days: int) -> AgentDays:
        """Return what an agent did and cost, day by day up to today."""
        return self._client.read(AgentDays, self._at("agents", slug, "days"), days=days)

    def templates(self) -> TemplateList:
        """Return what the catalogue offers."""
        return self._client.read(TemplateList, f"{self._root}/agent-templates")

    def install_agent(self, order: ToInstall) -> Agent:
        """Make an agent from a template, for everybody."""
        return self._client.act(Agent, f"{self._root}/agents/install", order)

    def agent_library(self) -> LibraryEntryList:
        """Return what the library for agents has."""
        return self._client.read(LibraryEntryList, self._at("agent-library"))

    def library_entry(self, kind: EntryKind, name: str) -> LibraryVersion:
        """Return an entry of the library with its text."""
        return self._client.read(LibraryVersion, self._at("agent-library", kind, name))

    def write_library_entry(
        self, kind: EntryKind, name: str, new_entry: NewEntry
    ) -> LibraryVersion:
        """Write an entry of the library, or one more wording of it."""
        path = self._at("agent-library", kind, name)
        return self._client.act(LibraryVersion, path, new_entry, "PUT")

    def take_out_entry(self, kind: EntryKind, name: str) -> None:
        """Take an entry out of the library; its wordings stay."""
        self._client.remove(self._at("agent-library", kind, name))

    def agent_versions(self, slug: str) -> AgentVersionList:
        """Return every configuration that an agent has had, the newest first."""
        return self._client.read(AgentVersionList, self._at("agents", slug, "versions"))

    def compare_agent(self, slug: str, before: int, after: int) -> Difference:
        """Return what two versions of an agent have different."""
        path = self._at("agents", slug, "diff")
        return self._client.read(Difference, path, before=before, after=after)

    def compare_template(self, slug: str) -> Difference:
        """Return what the catalogue has otherwise than an agent."""
        return self._client.read(Difference, self._at("agents", slug, "template"))

    def configure_agent(self, slug: str, new_configuration: NewConfiguration) -> Agent:
        """Give an agent another configuration."""
        return self._client.act(Agent, self._at("agents", slug), new_configuration, "PUT")

    def set_agent_going(self, slug: str, text: str) -> Said:
        """Have an agent work on something by itself."""
        return self._client.act(Said, self._at("agents", slug, "run"), OwnWork(text=text))

    def agent_settings(self, slug: str) -> AgentSettings:
        """Return what an agent's manifest asks, and what has been answered."""
        return self._client.read(AgentSettings, self._at("agents", slug, "settings"))

    def set_up_agent(self, slug: str, new_settings: NewSettings) -> Agent:
        """Answer questions of an agent's manifest."""
        return self._client.act(Agent, self._at("agents", slug, "settings"), new_settings, "PUT")

    def own_answers(self, slug: str) -> OwnAnswers:
        """Return what an agent asks of the person, and what has been answered."""
        return self._client.read(OwnAnswers, self._at("chats", "answers", slug))

    def answer_agent(self, slug: str, new_answers: NewAnswers) -> OwnAnswers:
        """Answer what an agent asks of the person."""
        path = self._at("chats", "answers", slug)
        return self._client.act(OwnAnswers, path, new_answers, "PUT")

    def restore_agent(self, slug: str, restored_version: RestoredVersion) -> Agent:
        """Give an agent an earlier configuration again."""
        return self._client.act(Agent, self._at("agents", slug, "restore"), restored_version)

    def assign_agent(self, slug: str, assignment_list: AssignmentList) -> AssignmentList:
        """Make an agent available to these, and to nobody else."""
        path = self._at("agents", slug, "assignments")
        return self._client.act(AssignmentList, path, assignment_list, "PUT")

    def pause_agent(self, slug: str, *, paused: bool) -> Agent:
        """Let an agent begin no turn, or let it work again."""
        return self._client.act(
            Agent, self._at("agents", slug, "pause" if paused else "resume"), {}
        )

    def activate_agent(self, slug: str) -> Agent:
        """Let those have an agent to whom it is assigned."""
        return self._client.act(Agent, self._at("agents", slug, "activate"), {})

    def delete_agent(self, slug: str) -> None:
        """Delete an agent; what it did stays."""
        self._client.remove(self._at("agents", slug))
