"""Rules about code: names, borders, clocks, docstrings. Each gives the faults it finds."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions

from tests.house.tree import (
    PACKAGES,
    ROOT,
    imports,
    modules,
    named,
    named_packages,
    nodes_of,
    parsed,
)

LONGEST = 450
PRODUCT = ("data", "tasks", "connectors", "flows", "ui")
VAGUE = frozenset({"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"})
CHANCE = frozenset({"random", "secrets", "uuid", "time", "socket", "subprocess", "asyncio"})
CLOCKS = re.compile(r"\b(?:datetime\.(?:now|utcnow|today)|date\.today|os\.urandom)\(")
STATEMENT = re.compile(
    r"\s*(?:SELECT\s.+\sFROM|INSERT INTO|UPDATE\s+\w+\s+SET|DELETE FROM"
    r"|WITH\s+\w+\s*(?:\(.*\))?\s*AS)\s",
    re.DOTALL,
)
LOOSE = re.compile(r"(?<!\w)(?:dict|Mapping)\[str, (?:Any|object)\]")
MOST_LOOSE = 143
"""Dictionaries of anything, in the four spellings."""
MOST_KEYED = 35
"""Reads by a literal key in the store: of JSON, of a parsed statement, of what is to be written."""
MOST_SENTENCES = 7
BARE = frozenset(
    {"found", "gone", "given", "heard", "held", "kept", "known", "made", "named", "one", "said"}
    | {"seen", "settled", "taken", "told", "wanted"}
)
MOST_BARE = 300
"""How many names in `BARE` there may be: those that were there when the rule came."""
DEEDLESS = frozenset(
    {"about", "active", "addressed", "after", "allowed", "altered", "among", "annotated"}
    | {"answering", "arranged", "arrived", "at", "attached", "available", "awaiting", "bare"}
    | {"barred", "because", "before", "beside", "blocked", "bound", "carried", "chained"}
    | {"changeable", "claimed", "concealed", "condensed", "contradicted", "corrected"}
    | {"countable", "counting", "current", "decided", "did", "done", "drafted", "earlier"}
    | {"elsewhere", "enclosed", "entitled", "established", "everything", "exact", "existing"}
    | {"explained", "extracted", "failed", "featured", "followed", "following", "forked", "full"}
    | {"fulls", "gathered", "guarded", "harmless", "hashed", "here", "highest", "indexed"}
    | {"inert", "inside", "installed", "interrupted", "last", "learned", "leaving", "linked"}
    | {"listed", "loading", "located", "many", "mapped", "marked", "measured", "merged"}
    | {"missing", "muted", "narrowed", "narrower", "newest", "normalized", "of", "older", "only"}
    | {"other", "others", "outside", "overlaid", "owing", "own", "paired", "parted", "parting"}
    | {"pinned", "plain", "portable", "powered", "present", "promised", "proposed", "reachable"}
    | {"reached", "readable", "redrawn", "refused", "rest", "retired", "rewriting", "routed"}
    | {"running", "same", "searchable", "sendable", "several", "shifted", "short", "shortened"}
    | {"signed", "spelled", "spoken", "spotted", "squeezed", "straightened", "summarized"}
    | {"these", "those", "titled", "together", "took", "tried", "unanswered", "unclaimed"}
    | {"undecided", "understood", "undone", "unfinished", "unhashed", "unheeded", "unheld"}
    | {"unhurried", "unpacked", "unpresented", "unproven", "unreachable", "unsearched"}
    | {"untargeted", "untold", "unwritten", "validated", "verified", "visible", "where", "whole"}
    | {"whose", "within", "without"}
)
"""Participles, pronouns and prepositions that were once the whole name of a function."""
NAME = re.compile(r"[A-Za-z0-9_.-]+")
BEHIND = frozenset({"whenever"})
"""Packages that are declared for the sake of another one's version, and imported by that alone."""
OPTIONAL = "sentence-transformers"
"""An embedder that who wants it installs; without it a sentence says so."""
BACKTRACKING = ("import re\n", "from re import sub\n", "import re as patterns\n")


def canonical(name: str) -> str:
    """Return the name of a package as an index compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def hidden_names() -> Iterator[str]:
    """No module hides the standard library or a package of ours.

    A script's own folder comes first on the path, so such a name would be imported instead.
    """
    top = {name for name in sys.stdlib_module_names if not name.startswith("_")} | set(PACKAGES)
    for package in PACKAGES:
        for path in sorted((ROOT / package).iterdir()):
            is_module = path.suffix == ".py" or (path / "__init__.py").exists()
            if is_module and path.stem in top:
                yield f"{named(path)}: another module has this name"


def vague_names() -> Iterator[str]:
    """Modules say the noun or the verb: none bears a name that could hold anything."""
    for path in modules():
        if path.stem in VAGUE:
            yield f"{named(path)}: the name could hold anything"


def bare_names() -> Iterator[str]:
    """A variable or parameter says what it holds: no further *found*, *told*, *said* or *one*."""
    count = 0
    for path in modules("data", "tasks", "connectors", "flows", "ui"):
        for node in nodes_of(path):
            if isinstance(node, ast.arg):
                count += node.arg in BARE
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                count += node.id in BARE
    if count > MOST_BARE:
        yield f"{count} names say nothing of what they hold, {MOST_BARE} at most: {sorted(BARE)}"


def deedless_functions() -> Iterator[str]:
    """A function says what it does: a participle or a pronoun alone names no deed.

    That holds for those that a file keeps to itself, too. Commands and endpoints are left out:
    theirs is the word that people type.
    """
    typed = (ROOT / "flows" / "cli", ROOT / "flows" / "api")
    for path in modules("data", "tasks", "connectors", "flows", "ui"):
        if any(path.is_relative_to(folder) for folder in typed):
            continue
        for node in parsed(path).body:
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and node.name.removeprefix("_") in DEEDLESS:
                yield f"{named(path)}:{node.lineno}: what does {node.name} do?"


def doubled_classes() -> Iterator[str]:
    """A class has a name of its own; those that a file keeps to itself (`_Part`) may repeat."""
    places: dict[str, str] = {}
    for path in modules(*PRODUCT):
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                other = places.setdefault(node.name, named(path))
                if other != named(path):
                    yield f"{named(path)}:{node.lineno}: {other} has a class {node.name} too"


def doubled_aliases() -> Iterator[str]:
    """An alias of a type is called like no class, and like another alias only if it means the same.

    Options and arguments of commands are left out: each command has its own help.
    """
    classes = {
        node.name: named(path)
        for path in modules(*PRODUCT)
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
    }
    meanings: dict[str, tuple[str, str]] = {}
    for path in modules(*PRODUCT):
        for name, meaning in _list_aliases(parsed(path)):
            if meaning.startswith(f"{name}(") or meaning.endswith(f".{name}"):
                continue  # a name for a class that was imported
            if name in classes:
                yield f"{named(path)}: {classes[name]} has a class {name}"
            before, meant = meanings.setdefault(name, (named(path), meaning))
            if meant != meaning:
                yield f"{named(path)}: in {before} {name} means {meant}"


def _list_aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Give the types that a module has a name for, each with what it stands for."""
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name, meaning = node.targets[0].id, ast.unparse(node.value)
        is_type = name[0].isupper() and not name.isupper() and "_" not in name
        if (
            is_type
            and not meaning.startswith(("TypeVar(", "ParamSpec("))
            and "typer." not in meaning
        ):
            yield name, meaning


def long_files() -> Iterator[str]:
    """A file holds one idea; one of more than 450 lines often holds two."""
    for path in modules():
        lines = len(path.read_text("utf-8").splitlines())
        if lines > LONGEST:
            yield f"{named(path)}: {lines} lines; does it hold two ideas?"


def backtracking() -> Iterator[str]:
    """Stages and doors match by RE2: `re` would let one line hold a core for years."""
    for path in modules("tasks", "connectors"):
        if "re" in imports(path):
            yield f"{named(path)}: it imports re"


def backtracking_unseen() -> Iterator[str]:
    """Ruff finds an import of `re` in every package of ours, in every form, and not in tests."""
    for folder, forbidden in (*((package, True) for package in PACKAGES), ("tests", False)):
        ended = subprocess.run(
            [sys.executable, "-m", "ruff", "check", "--no-cache", "--stdin-filename",
             f"{folder}/new.py", "--output-format", "concise", "-"],
            cwd=ROOT,
            input="".join(BACKTRACKING),
            capture_output=True,
            check=False,
            text=True,
        )  # fmt: skip
        count = ended.stdout.count("TID251")
        if count != (len(BACKTRACKING) if forbidden else 0):
            yield f"{folder}: ruff finds {count} of {len(BACKTRACKING)} imports of re"


def clocks_and_chance() -> Iterator[str]:
    """Time and randomness are arguments of tasks: the same input gives the same output."""
    for path in modules("tasks"):
        for name in sorted(imports(path) & CHANCE):
            yield f"{named(path)}: it imports {name}"
        if CLOCKS.search(path.read_text("utf-8")):
            yield f"{named(path)}: it asks the clock or chance"


def stray_statements() -> Iterator[str]:
    """Statements of SQL stand in the store alone: who else needs rows calls a repository."""
    for path in modules("tasks", "connectors", "flows", "ui"):
        for node in nodes_of(path):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and STATEMENT.match(text):
                yield f"{named(path)}:{node.lineno}: a statement of SQL"


def loose_dictionaries() -> Iterator[str]:
    """What a dictionary of anything holds, no type says: few stand in the product, for a reason.

    They are JSON, YAML or a schema before it is validated, bodies of requests, rows on their way to
    a file or from one, fields that somebody has changed, arguments of a library that has no types,
    and what a stage keeps for itself between two steps.
    """
    count = sum(len(LOOSE.findall(path.read_text("utf-8"))) for path in modules())
    if count > MOST_LOOSE:
        yield f"{count} dictionaries of anything, {MOST_LOOSE} at most; name a record"


def keyed_reads() -> Iterator[str]:
    """What a SELECT gives is a named row: nothing in the store is read by further string keys."""
    count = sum(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
        for path in modules("data/store")
        for node in nodes_of(path)
    )
    if count > MOST_KEYED:
        yield f"{count} reads by a string key in the store, {MOST_KEYED} at most; name a row"


def silent_tests() -> Iterator[str]:
    """Each test has a docstring of one sentence or more that states the behaviour."""
    for path in modules("tests"):
        if not path.name.startswith("test_"):
            continue
        for node in nodes_of(path):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if node.name.startswith("test_") and not ast.get_docstring(node):
                yield f"{named(path)}: {node.name} does not say what it holds"


def sentence_tables() -> Iterator[str]:
    """Tables of sentences are data files of the tests of the screen and the mind, read by one test.

    A table holds nothing but literals; what is put together by code stays where it is.
    """
    for path in modules("tests/core/screening", "tests/core/mind", "tests/mail/mind"):
        for node in nodes_of(path):
            if isinstance(node, ast.Dict):
                rows = node.values
            elif isinstance(node, ast.List | ast.Tuple | ast.Set):
                rows = node.elts
            else:
                continue
            sentences = [_is_sentence(row) for row in rows]
            if None not in sentences and sum(map(bool, sentences)) > MOST_SENTENCES:
                yield f"{named(path)}:{node.lineno}: {len(rows)} rows belong into a data file"


def _is_sentence(row: ast.expr) -> bool | None:
    """Whether a row of a table holds four words or more; None where it is no literal."""
    parts = row.elts if isinstance(row, ast.Tuple | ast.List) else [row]
    if not all(isinstance(part, ast.Constant) for part in parts):
        return None
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return any(isinstance(text, str) and len(text.split()) > 3 for text in texts)


def undeclared_packages() -> Iterator[str]:
    """What the product imports of others is declared, and what is declared is imported.

    What another package brings along may go with its next version.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {canonical(NAME.match(entry)[0]) for entry in project["dependencies"]}  # type: ignore[index]
    brought_by = packages_distributions()
    ours = {*sys.stdlib_module_names, *PACKAGES}
    imported = {
        name: canonical(brought_by.get(name, [name])[0])
        for path in modules()
        for name in (imports(path) | named_packages(path)) - ours
    }
    for name, package in sorted(imported.items()):
        if package not in declared | {OPTIONAL}:
            yield f"{name} is imported, and {package} is not declared in pyproject.toml"
    for package in sorted(declared - set(imported.values()) - BEHIND):
        yield f"{package} is declared in pyproject.toml, and nothing imports it"


RULES = (
    hidden_names,
    vague_names,
    bare_names,
    deedless_functions,
    doubled_classes,
    doubled_aliases,
    backtracking,
    backtracking_unseen,
    clocks_and_chance,
    stray_statements,
    loose_dictionaries,
    keyed_reads,
    silent_tests,
    sentence_tables,
    undeclared_packages,
)
HINTS = (long_files,)
"""What a reviewer may look at; no fault."""
