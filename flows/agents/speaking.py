"""An agent's answer as it is written, for whoever listens to the turn's stream."""

from dataclasses import dataclass

from data.records.core.streams import StreamEvent
from flows.core.streams import Stream
from tasks.core.leaks.canary import echoes


@dataclass
class Speaker:
    """Says an answer piece by piece; what was said so far can be taken back."""

    stream: Stream
    guard: str = ""
    """The organization's private mark; a text that repeats it is not said further."""

    def send(self, event: StreamEvent) -> None:
        """Let listeners have an event."""
        self.stream.put(event)

    def tell_move(self, words: str) -> None:
        """Tell in words what is being done."""
        self.send(StreamEvent(kind="move", text=words))

    def say_so_far(self, text: str) -> None:
        """Say what a model has written so far: what is new of it."""
        if self.guard and echoes(text, self.guard):
            return
        if not text.startswith(self.stream.said):
            self.retract()
        if new := text[len(self.stream.said) :]:
            self.send(StreamEvent(kind="text", text=new))

    def say(self, text: str) -> None:
        """Say the whole answer; what was said of it already is not said again."""
        self.guard = ""
        if self.stream.said:
            self.say_so_far(text)
            return
        for number, piece in enumerate(text.split("\n\n")):
            self.send(StreamEvent(kind="text", text=f"\n\n{piece}" if number else piece))

    def retract(self) -> None:
        """Take back what was said so far."""
        if self.stream.said:
            self.send(StreamEvent(kind="retract"))
