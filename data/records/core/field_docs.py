"""The sentences below the fields of a class, read from its source when somebody asks for them.

Pydantic would read them while each class is made, and looks for its source through every module
that is loaded: a sixth of the time that a process needs to begin. Only schemas show them.
"""

import ast
import inspect
import itertools
import sys
from functools import lru_cache
from types import MappingProxyType


def field_docs(owner: type) -> MappingProxyType[str, str]:
    """Return the docstring of each attribute that a class annotates itself, by its name."""
    return _docs_of_module(owner.__module__).get(owner.__qualname__, _NONE)


_NONE: MappingProxyType[str, str] = MappingProxyType({})


@lru_cache(maxsize=256)
def _docs_of_module(module: str) -> dict[str, MappingProxyType[str, str]]:
    """Return the docstrings of attributes by class; none where a module has no source."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}
    docs: dict[str, MappingProxyType[str, str]] = {}
    _collect(tree, "", docs)
    return docs


def _collect(scope: ast.AST, path: str, docs: dict[str, MappingProxyType[str, str]]) -> None:
    """Add those of the classes within a module, a class or a function."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.ClassDef):
            docs[path + node.name] = MappingProxyType(_docs_of_body(node.body))
            _collect(node, f"{path}{node.name}.", docs)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            _collect(node, f"{path}{node.name}.<locals>.", docs)
        else:
            _collect(node, path, docs)


def _docs_of_body(body: list[ast.stmt]) -> dict[str, str]:
    """Return the text that follows each annotated attribute at once."""
    docs: dict[str, str] = {}
    for field, following in itertools.pairwise(body):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            text = following.value.value
            if isinstance(text, str):
                docs[field.target.id] = inspect.cleandoc(text)
    return docs
