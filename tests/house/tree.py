"""The files of the repository, as its rules look at them."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("data", "tasks", "connectors", "flows", "ui")
README = ROOT / "README.md"
PAGES = (README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))


@cache
def modules(*folders: str) -> tuple[Path, ...]:
    """Return every Python file of these folders, or of all our packages."""
    return tuple(
        path for name in folders or PACKAGES for path in sorted((ROOT / name).rglob("*.py"))
    )


@cache
def tree() -> tuple[Path, ...]:
    """Return every file that belongs to the repository, or would if it were added."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    found = [ROOT / name for name in listed.stdout.split("\0") if name]
    return tuple(path for path in found if path.is_file())


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return every part of the syntax of a Python file; ten rules look at them all."""
    return tuple(ast.walk(parsed(path)))


@cache
def imports(path: Path) -> set[str]:
    """Return the top names of the modules that a file imports."""
    found: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def named_packages(path: Path) -> set[str]:
    """Return the top names of the modules that a file imports by a name in quotes."""
    return {
        str(node.args[-1].value).partition(".")[0]
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.args[-1], ast.Constant)
        and {"import_module", "find_spec"} & {ast.unparse(part) for part in (node.func, *node.args)}
    }


def named(path: Path) -> str:
    """Return a path as a reader knows it."""
    return str(path.relative_to(ROOT))
