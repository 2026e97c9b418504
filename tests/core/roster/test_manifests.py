"""The built-in manifests, and an organization's own ones over them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from data.errors import ManifestError, NotFoundError
from data.manifest import (
    BUILT_IN,
    SCHEMAS,
    Manifest,
    load_roster,
    read_manifest,
    schema_text,
)
from data.manifest_files import parse_yaml
from data.records.core.manifest_format import AgentManifest, ExternalExecution, ModelTier
from data.records.core.understanding import Category, IntentKind, Priority, Sentiment
from data.records.mail.planning import ActionType
from flows.mail.thinking.line_agents import LINE_AGENTS, PLANNER

MINIMAL = """\
version: "1"
kind: agent
name: Heron
slug: heron
description: Waits.
accent_colour: "#0A0B0C"
execution:
  type: platform
  system_prompt: Stand still.
capability_level: tools_only
metadata: {origin: custom, author: Marsh, version: 3.1.4}
"""

EVERYTHING = """\
version: "1"
kind: agent
name: "Heron"
slug: "heron"
description: "Waits, then strikes"
accent_colour: "#0A0B0C"
avatar_url: null
execution:
  type: external
  endpoint_url: "https://heron.example/execute"
  health_check_url: "https://heron.example/health"
  auth_config: {type: hmac, secret_name: heron_secret}
  timeout_seconds: 30
  supports_deferred: true
capability_level: experimental
model_preference: {provider: anthropic, model: some-model}
channels: [web, email, telegram, api]
tools: [knowledge_retrieval, web_search]
suggestions: [Is the pike biting?]
suggestions_in: {de: ["Beißt der Hecht?"]}
delegates:
  - agent_ref: guard
    purpose: Looks out
    restrictions: {max_cost_per_delegation: 5.00, allowed_tools: [web_search]}
  - agent_ref: drafter
    purpose: Writes
knowledge:
  library_assignments: [{library_ref: reeds, priority: 2}]
  seed_facts: [{subject: Depth, value: "30 cm", category: preference}]
configuration_schema:
  - {field: pond, label: "Which pond?", type: text, required: true}
  - {field: fish, label: "Which fish?", type: select, options: [Carp, Roach], required: true}
configuration: {pond: the mill pond}
listening: {team: proactive}
memory: {assembly: index, extraction: "reeds@2", recent_messages: 6}
views:
  - type: kanban
    label: Board
    icon: Kanban
    data_source: {entity: task, scope: inherit}
    mapping:
      columns: {field: status, values: [todo, in_progress, done]}
      card_title: title
      card_fields: [priority, due_date]
    mutations: {drag_column: {field: status}}
  - {type: custom, label: Pipe, component_url: "https://heron.example/v.js", sandbox: true,
     permissions: ["read:contacts"]}
governance:
  trust_level: standard
  budget_limit_per_interaction: 2.00
  requires_approval_for: [external_email, financial_transaction]
metadata:
  origin: installed
  author: Marsh
  version: "1.0.0"
  source_url: null
  tags: [bird]
  parent_template: null
"""


def written(root: Path, text: str, name: str = "heron") -> Path:
    """Write a manifest into a roster folder."""
    path = root / "agents" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_every_agent_of_the_line_is_built_in_with_a_prompt() -> None:
    """The built-in roster is complete and valid."""
    roster = load_roster()
    assert {m.agent.slug for m in roster.manifests} == set(LINE_AGENTS)
    for manifest in roster.manifests:
        assert len(manifest.prompt) > 500
        assert manifest.agent.metadata.origin == "built_in"
        looks_up = manifest.agent.slug == PLANNER.slug
        assert bool(manifest.agent.tools) is looks_up
        assert Path(manifest.file).stem == manifest.agent.slug


def test_plan_and_draft_alone_ask_for_the_capable_model() -> None:
    """Tiers are those of the pipeline's table of models."""
    roster = load_roster()
    capable = {slug for slug in LINE_AGENTS if roster.tier(slug) is ModelTier.CAPABLE}
    assert capable == {"planner", "drafter"}


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("classifier", [*Category, *Priority, *Sentiment, *IntentKind]),
        ("planner", [*ActionType]),
        ("guard", ["direct_injection", "delimiter_attack", "encoding_evasion", "none"]),
    ],
)
def test_prompts_name_every_member_of_the_closed_sets(slug: str, words: list[str]) -> None:
    """A word that the code knows and the prompt does not would never be answered."""
    prompt = load_roster().of(slug).prompt
    missing = [str(word) for word in words if f"`{word}`" not in prompt]
    assert missing == []


def test_prompts_are_constant_and_call_mail_data() -> None:
    """No prompt has a hole to fill, and each says that strangers wrote the mail."""
    for manifest in load_roster().manifests:
        assert "{" not in manifest.prompt
        assert "stranger" in manifest.prompt
        assert "given form and write nothing else" in " ".join(manifest.prompt.split())


def test_yaml_files_name_their_schema_in_the_first_line() -> None:
    """Editors find the schema, and the file it names exists."""
    for path in [*BUILT_IN.glob("agents/*.yaml"), *BUILT_IN.glob("policies/*.yaml")]:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith("# yaml-language-server: $schema=")
        assert (path.parent / first.partition("=")[2]).is_file()


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_committed_schemas_are_current(name: str) -> None:
    """`python -m data.manifest write` has been run since the models changed."""
    committed = (BUILT_IN / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")
    assert committed == schema_text(name)


def test_the_module_prints_a_schema() -> None:
    """The command line gives what is committed."""
    command = [sys.executable, "-m", "data.manifest", "policy"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True)
    assert printed.stdout == schema_text("policy")


def test_the_whole_format_is_understood(tmp_path: Path) -> None:
    """An external agent with every section of the format is read as written."""
    agent = read_manifest(written(tmp_path, EVERYTHING), tmp_path).agent
    assert isinstance(agent.execution, ExternalExecution)
    assert agent.execution.auth_config is not None
    assert agent.execution.auth_config.secret_name == "heron_secret"
    assert agent.delegates[0].restrictions.max_cost_per_delegation == 5
    assert agent.configuration_schema[1].options == ("Carp", "Roach")
    assert agent.views[0].mapping["card_title"] == "title"
    values = parse_yaml(EVERYTHING, "heron.yaml")
    assert set(values) == set(AgentManifest.model_fields)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("description: Waits.", "descripton: Waits.", "'descripton'.*'description'"),
        ("  type: platform", "  type: platform\n  sytem_prompt_ref: x", "'execution.platform.syt"),
        ("slug: heron", "slug: Heron!", "key 'slug'"),
        ("slug: heron\n", "", "key 'slug' is missing; add it"),
        ("3.1.4", "3.1", "key 'metadata.version'"),
        ("  system_prompt: Stand still.", "  system_prompt: ''", "prompt is empty"),
        ("  system_prompt: Stand still.", "  system_prompt_ref: ../no.md", "no.md' does not exist"),
        (
            "  system_prompt: Stand still.",
            "  system_prompt: a\n  system_prompt_ref: b",
            "exactly one of",
        ),
        (
            "  type: platform\n  system_prompt: Stand still.",
            "  type: external\n  endpoint_url: http://far.example/x",
            "https://",
        ),
    ],
)
def test_a_wrong_manifest_is_refused_with_a_sentence(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    """The error names the file, the key, and what to do."""
    assert old in MINIMAL
    path = written(tmp_path, MINIMAL.replace(old, new))
    with pytest.raises(ManifestError, match=sentence) as caught:
        read_manifest(path, tmp_path)
    assert "\n" not in str(caught.value)
    if "no.md" not in sentence:
        assert "heron.yaml" in str(caught.value)


def test_a_prompt_outside_the_roster_is_refused(tmp_path: Path) -> None:
    """A manifest cannot make a prompt of a file elsewhere."""
    (tmp_path / "secret.md").write_text("the key", encoding="utf-8")
    root = tmp_path / "roster"
    reference = "  system_prompt_ref: ../../secret.md"
    path = written(root, MINIMAL.replace("  system_prompt: Stand still.", reference))
    with pytest.raises(ManifestError, match="leaves"):
        read_manifest(path, root)


def test_an_organizations_file_wins_and_changes_the_version(tmp_path: Path) -> None:
    """The same slug takes the built-in one's place; the others stay."""
    plain = load_roster()
    written(tmp_path, MINIMAL.replace("slug: heron", "slug: drafter"))
    roster = load_roster(override=tmp_path)
    drafter = roster.of("drafter")
    assert drafter.agent.name == "Heron"
    assert drafter.prompt == "Stand still.\n"
    assert roster.of("guard") == plain.of("guard")
    assert roster.version != plain.version
    assert len(roster.manifests) == len(plain.manifests)


def test_an_organization_can_add_an_agent(tmp_path: Path) -> None:
    """A slug that is not built in joins the roster and overrides nothing."""
    written(tmp_path, EVERYTHING)
    roster = load_roster(override=tmp_path)
    assert roster.of("heron").prompt == ""
    assert len(roster.manifests) == len(load_roster().manifests) + 1
    with pytest.raises(NotFoundError, match=r"'stork'.*heron"):
        roster.of("stork")


def test_a_folder_that_does_not_exist_overrides_nothing(tmp_path: Path) -> None:
    """An organization need not have files of its own."""
    assert load_roster(override=tmp_path / "none").version == load_roster().version


def test_version_ids_follow_the_content(tmp_path: Path) -> None:
    """The version id holds still while nothing changes, and moves with prompt and manifest."""

    def version(text: str) -> str:
        manifest: Manifest = read_manifest(written(tmp_path, text), tmp_path)
        return manifest.version_id

    first = version(MINIMAL)
    assert first.startswith("3.1.4+")
    assert version(MINIMAL + "# a remark\n") == first
    assert version(MINIMAL.replace("still", "firm")) != first
    assert version(MINIMAL.replace("Waits", "Strikes")) != first


def test_a_slug_twice_in_one_folder_is_refused(tmp_path: Path) -> None:
    """Two files cannot both be the same agent."""
    written(tmp_path, MINIMAL, "one")
    written(tmp_path, MINIMAL, "two")
    with pytest.raises(ManifestError, match=r"'heron' is taken by .*one.yaml"):
        load_roster(override=tmp_path)


def test_a_delegate_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """A misspelled delegate is found when the roster is loaded."""
    written(tmp_path, EVERYTHING.replace("agent_ref: guard", "agent_ref: gard"))
    with pytest.raises(ManifestError, match=r"'gard'.*guard"):
        load_roster(override=tmp_path)


def test_a_roster_without_an_agent_of_the_line_says_which(tmp_path: Path) -> None:
    """The core knows no list of agents: one that is missing is named when it is asked."""
    shutil.copytree(BUILT_IN, tmp_path / "manifests")
    (tmp_path / "manifests" / "agents" / "guard.yaml").unlink()
    with pytest.raises(NotFoundError, match=r"'guard'.*classifier"):
        load_roster(tmp_path / "manifests").tier("guard")


PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGNw6UgDIgYIBQAg/gTJYWp"
    "eAAAAAABJRU5ErkJggg=="
)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("data:image/svg+xml;base64,PHN2Zy8+", "the types are image/png"),
        ("data:text/html;base64,PGI+", "the types are image/png"),
        ("data:image/png,iVBORw0KGgo=", "write a picture as data:image/png;base64"),
        ("data:image/png;base64,%%%", "no Base64"),
        ("data:image/png;base64,PHN2Zy8+", "not what it says it is"),
        (PICTURE.replace("png", "jpeg"), "not what it says it is"),
        (PICTURE + "A" * 66_000, "at most 65,536 characters"),
        ("http://heron.example/heron.png", "https://"),
    ],
)
def test_a_picture_stands_in_the_manifest_or_is_refused(
    tmp_path: Path, address: str, sentence: str
) -> None:
    """A small PNG, JPEG, GIF or WebP whose content is what it says; no drawing with scripts."""
    whole = EVERYTHING.replace("avatar_url: null", f'avatar_url: "{PICTURE}"')
    assert read_manifest(written(tmp_path, whole), tmp_path).agent.avatar_url == PICTURE
    with pytest.raises(ManifestError) as refused:
        read_manifest(written(tmp_path, whole.replace(PICTURE, address)), tmp_path)
    assert sentence in str(refused.value)


def test_external_addresses_may_be_on_this_machine() -> None:
    """Plain http is allowed to loopback alone."""
    adapter = TypeAdapter(ExternalExecution)
    local = adapter.validate_python({"type": "external", "endpoint_url": "http://127.0.0.1:9/x"})
    assert local.endpoint_url == "http://127.0.0.1:9/x"


def test_a_fault_is_named_with_its_line(tmp_path: Path) -> None:
    """Of a key that is not known, and of one within a list; the file is named besides."""
    for broken, line in (
        (EVERYTHING + "nonsense: 1\n", EVERYTHING.count("\n") + 1),
        (EVERYTHING.replace("slug:", "slugg:", 1), EVERYTHING.split("slug:")[0].count("\n") + 1),
    ):
        with pytest.raises(ManifestError, match=rf"is not known.*\(line {line}\b") as refused:
            read_manifest(written(tmp_path, broken), tmp_path)
        assert ".yaml" in str(refused.value)
