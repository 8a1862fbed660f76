"""The pages of reviewers and requesters in German, to browsers that ask for it."""

import ast
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils.translation import override

from reviewer.services import looks, reasoning
from reviewer.services.numbers import localized
from reviewer.templatetags.review_words import thousands
from tests.annotation.passage_sentences import of_python, of_template
from tests.annotation.test_translations import german, untranslated
from tests.reviewer.factories import make_split, make_written
from tests.reviewer.test_review_pages import page, shown, sign_in

__all__ = ["german", "sign_in"]

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
# Their sentences are shown on the pages: what is wrong with a file, and why a figure is undefined.
SCORING = ("agreement_figures", "human", "json_files", "kappa", "release_diff", "release_files", "squad_files")


# Words that each of these pages would have in English.
ENGLISH = (" the ", " and ", " of ", " reviewer", " question ", " is ", "Nothing", "Waiting")


def test_every_page_of_the_review_speaks_german(sign_in, project, people):
    assignment = make_written(project)
    look = looks.ask(assignment, people["reviewer"])
    client = sign_in("requester")
    addresses = {
        page(project, assignment): "Was dafür und dagegen spricht",
        reverse("dashboard", args=[project.slug]): "Von Absätzen zu veröffentlichten Fragen",
        reverse("review_queue", args=[project.slug]): "Abgeschickte Arbeit",
        reverse("review_many", args=[project.slug]) + "?all=1&decision=reject": "1 Arbeit ablehnen?",
        reverse("review_rules", args=[project.slug]): "Zeichen und Regeln",
        reverse("gold_questions", args=[project.slug]): "Goldfrage hinzufügen",
        reverse("second_looks", args=[project.slug]): "Sind sich die Prüfenden einig?",
        reverse("second_look", args=[project.slug, look.pk]): "Meinen zweiten Blick notieren",
    }
    for address, words in addresses.items():
        content = client.get(address, headers={"accept-language": "de"}).content.decode()
        assert words in content, address
        assert 'lang="de"' in content
        assert words not in client.get(address, headers={"accept-language": "en"}).content.decode()
    main = shown(client.get(reverse("review_rules", args=[project.slug]), headers={"accept-language": "de"}))
    assert [word for word in ENGLISH if word in main.split("Zeichen und Regeln", 1)[1]] == []


def test_every_sentence_of_the_reviewers_pages_is_there_with_its_places(german):
    modules = [
        path for path in (ROOT / "reviewer").rglob("*.py") if not {"migrations", "commands"} & set(path.parts)
    ] + [ROOT / "scoring" / f"{name}.py" for name in SCORING]
    found = set()
    for module in modules:
        found |= of_python(ast.parse(module.read_text()))
    for template in (ROOT / "reviewer" / "templates").rglob("*.html"):
        found |= of_template(template.read_text())
    assert {"Measures", "Make the release", "{path} is missing.", ("question scored", "questions scored")} <= found
    assert untranslated(german, found) == []


def test_nothing_of_the_german_sentences_is_a_guess_of_a_tool():
    written = (ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")
    assert "#, fuzzy" not in written
    assert 'msgstr ""\n\n' not in written


@pytest.mark.parametrize("is_empty", [True, False])
def test_agreement_releases_and_reasoning_speak_german(sign_in, project, settings, tmp_path, is_empty):
    settings.RELEASES_DIR = tmp_path
    project.name = "Castles"
    project.save()
    names = ["agreement", "agreement_questions", "agreement_more", "reasoning", "release", "releases"]
    addresses = [reverse(name, args=[project.slug]) for name in names]
    if not is_empty:
        make_split(
            project, "dev", ["61 m", "1340", "61 m"], ["1340", "1340", "61 m"], text="Der Brunnen: 61 m, von 1340."
        )
        make_split(project, "train", [None], text="Die Mühle steht am Wasser.")
        project.articles.update(licence="CC BY 4.0")  # or the manifest warns, in English as all of it
        sample = reasoning.draw(project, "dev", 1, 7, None)
        call_command("release", project.slug, out=tmp_path / "out", stdout=StringIO())
        addresses += [reverse(name, args=[project.slug, sample.pk]) for name in ("reasoning_sample", "reasoning_label")]
        addresses += [reverse(f"release_version{what}", args=[project.slug, 1]) for what in ("", "_check")]
    client = sign_in("requester")
    for address in addresses:
        page = client.get(address, headers={"accept-language": "de"})
        assert 'lang="de"' in page.content.decode()
        assert [word for word in ENGLISH if word in shown(page)] == [], address


def test_numbers_are_written_as_in_german(sign_in, project):
    make_split(project, "dev", ["61 m", "1340", "61 m"], ["1340", "1340", "1340"], text="Der Brunnen: 61 m, von 1340.")
    client = sign_in("requester")
    address = reverse("agreement", args=[project.slug])
    assert "50,000 EM, %" in shown(client.get(address, headers={"accept-language": "de"}))
    assert "50.000 EM, %" in shown(client.get(address, headers={"accept-language": "en"}))
    figures = client.get(reverse("agreement_csv", args=[project.slug]), headers={"accept-language": "de"})
    assert "dev,all_others,50.0," in figures.content.decode()
    with override("de"):
        assert (thousands(1559), localized("1,234.5")) == ("1.559", "1.234,5")
