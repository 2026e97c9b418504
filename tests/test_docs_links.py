"""What a page or a docstring points at is there: files, headings, pictures, pages of docs/."""

import re
from pathlib import Path

import pytest

from tests.test_docs import PAGES, ROOT


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_links_pictures_and_anchors_lead_somewhere(document: Path) -> None:
    """Every relative link of a page is a file of the repository, every anchor a heading there."""
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        if not path.exists() or (anchor and anchor not in anchors(path)):
            broken.append(target)
    assert broken == []


def anchors(path: Path) -> set[str]:
    """Return the anchors that a page's headings get."""
    headings = re.findall(r"(?m)^#+ (.+)$", path.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_paths_that_are_named_exist(document: Path) -> None:
    """A path in backticks that begins with one of our folders is there."""
    ours = r"`((?:data|tasks|connectors|flows|ui|manifests|tests|docs|benchmarks)/[\w./-]*)`"
    named = re.findall(ours, document.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_docs_named_in_the_code_exist() -> None:
    """A page of docs/, and a section of it, that a comment or docstring names is there."""
    broken = []
    for folder in ("data", "tasks", "connectors", "flows", "ui", "tests"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for name, anchor in re.findall(r"\bdocs/([\w-]+\.md)(?:#([\w-]+))?", text):
                target = ROOT / "docs" / name
                if not target.exists() or (anchor and anchor not in anchors(target)):
                    broken.append(f"{path.relative_to(ROOT)}: docs/{name}#{anchor}")
    assert broken == []
