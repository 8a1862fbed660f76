"""Every sentence that a worker may read on the work page or from its API, as it stands in the code."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = [
    "annotation/page_words.py",
    "annotation/advice_words.py",
    "annotation/note_words.py",
    "annotation/refusals.py",
    "annotation/api.py",
    "annotation/tokens.py",
    "annotation/services/work.py",
    "annotation/services/work_body.py",
    "annotation/services/gathering.py",
    "annotation/services/quizzes.py",
    "scoring/spans.py",
]
# Of these the lazy ones alone are for workers; the others are for those who write quizzes.
LAZY_MODULES = ["annotation/services/quiz_notation.py"]
TEMPLATES = "annotation/templates/annotation"
TRANSLATE = re.compile(r'{%\s*translate\s+"([^"]*)"')


def sentences() -> set[str | tuple[str, str]]:
    """The sentences; a pair where there is one for the singular and one for the plural."""
    found: set[str | tuple[str, str]] = set()
    for module in (*MODULES, *LAZY_MODULES):
        for node in ast.walk(ast.parse((ROOT / module).read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if node.func.id == ("gettext_lazy" if module in LAZY_MODULES else "_") and texts:
                found.add(texts[0])
            elif node.func.id == "ngettext":
                found.add((texts[0], texts[1]))
    for template in (ROOT / TEMPLATES).glob("*.html"):
        found.update(TRANSLATE.findall(template.read_text()))
    return found
