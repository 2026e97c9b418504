"""Agents."""

from data.records.agents.agents import (
    Agent,
    AgentDays,
    AgentList,
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
from ui.core.api.organization_client import OrganizationClient


class AgentApi:
    """The part of the API about agents."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def list_all(self, everyone: bool = False) -> AgentList:
        """Return the agents that the person can talk to; all of them for who manages."""
        query = {"everyone": "true"} if everyone else {}
        return self._client.read(AgentList, self._at("agents"), **query)

    def work(self, slug: str) -> AgentWork:
        """Return what an agent is, may and has done."""
        return self._client.read(AgentWork, self._at("agents", slug, "work"))

    def days(self, slug: str, days: int) -> AgentDays:
        """Return what an agent did and cost, day by day up to today."""
        return self._client.read(AgentDays, self._at("agents", slug, "days"), days=days)

    def templates(self) -> TemplateList:
        """Return what the catalogue offers."""
        return self._client.read(TemplateList, self._at("agent-templates"))

    def install(self, order: ToInstall) -> Agent:
        """Make an agent from a template, for everybody."""
        return self._client.act(Agent, self._at("agents", "install"), order)

    def versions(self, slug: str) -> AgentVersionList:
        """Return every configuration that an agent has had, the newest first."""
        return self._client.read(AgentVersionList, self._at("agents", slug, "versions"))

    def compare(self, slug: str, before: int, after: int) -> Difference:
        """Return what two versions of an agent have different."""
        path = self._at("agents", slug, "diff")
        return self._client.read(Difference, path, before=before, after=after)

    def compare_template(self, slug: str) -> Difference:
        """Return what the catalogue has otherwise than an agent."""
        return self._client.read(Difference, self._at("agents", slug, "template"))

    def configure(self, slug: str, new_configuration: NewConfiguration) -> Agent:
        """Give an agent another configuration."""
        return self._client.act(Agent, self._at("agents", slug), new_configuration, "PUT")

    def set_going(self, slug: str, text: str) -> Said:
        """Have an agent work on something by itself."""
        return self._client.act(Said, self._at("agents", slug, "run"), OwnWork(text=text))

    def settings(self, slug: str) -> AgentSettings:
        """Return what an agent's manifest asks, and what has been answered."""
        return self._client.read(AgentSettings, self._at("agents", slug, "settings"))

    def set_up(self, slug: str, new_settings: NewSettings) -> Agent:
        """Answer questions of an agent's manifest."""
        return self._client.act(Agent, self._at("agents", slug, "settings"), new_settings, "PUT")

    def own_answers(self, slug: str) -> OwnAnswers:
        """Return what an agent asks of the person, and what has been answered."""
        return self._client.read(OwnAnswers, self._at("chats", "answers", slug))

    def answer(self, slug: str, new_answers: NewAnswers) -> OwnAnswers:
        """Answer what an agent asks of the person."""
        path = self._at("chats", "answers", slug)
        return self._client.act(OwnAnswers, path, new_answers, "PUT")

    def restore(self, slug: str, restored_version: RestoredVersion) -> Agent:
        """Give an agent an earlier configuration again."""
        return self._client.act(Agent, self._at("agents", slug, "restore"), restored_version)

    def assign(self, slug: str, assignment_list: AssignmentList) -> AssignmentList:
        """Make an agent available to these, and to nobody else."""
        path = self._at("agents", slug, "assignments")
        return self._client.act(AssignmentList, path, assignment_list, "PUT")

    def pause(self, slug: str, *, paused: bool) -> Agent:
        """Let an agent begin no turn, or let it work again."""
        return self._client.act(
            Agent, self._at("agents", slug, "pause" if paused else "resume"), {}
        )

    def activate(self, slug: str) -> Agent:
        """Let those have an agent to whom it is assigned."""
        return self._client.act(Agent, self._at("agents", slug, "activate"), {})

    def delete(self, slug: str) -> None:
        """Delete an agent; what it did stays."""
        self._client.remove(self._at("agents", slug))
