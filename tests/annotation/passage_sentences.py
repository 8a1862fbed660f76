"""Every sentence of the pages about passages, as it stands in the code: all that ``in_visitors_language`` shows."""

import ast
import re
from pathlib import Path

from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[2]
MODULES = [
    "annotation/apps.py",
    "annotation/choice_pages.py",
    "annotation/curation_forms.py",
    "annotation/curation_pages.py",
    "annotation/models/curations.py",
    "annotation/models/passages.py",
    "annotation/navigation.py",
    "annotation/passage_forms.py",
    "annotation/passage_pages.py",
    "annotation/permissions.py",
    "annotation/project_pages.py",
    "annotation/split_pages.py",
    "annotation/services/choosing.py",
    "annotation/services/curating.py",
    "annotation/services/curation_files.py",
    "annotation/services/curation_reports.py",
    "annotation/services/import_reports.py",
    "annotation/services/passage_plot.py",
    "annotation/services/split_drawing.py",
    "annotation/services/standing_exclusions.py",
]
FORMS = {"annotation/forms.py": "ImportForm"}
TEMPLATES = "annotation/templates/admin/annotation"
PAGES = ("passage*.html", "curation*.html", "import.html", "field.html", "form_errors.html", "page.html")
CALLS = re.compile(r"\b(n?gettext)\((.*?)\) ", re.DOTALL)


def sentences() -> set[str | tuple[str, str]]:
    """The sentences; a pair where there is one for the singular and one for the plural."""
    found: set[str | tuple[str, str]] = set()
    for module in MODULES:
        found |= of_python(ast.parse((ROOT / module).read_text()))
    for module, name in FORMS.items():
        tree = ast.parse((ROOT / module).read_text())
        found |= of_python(next(node for node in tree.body if getattr(node, "name", "") == name))
    for pattern in PAGES:
        for template in (ROOT / TEMPLATES).glob(pattern):
            found |= of_template(template.read_text())
    return found


def of_python(tree: ast.AST) -> set[str | tuple[str, str]]:
    """The sentences of a module or class."""
    found: set[str | tuple[str, str]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if node.func.id in ("_", "gettext", "gettext_lazy", "gettext_noop") and texts:
                found.add(texts[0])
            elif node.func.id in ("ngettext", "ngettext_lazy"):
                found.add((texts[0], texts[1]))
    return found


def of_template(source: str) -> set[str | tuple[str, str]]:
    """The sentences of a template's text."""
    found: set[str | tuple[str, str]] = set()
    for name, arguments in CALLS.findall(templatize(source)):
        texts = ast.literal_eval(f"({arguments.removesuffix('count').rstrip(' ,')},)")
        found.add(texts[0] if name == "gettext" else (texts[0], texts[1]))
    return found
