"""Rules about what is written beside the code: locks, places, sources, pages and their links."""

import ast
import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house.tree import PACKAGES, PAGES, README, ROOT, modules, named, parsed, tree

LOCKS = ("requirements.lock", "requirements-dev.lock")
PLACES = re.compile(rb"(?<![\w./-])/(?:home|root|work|Users)/[A-Za-z0-9._-]+")
NOTES = "|".join(
    (
        "RELIA" + "BILITY",
        "PROD" + "UCT (?:section|lesson)",
        "FAC" + "TS:",
        "DES" + "IGN:? (?:section|[0-9])",
        "source " + "document",
        r"\(" + r"(?:[RL]\d+(?:, | to )?)+\)",
    )
)
CITED = re.compile(rf"\b(?:{NOTES})|{NOTES}")
TEXTS = (".py", ".md", ".sql", ".yaml", ".toml", ".json")
LONGEST_README = 120
QUESTIONS = re.compile(r"(?:What|Which|Whether|Whom|Whose|How|Who|Where|When|Why)\b")
PATHS = re.compile(
    r"`((?:data|tasks|connectors|flows|ui|manifests|tests|docs|benchmarks)/[\w./-]*)`"
)

FILES = re.compile(
    r"(?<![\w./-])((?:data|tasks|connectors|flows|ui|manifests|tests|docs|benchmarks|training)"
    r"/[\w./-]+\.(?:py|sql|md|yaml))\b"
)


def open_locks() -> Iterator[str]:
    """Lock files work with whatever index a machine uses, and take nothing never seen before."""
    for name in LOCKS:
        text = (ROOT / name).read_text(encoding="utf-8")
        for address in re.findall(r"https?://\S+|--(?:extra-)?index-url", text):
            yield f"{name}: it names {address}"
        pins = [block for block in re.split(r"(?m)^(?=[a-zA-Z0-9])", text)[1:] if "==" in block]
        if len(pins) < 50:
            yield f"{name}: it pins {len(pins)} packages only"
        for block in pins:
            if "--hash=sha256:" not in block:
                yield f"{name}: {block.split()[0]} has no hash"


def places_of_one_machine() -> Iterator[str]:
    """No file holds an absolute path of somebody's home or working folder."""
    for path in tree():
        content = path.read_bytes()
        if b"\0" not in content and (hit := PLACES.search(content)):
            yield f"{named(path)}: {hit.group().decode()}"


def sources_nobody_can_open() -> Iterator[str]:
    """Sources are RFCs, public documents and pages of docs/, never notes that are not here."""
    for path in tree():
        if path.suffix not in TEXTS:
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if CITED.search(line):
                yield f"{named(path)}:{number}: {line.strip()[:80]}"


def rules_off_without_a_reason() -> Iterator[str]:
    """A lint rule that is switched off in pyproject.toml says why on the same line."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ruff = text.partition("[tool.ruff.lint]")[2].partition("\n[tool.mypy]")[0]
    lines = ruff.partition("ignore = [")[2].splitlines()
    for line in lines:
        if re.search(r'"[A-Z]{1,5}\d+"', line) and "# " not in line:
            yield f"pyproject.toml: {line.strip()} has no reason beside it"


def long_readme() -> Iterator[str]:
    """The README fits into 120 lines; what is longer belongs to docs/."""
    lines = len(README.read_text(encoding="utf-8").splitlines())
    if lines > LONGEST_README:
        yield f"README.md: {lines} lines"


def unsorted_glossary() -> Iterator[str]:
    """A word is found where one looks for it, and means one thing, in each table by itself."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for part in text.split("\n## "):
        rows = [line.split("|")[1].strip() for line in part.splitlines() if line.startswith("|")]
        words = [word for word in rows if not set(word) <= set("-: ")][1:]
        for before, after in itertools.pairwise(words):
            if before >= after:
                yield f"docs/glossary.md: {after!r} stands behind {before!r}"


@cache
def anchors(path: Path) -> frozenset[str]:
    """Return the anchors that a page's headings get."""
    headings = re.findall(r"(?m)^#+ (.+)$", path.read_text(encoding="utf-8"))
    return frozenset(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings)


def links_into_nothing() -> Iterator[str]:
    """Every relative link of a page is a file of the repository, every anchor a heading there."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            if not path.exists() or (anchor and anchor not in anchors(path)):
                yield f"{named(page)}: the link {target} leads nowhere"


def paths_of_nothing() -> Iterator[str]:
    """A path that begins with one of our folders is there: on a page, in a comment, in a string."""
    for page in PAGES:
        for name in PATHS.findall(page.read_text(encoding="utf-8")):
            if not (ROOT / name).exists():
                yield f"{named(page)}: {name} does not exist"
    for file in tree():
        if file.suffix in {".py", ".sql"} and file.is_relative_to(ROOT):
            for name in FILES.findall(file.read_text(encoding="utf-8")):
                if not (ROOT / name).exists():
                    yield f"{named(file)}: {name} does not exist"


def pages_of_nothing() -> Iterator[str]:
    """A page of docs/, and a section of it, that a comment or docstring names is there."""
    for path in modules(*PACKAGES, "tests"):
        text = path.read_text(encoding="utf-8")
        for name, anchor in re.findall(r"\bdocs/([\w-]+\.md)(?:#([\w-]+))?", text):
            target = ROOT / "docs" / name
            if not target.exists() or (anchor and anchor not in anchors(target)):
                yield f"{named(path)}: docs/{name}#{anchor} does not exist"


def docstrings_without_the_noun() -> Iterator[str]:
    """A module's docstring names its thing first, and not after What, Which or How."""
    for path in modules(*PACKAGES):
        if word := QUESTIONS.match(ast.get_docstring(parsed(path)) or ""):
            yield f"{named(path)}: it begins with {word[0]}; say the noun first"


RULES = (
    open_locks,
    places_of_one_machine,
    sources_nobody_can_open,
    rules_off_without_a_reason,
    long_readme,
    unsorted_glossary,
    links_into_nothing,
    paths_of_nothing,
    pages_of_nothing,
    docstrings_without_the_noun,
)
