"""Providers inside the process: what `data.asking.Provider` asks for, by a function."""

from collections.abc import Callable
from dataclasses import dataclass, field

from data.asking import Fault, ModelFaultError, OnText, Question, Reply, Usage
from data.manifest_format import Tier

Think = Callable[[Question], object]


@dataclass
class Scripted:
    """Answers with what a function makes of the question; a fault that it returns is raised."""

    think: Think
    usage: Usage = field(default_factory=lambda: Usage(tokens_in=1_000, tokens_out=200))
    asked: list[Question] = field(default_factory=list)
    name: str = "scripted"

    def model_of(self, tier: Tier) -> str:
        """Return a name for every class."""
        return f"scripted-{tier.value}"

    async def ask(self, question: Question, on_text: OnText | None = None) -> Reply:
        """Answer."""
        self.asked.append(question)
        content = self.think(question)
        if isinstance(content, Fault):
            raise ModelFaultError(content)
        if on_text is not None:
            on_text(str(content))
        return Reply(content=content, usage=self.usage, model=self.model_of(question.tier))

    async def close(self) -> None:
        """Hold nothing."""
