"""Reading the files of an organization: what is wrong is named, the rest is read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.sources.changes import Changes, changes
from connectors.sources.forgetting import count_records, forget, read_lines_on
from connectors.sources.loading import READERS
from connectors.sources.markdown_files import (
    join_soft_breaks,
    read_knowledge_files,
    read_saved_reply_files,
    split_front_matter,
)
from connectors.sources.people_files import read_contact_file, read_history_file
from connectors.sources.reading import TableReading
from data.store.core.loaded import StoredHash

HEADER = "email,name,company,language,since,plan_or_account,notes\n"
GOOD = (
    '{"contact": "a@b.example", "direction": "inbound", "at": "2026-03-01T09:30:00Z", "text": "x"}'
)


def knowledge(folder: Path, text: str, name: str = "oak.md") -> TableReading:
    """Read a folder with one more entry."""
    path = folder / "knowledge" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return read_knowledge_files(folder)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Just words\n", "has no front matter"),
        ("", "has no front matter"),
        ("---\ntitle: Oak\nbody\n", "front matter without an end"),
        ("---\ntitle: Oak\n---\n \n", "has no text after"),
        ("---\nid: oak\n---\nx", "key 'title' is missing"),
        ("---\ntitle: Oak\nkind: tree\n---\nx", "key 'kind'"),
        ("---\ntitle: Oak\nsignificance: 2\n---\nx", "key 'significance'"),
        ("---\ntitle: Oak\ntags: a\n---\nx", "key 'tags'"),
        ("---\ntitle: Oak\ntitle: Ash\n---\nx", "key 'title' comes twice"),
        ("---\ntitle: Oak\nbody: y\n---\nx", "key 'body' does not belong here"),
        ("---\ntitle: Oak\nvalid_from: 2026-02-30\n---\nx", "key 'valid_from'"),
        (
            "---\ntitle: Oak\nvalid_from: 2026-02-02\nvalid_until: 2026-02-01\n---\nx",
            "'valid_until' is before 'valid_from'",
        ),
        ("---\ntitle: Oak\n---\nx\x00y", "zero byte"),
    ],
)
def test_a_wrong_entry_is_named_and_its_neighbour_read(
    tmp_path: Path, text: str, sentence: str
) -> None:
    """One error, naming the file; the other entry is there."""
    knowledge(tmp_path, "---\ntitle: Ash\n---\nAsh.", "ash.md")
    reading = knowledge(tmp_path, text)
    assert list(reading.rows) == ["ash"]
    assert reading.broken == {"knowledge/oak.md"}
    assert len(reading.errors) == 1
    assert reading.errors[0].startswith("'knowledge/oak.md'")
    assert sentence in reading.errors[0]


def test_an_entry_needs_no_more_than_a_title(tmp_path: Path) -> None:
    """The file's name is the id; Windows line ends and a byte order mark do not matter."""
    reading = knowledge(tmp_path, "\ufeff---\r\ntitle: Oak\r\n---\r\n\r\nTall.\r\nOld.\r\n")
    row = reading.rows["oak"]
    assert (row["title"], row["body"], row["public"]) == ("Oak", "Tall. Old.", True)


def test_bytes_that_are_not_text_are_named(tmp_path: Path) -> None:
    """A file in another encoding is an error, not a guess."""
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "oak.md").write_bytes(b"---\ntitle: \xe4\n---\nx")
    assert "UTF-8" in read_knowledge_files(tmp_path).errors[0]


def test_an_id_twice_is_named(tmp_path: Path) -> None:
    """Two files cannot hold the same entry; the first one is kept."""
    knowledge(tmp_path, "---\nid: tree\ntitle: Ash\n---\nAsh.", "ash.md")
    reading = knowledge(tmp_path, "---\nid: tree\ntitle: Oak\n---\nOak.")
    assert reading.rows["tree"]["title"] == "Ash"
    assert "'tree' is taken by 'knowledge/ash.md'" in reading.errors[0]


def test_a_rule_inside_the_text_does_not_end_it() -> None:
    """Only the first two `---` lines are borders."""
    assert split_front_matter("---\na: 1\n---\nx\n---\ny", "f") == ({"a": 1}, "x\n---\ny")


def test_a_saved_reply_with_an_unknown_key_is_named(tmp_path: Path) -> None:
    """Saved replies are as strict as knowledge."""
    (tmp_path / "saved_replies").mkdir()
    (tmp_path / "saved_replies" / "hi.md").write_text("---\ntitle: Hi\nintents: x\n---\nHi")
    assert "write 'intent'" in read_saved_reply_files(tmp_path).errors[0]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("no-address,,,,,,\n", "line 3': key 'email'"),
        ("c@d.example,C,,english,,,\n", "line 3': key 'language'"),
        ("c@d.example,C,,en,yesterday,,\n", "line 3': key 'since'"),
        ("c@d.example,C,,en,,,a,b\n", "line 3' has not as many values"),
        ("c@d.example,C\n", "line 3' has not as many values"),
        ("A@b.example,Twin,,,,,\n", "line 3': id 'a@b.example' is taken"),
    ],
)
def test_a_wrong_contact_is_named_and_the_others_read(
    tmp_path: Path, line: str, sentence: str
) -> None:
    """The error names the line of the file."""
    text = f"{HEADER}a@b.example,A,,,,,\n{line}e@f.example,E,,,,,\n"
    (tmp_path / "contacts.csv").write_text(text)
    reading = read_contact_file(tmp_path)
    assert list(reading.rows) == ["a@b.example", "e@f.example"]
    assert len(reading.errors) == 1
    assert sentence in reading.errors[0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,mail\nA,a@b.example\n", "no column 'email'"),
        ("email,mail\na@b.example,x\n", "key 'mail' is not known"),
        (HEADER + 'a@b.example,"A,,,,,\n', "is not CSV"),
        ("", "no column 'email'"),
    ],
)
def test_a_wrong_table_of_contacts_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    """A header or quotes that cannot be read are one error."""
    (tmp_path / "contacts.csv").write_text(text)
    reading = read_contact_file(tmp_path)
    assert (reading.rows, len(reading.errors)) == ({}, 1)
    assert sentence in reading.errors[0]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "line 2' is not JSON"),
        ("[]", "line 2' is no JSON object"),
        (GOOD.replace("inbound", "sideways"), "line 2': key 'direction'"),
        (GOOD.replace("00Z", "00"), "line 2': key 'at'"),
        (GOOD.replace("2026-03-01T09:30:00Z", "0001-01-01T00:00:00+05:00"), "line 2': key 'at'"),
        (GOOD.replace("text", "test"), "line 2': key 'test' is not known"),
        (GOOD, "line 2': id "),
        ("[" * 100_000, "line 2' is not JSON"),
    ],
)
def test_a_wrong_line_of_history_is_named_and_the_others_read(
    tmp_path: Path, line: str, sentence: str
) -> None:
    """The error names the line; a time without an offset is refused."""
    last = GOOD.replace("09:30", "09:31")
    (tmp_path / "history.jsonl").write_text(f"{GOOD}\n{line}\n\n{last}")
    reading = read_history_file(tmp_path)
    assert len(reading.rows) == 2
    assert len(reading.errors) == 1
    assert sentence in reading.errors[0]


@pytest.mark.parametrize("folder", sorted((Path(__file__).parents[3] / "data/samples").iterdir()))
def test_sample_organizations_load_without_an_error(folder: Path) -> None:
    """Every file of the samples is in the format that the sources read."""
    readings = {table: read(folder) for table, read in READERS.items()}
    assert [error for reading in readings.values() for error in reading.errors] == []
    assert all(reading.rows for reading in readings.values())


IDS = st.sampled_from(["a", "b", "c", "d"])
FILES = st.sampled_from(["x", "y"])
TABLE = st.dictionaries(IDS, st.tuples(FILES, st.integers(0, 1)))


@given(files=TABLE, table=TABLE, broken=st.sets(FILES))
def test_applying_the_changes_makes_the_table_say_what_the_files_say(
    files: dict[str, tuple[str, int]], table: dict[str, tuple[str, int]], broken: set[str]
) -> None:
    """After the changes nothing else has to change, and broken files keep what they had."""
    reading = TableReading(broken=broken)
    for row_id, (file, value) in files.items():
        reading.rows[row_id] = {"id": row_id, "file": file, "row_hash": str(value)}
    stored = {key: StoredHash(key, file, str(v)) for key, (file, v) in table.items()}
    found = changes(reading, stored)
    for row in found.changed:
        stored[row["id"]] = StoredHash(row["id"], row["file"], row["row_hash"])
    for row_id in found.removed:
        del stored[row_id]
    assert changes(reading, stored) == Changes(changed=(), removed=())
    kept = {key for key, (file, _) in table.items() if file in broken}
    assert set(stored) == set(files) | kept


def test_soft_line_breaks_are_undone_and_structure_is_kept() -> None:
    """Running text becomes one line per paragraph; lists, tables and code stay as written."""
    running = "The mill grinds\nevery day.\n\nIt rests\non Sundays."
    assert join_soft_breaks(running) == "The mill grinds every day.\n\nIt rests on Sundays."
    for kept in (
        "- oats\n- rye",
        "1. grind\n2. sift",
        "| a | b |\n| 1 | 2 |",
        "    code\n    more",
    ):
        assert join_soft_breaks(kept) == kept


def test_the_lines_of_one_person_are_those_that_the_readers_see(tmp_path: Path) -> None:
    """A mark at the beginning and odd letters within a value leave nothing of the person."""
    theirs = GOOD.replace('"x"', '"the looms\u2028of Ann"')
    others = GOOD.replace("a@b", "e@f")
    (tmp_path / "history.jsonl").write_text(f"\ufeff{theirs}\n{others}\r\n{theirs}", newline="")
    (tmp_path / "contacts.csv").write_text(
        "email,notes\r\nA@b.example,her\u2028looms\r\ne@f.example,x\x0by\n"
        'a@b.example,"more\nlooms"\n',
        newline="",
    )
    assert len(read_history_file(tmp_path).rows) == 2
    assert count_records(tmp_path, ["a@b.example"]) == {"contacts.csv": 2, "history.jsonl": 2}
    contacts = read_lines_on(tmp_path / "contacts.csv", ["e@f.example"])
    assert contacts == ["email,notes\r\n", "e@f.example,x\x0by\n"]
    forget(tmp_path, ["a@b.example"])
    assert (tmp_path / "history.jsonl").read_bytes() == f"{others}\r\n".encode()
    assert (tmp_path / "contacts.csv").read_bytes() == "".join(contacts).encode()


def test_a_quote_that_nobody_closed_takes_no_other_with_it(tmp_path: Path) -> None:
    """The line is one person's: what stands below it is neither handed out nor erased with it."""
    contacts = tmp_path / "contacts.csv"
    lines = ["email,name\n", 'a@b.example,"Ann\n', "e@f.example,Eve\n", 'i@j.example,"I\nJ"\n']
    contacts.write_text("".join(lines))
    assert count_records(tmp_path, ["e@f.example"]) == {"contacts.csv": 1}
    assert read_lines_on(contacts, ["a@b.example"]) == lines[:2]
    forget(tmp_path, ["a@b.example"])
    assert contacts.read_text() == "".join([lines[0], *lines[2:]])
    contacts.write_text("".join(lines))
    forget(tmp_path, ["e@f.example"])
    assert contacts.read_text() == "".join([*lines[:2], lines[3]])
    contacts.write_text("".join([*lines[:1], f"k@l.example,{'k' * 140_000}\n", *lines[2:]]))
    forget(tmp_path, ["e@f.example"])
    assert "e@f.example" not in contacts.read_text()
