"""What comes after a batch is read before its turn, and read no second time."""

from pathlib import Path

from data.store.core import journal
from flows.core.ahead import Ahead
from flows.running.reading_ahead import WORTH, reading_ahead
from tasks.read import Reading
from tests.line.small import Line, open_line


def write(line: Line, count: int) -> list[str]:
    """Put so many messages into the spool, each from somebody else; return their ids."""
    return [
        line.send(f"When is workshop {number} open?", sender=f"guest{number}@heron.example")
        for number in range(count)
    ]


async def test_what_comes_next_is_read_before_its_turn_and_once(tmp_path: Path) -> None:
    """The stage takes what was read, with no reading process left, and journals the very same."""
    async with open_line(tmp_path / "var", parse_processes=2) as line:  # of its own, to be ended
        ids = write(line, WORTH)
        async with reading_ahead(line.house, line.workspace, []):
            pass
        assert {await line.status(item) for item in ids} == {"received"}
        assert await line.rows("SELECT 1 FROM steps") == []
        assert line.house.spool.tried(ids) == {}

        raws = await line.rows("SELECT id, raw_sha256 FROM messages")
        again = {
            str(row["id"]): await line.house.parsers.parse(
                line.workspace.archive.read(str(row["raw_sha256"]))
            )
            for row in raws
        }
        await line.house.parsers.__aexit__(None, None, None)
        await line.intake()
        await line.house.parsers.__aenter__()
        kept = await line.workspace.db.read(journal.results, "parse", ids)
        assert {item: Reading.model_validate_json(text) for item, text in kept.items()} == again
        assert line.workspace.ahead.take({"any": str(raws[0]["raw_sha256"])}) == {}


async def test_whose_turn_it_is_and_suspects_are_left_to_their_turn(tmp_path: Path) -> None:
    """Nothing is read twice at a time, and who may kill the engine is not read beside others."""
    async with open_line(tmp_path / "var") as line:
        ids = write(line, WORTH)
        async with reading_ahead(line.house, line.workspace, ids[:1]):
            pass
        keys = {
            str(row["id"]): str(row["raw_sha256"])
            for row in await line.rows("SELECT id, raw_sha256 FROM messages")
        }
        assert line.workspace.ahead.take(keys) == {}

        line.house.spool.count_tries(ids[:1])
        async with reading_ahead(line.house, line.workspace, []):
            pass
        assert line.workspace.ahead.take(keys) == {}


def test_what_could_not_be_read_is_left_to_the_stage() -> None:
    """Only readings are kept; an error is met, counted and reported where it belongs."""
    ahead = Ahead()
    ahead.keep(["a"], [ValueError("no mail")])
    assert ahead.take({"one": "a"}) == {}
