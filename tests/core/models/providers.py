"""Providers inside the process: functions in the place of `data.records.core.asking.Provider`."""

from collections.abc import Callable
from dataclasses import dataclass, field

from data.records.core.asking import (
    Fault,
    ModelFaultError,
    ModelReply,
    OnText,
    Question,
    TokenUsage,
)
from data.records.core.manifest_format import ModelTier

Think = Callable[[Question], object]


@dataclass
class Scripted:
    """Answers with what a function makes of the question; a fault that it returns is raised."""

    think: Think
    usage: TokenUsage = field(default_factory=lambda: TokenUsage(tokens_in=1_000, tokens_out=200))
    asked: list[Question] = field(default_factory=list)
    name: str = "scripted"

    def model_of(self, tier: ModelTier) -> str:
        """Return a name for every class."""
        return f"scripted-{tier.value}"

    async def ask(self, question: Question, on_text: OnText | None = None) -> ModelReply:
        """Answer."""
        self.asked.append(question)
        content = self.think(question)
        if isinstance(content, Fault):
            raise ModelFaultError(content)
        if on_text is not None:
            on_text(str(content))
        return ModelReply(content=content, usage=self.usage, model=self.model_of(question.tier))

    async def close(self) -> None:
        """Hold nothing."""
