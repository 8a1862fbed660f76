"""The documents keep up with the product: targets, commands, settings and links that they name exist."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
# Django's own, and those of the other site.
ELSEWHERE = {
    "create_invitation",
    "create_operator",
    "create_requester",
    "create_study_links",
    "create_workers",
    "order_fault",
    "sync_panels",
    "tick",
}


def named(pattern: str) -> set[tuple[str, str]]:
    """What ``pattern`` finds in the documents, with the document's name."""
    return {
        (document.name, found) for document in DOCUMENTS for found in re.findall(pattern, document.read_text("utf-8"))
    }


def test_there_are_documents():
    assert {"README.md", "CHANGELOG.md", "CONTRIBUTING.md"} <= {document.name for document in DOCUMENTS}


def test_every_target_that_is_named_is_in_the_makefile():
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    shown = r"(?m)(?:^ {4}|`)make ([a-z0-9-]+)"
    assert {(name, target) for name, target in named(shown) if target not in targets} == set()


def test_every_command_that_is_named_is_there():
    commands = set(get_commands()) | ELSEWHERE
    marketplace = {path.stem for path in ROOT.glob("marketplace/**/management/commands/*.py")}
    assert marketplace >= ELSEWHERE
    assert {(name, command) for name, command in named(r"manage\.py ([a-z_]+)") if command not in commands} == set()
    table = re.findall(r"^\| `([a-z_]+)", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE)
    assert table
    assert set(table) <= commands


def test_every_command_of_ours_is_in_the_documents():
    ours = {path.stem for path in ROOT.glob("[a-z]*/**/management/commands/*.py")} - {"__init__", "seed_demo"}
    text = (ROOT / "docs" / "commands.md").read_text()
    assert {command for command in ours if f"`{command}" not in text} == set()


def test_the_settings_in_the_documents_are_those_that_are_read():
    read = set()
    for path in (ROOT / "config" / "settings").glob("*.py"):
        read |= set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', path.read_text()))
        read |= set(re.findall(r'postgres\("([A-Z_]+)"\)', path.read_text()))
    table = (ROOT / "docs" / "production.md").read_text()
    told = {
        name for row in re.findall(r"^\| (`[A-Z_`, ]+`) \|", table, re.MULTILINE) for name in re.findall("[A-Z_]+", row)
    }
    assert read - told - {"MARKETPLACE_TEST_HOOKS"} == set(), "read, and not in docs/production.md"
    assert told - read == set(), "in docs/production.md, and not read"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_link_leads_somewhere(document):
    links = re.findall(r"\]\(([^)#]+)\)", document.read_text("utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (document.parent / link).exists()] == []
