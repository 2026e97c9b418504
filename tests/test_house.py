"""The rules of the house that no other tool holds: names, sizes, borders, and what is not told."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("data", "tasks", "connectors", "flows", "ui")
LONGEST = 450
VAGUE = frozenset({"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"})


def modules() -> Iterator[Path]:
    """Give every Python file of our packages."""
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def tree() -> list[Path]:
    """Return every file that belongs to the repository, or would if it were added."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    if listed.returncode:
        pytest.skip("this is no git checkout")
    found = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in found if path.is_file()]


def imports(path: Path) -> set[str]:
    """Return the top names of the modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def named(path: Path) -> str:
    """Return a path as a reader knows it."""
    return str(path.relative_to(ROOT))


def test_no_module_hides_the_standard_library_or_a_package_of_ours() -> None:
    """A script's own folder comes first on the path, so such a name would be imported instead."""
    top = {name for name in sys.stdlib_module_names if not name.startswith("_")} | set(PACKAGES)
    directly = [path for package in PACKAGES for path in (ROOT / package).iterdir()]
    scripts = [path for path in directly if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert [named(path) for path in scripts if path.stem in top] == []


def test_modules_say_the_noun_or_the_verb() -> None:
    """No module bears a name that could hold anything."""
    assert [named(path) for path in modules() if path.stem in VAGUE] == []


def test_files_hold_one_idea() -> None:
    """No file of our packages is longer than 450 lines."""
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_lock_files_pin_by_hash_and_name_no_address(name: str) -> None:
    """They work with whatever index a machine uses, and take nothing that was not seen before."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"https?://\S+|--(?:extra-)?index-url", text) == []
    pins = re.findall(r"(?m)^[a-zA-Z0-9_.\-\[\]]+==\S+", text)
    blocks = re.split(r"(?m)^(?=[a-zA-Z0-9])", text)[1:]
    assert len(pins) > 50
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_the_tree_names_no_place_of_one_machine() -> None:
    """No file holds an absolute path of somebody's home or working folder."""
    places = re.compile(rb"(?<![\w./-])/(?:home|root|work|Users)/[A-Za-z0-9._-]+")
    found = {}
    for path in tree():
        content = path.read_bytes()
        if b"\0" not in content and (hit := places.search(content)):
            found[named(path)] = hit.group().decode()
    assert found == {}


def test_comments_cite_what_a_reader_can_open() -> None:
    """Sources are RFCs, public documents and pages of docs/, never notes that are not here."""
    notes = "|".join(["RELIA" + "BILITY", "PROD" + "UCT (?:section|lesson)", "FAC" + "TS:"])
    notes += "|" + "|".join(["DES" + "IGN:? (?:section|[0-9])", "source " + "document"])
    notes += "|" + r"\(" + r"(?:[RL]\d+(?:, | to )?)+\)"
    cited = re.compile(rf"\b(?:{notes})|{notes}")
    found = []
    for path in tree():
        if path.suffix not in (".py", ".md", ".sql", ".yaml", ".toml", ".json"):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if cited.search(line):
                found.append(f"{named(path)}:{number}: {line.strip()[:80]}")
    assert found == []


def test_every_ignored_lint_rule_has_its_reason_beside_it() -> None:
    """A rule that is switched off in pyproject.toml says why on the same line."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ruff = text.partition("[tool.ruff.lint]")[2].partition("\n[tool.mypy]")[0]
    ignored = ruff.partition("ignore = [")[2]
    lines = [line for line in ignored.splitlines() if re.search(r'"[A-Z]{1,5}\d+"', line)]
    assert len(lines) > 5
    assert [line.strip() for line in lines if "# " not in line] == []


def test_tasks_import_no_outside_world() -> None:
    """Importing every stage brings in no orchestration, database, network or window."""
    program = """
import pkgutil, importlib, sys, tasks
for found in pkgutil.walk_packages(tasks.__path__, "tasks."):
    importlib.import_module(found.name)
outside = {"prefect", "duckdb", "lancedb", "httpx", "aiosmtpd", "streamlit", "fastapi", "dlt"}
print(*sorted(outside & set(sys.modules)))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == []


def test_untrusted_text_meets_no_backtracking() -> None:
    """Stages and doors match by RE2: `re` would let one line hold a core for years."""
    reading = [path for path in modules() if path.relative_to(ROOT).parts[0] in PACKAGES[1:3]]
    assert len(reading) > 50
    assert [named(path) for path in reading if "re" in imports(path)] == []


@pytest.mark.parametrize(
    ("name", "fails"),
    [
        ("tasks/parse/new.py", True),
        ("connectors/sources/new.py", True),
        ("flows/new.py", True),
        ("data/new.py", True),
        ("ui/new.py", True),
        ("tests/test_house.py", False),
    ],
)
def test_lint_forbids_backtracking(name: str, fails: bool) -> None:
    """Ruff finds an import of `re` wherever none is allowed by name, and in every form."""
    for line in ("import re\n", "from re import sub\n", "import re as patterns\n"):
        ended = subprocess.run(
            [sys.executable, "-m", "ruff", "check", "--no-cache", "--stdin-filename", name, "-"],
            cwd=ROOT,
            input=line,
            capture_output=True,
            check=False,
            text=True,
        )
        assert ("TID251" in ended.stdout) is fails, ended.stdout + ended.stderr


def test_tasks_ask_no_clock_and_no_chance() -> None:
    """Time and randomness are arguments, so that the same input gives the same output."""
    stages = [path for path in modules() if path.relative_to(ROOT).parts[0] == "tasks"]
    chance = {"random", "secrets", "uuid", "time", "socket", "subprocess", "asyncio"}
    assert {named(p): imports(p) & chance for p in stages if imports(p) & chance} == {}
    calls = re.compile(r"\b(?:datetime\.(?:now|utcnow|today)|date\.today|os\.urandom)\(")
    assert [named(p) for p in stages if calls.search(p.read_text("utf-8"))] == []


def test_every_test_says_what_it_holds() -> None:
    """Each test has a docstring of one sentence or more that states the behaviour."""
    silent = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_test = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_test and node.name.startswith("test_") and not ast.get_docstring(node):
                silent.append(f"{named(path)}: {node.name}")
    assert silent == []
