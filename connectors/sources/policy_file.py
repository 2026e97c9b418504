"""The organization's policy, merged over the built-in default and validated."""

from pathlib import Path

from connectors.sources.reading import TableReading, read_files
from data.manifest_files import read_text
from data.policy_files import merge_policy
from data.tool_names import check_tool_names

POLICY_ID = "policy"


def read_policy_file(folder: Path) -> TableReading:
    """Read `policy.yaml`; the row holds the whole merged policy."""
    return read_files(folder, folder.glob("policy.yaml"), _read_policy)


def _read_policy(path: Path, name: str, reading: TableReading) -> None:
    policy = merge_policy((name, read_text(path)))
    check_tool_names(policy, name)
    reading.add({"id": POLICY_ID, "policy": policy.model_dump(mode="json")}, name)
