"""What intake has just found out is handed on as it is, when the journal says the same."""

from pathlib import Path

from data.records.mail.screening import Authentication, Verdict
from data.records.mail.stage_outputs import Screened
from data.store.core import journal
from flows.core.batch import Batch
from flows.core.recent import Recent
from tasks.read import Reading
from tests.line.small import open_line

SAMPLES = Path(__file__).parents[2] / "data" / "samples" / "fieldfare-audio" / "inbox"
MAIL = sorted(SAMPLES.glob("*.eml"))


def test_a_record_is_taken_for_the_very_text_that_it_was_written_as() -> None:
    """Another text, another class or a second asking is read from the text."""
    recent, one = Recent(), Authentication(reasons=("not asked",))
    text, other = one.model_dump_json(), Authentication(reasons=("asked",)).model_dump_json()

    recent.keep("authenticate", {"a": text}, {"a": one})
    assert recent.take("authenticate", "a", text, Authentication) is one
    again = recent.take("authenticate", "a", text, Authentication)
    assert again == one
    assert again is not one

    recent.keep("authenticate", {"a": text}, {"a": one})
    assert recent.take("authenticate", "a", other, Authentication).reasons == ("asked",)


def test_only_so_much_is_kept_and_the_oldest_goes_first() -> None:
    """A long backlog does not fill the memory with what nobody asks for."""
    made = {str(n): Authentication(reasons=(f"number {n}",)) for n in range(10)}
    texts = {item: one.model_dump_json() for item, one in made.items()}
    recent = Recent(characters=sum(map(len, list(texts.values())[-3:])))
    for item, one in made.items():
        recent.keep("authenticate", {item: texts[item]}, {item: one})
    kept = [i for i in made if recent.take("authenticate", i, texts[i], Authentication) is made[i]]
    assert kept == ["7", "8", "9"]


async def test_what_is_handed_on_is_what_the_journal_gives_back(tmp_path: Path) -> None:
    """For all mail of the sample: record of the stage and record of its text are equal."""
    models = {"parse": Reading, "screen": Screened, "authenticate": Authentication}
    async with open_line(tmp_path / "var") as line:
        ids = [line.send("", raw=path.read_bytes(), sender="one@heron.example") for path in MAIL]
        await line.intake()
        for stage, model in models.items():
            texts = await line.workspace.db.read(journal.results, stage, ids)
            taken = {
                i: line.workspace.recent.take(stage, i, text, model) for i, text in texts.items()
            }
            assert taken == {i: model.model_validate_json(text) for i, text in texts.items()}
            assert len(taken) > len(MAIL) / 2


async def test_a_result_that_was_changed_is_not_handed_on(tmp_path: Path) -> None:
    """The journal says what counts: a message that is flagged now is not taken for clean."""
    async with open_line(tmp_path / "var") as line:
        item = line.send("When is the workshop open?")
        await line.intake()
        await line.workspace.db.write(
            lambda cursor: cursor.execute(
                "UPDATE steps SET output = replace(output, '\"clean\"', '\"flagged\"') "
                "WHERE item_id = ? AND stage = 'screen'",
                [item],
            ).fetchall()
        )
        batch = Batch(house=line.house, workspace=line.workspace, ids=[item])
        found = await batch.results("screen", Screened)
        assert found[item].screening.verdict is Verdict.FLAGGED
