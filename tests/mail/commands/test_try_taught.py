"""`postern try --organization` knows what the line knows: corrections, mailboxes, conversations."""

import asyncio
import json
from pathlib import Path

from data.records.core.understanding import Category
from data.records.mail.examples import Relabel
from flows.mail.knowing import retraining
from flows.mail.people.correcting import relabel
from tasks.mail.classify.taught_layer import NEEDED
from tests.core.commands.fixtures import Run
from tests.core.small import SLUG, letter, open_line
from tests.people import person

TEXT = "The carrier pigeon to loft {} is back, please enter her in the flight book."


async def corrected_and_trained(home: Path) -> str:
    """Let people of a real house correct what cases are about, and train on that; its id."""
    async with open_line(home) as line:
        for number in range(NEEDED + 12):
            line.send(TEXT.format(number), subject="Pigeons", sender=f"l{number}@heron.example")
        await line.run()
        for row in await line.rows("SELECT id, version FROM cases"):
            given = Relabel(version=int(str(row["version"])), category=Category.FEATURE_REQUEST)
            await relabel(line.house, line.workspace, str(row["id"]), given, person("ida"))
        training = await retraining.retrain(line.house, line.workspace)
        assert training is not None
        assert training.taken
        return training.id


def test_corrections_of_people_count(run: Run, home: Path, tmp_path: Path) -> None:
    """A layer that a house has trained is read out of its state and says what people said."""
    training = asyncio.run(corrected_and_trained(home))
    file = tmp_path / "pigeon.eml"
    file.write_bytes(letter(TEXT.format("Visby"), subject="Pigeons"))

    def category(*more: str) -> tuple[str, dict[str, object]]:
        shown = run("try", file, "--json", "--until", "classify", *more)
        assert shown.exit_code == 0, shown.output
        answer = json.loads(shown.stdout)
        return answer["classification"]["category"], answer.get("used", {})

    assert category()[0] != "feature_request"
    found, used = category("--organization", SLUG)
    assert found == "feature_request"
    assert used["corrections"] == training


def test_the_mailbox_and_what_is_quoted_have_their_say(
    run: Run, home: Path, tmp_path: Path
) -> None:
    """A mailbox's name counts where it is the organization's; quoted words tell the matter."""
    made = run("organization", "add", "reed", "--name", "Reed", "--address", "billing@reed.example")
    assert made.exit_code == 0, made.output
    head = "From: Ida <ida@heron.example>\r\nTo: {}\r\nSubject: Question\r\n"
    head += "Message-ID: <q@heron.example>\r\nDate: Mon, 02 Nov 2026 08:15:00 +0000\r\n\r\n"

    def category(to: str, text: str) -> str:
        file = tmp_path / "one.eml"
        file.write_bytes((head.format(to) + text).encode())
        shown = run("try", file, "--json", "--until", "classify", "--organization", "reed")
        assert shown.exit_code == 0, shown.output
        return str(json.loads(shown.stdout)["classification"]["category"])

    vague = "Could you check the May one again? We think that something is wrong with it.\r\n"
    assert category("billing@reed.example", vague) == "billing"
    assert category("hello@other.example", vague) != "billing"
    quoted = (
        "Yes please.\r\n\r\nOn Sun, 1 Nov 2026 at 09:00, Reed <billing@reed.example> wrote:\r\n"
        "> Here is the invoice for March. Shall we send a copy to your bookkeeper too?\r\n"
        "> It is due within 14 days.\r\n"
    )
    assert category("hello@other.example", quoted) == "billing"
    assert category("hello@other.example", "Yes please.\r\n") != "billing"
