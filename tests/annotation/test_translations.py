"""The worker's page in German: whole, with the same places to fill in, and picked by the address."""

import gettext
import re
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils.translation import override

from annotation.page_words import page_words
from tests.annotation import passage_sentences, work
from tests.annotation.factories import make_member, make_offer, make_paragraph, make_project, make_task
from tests.annotation.worker_sentences import sentences

LOCALE = Path(__file__).parents[2] / "locale"
PLACES = re.compile(r"\{\w+(?:![rs])?\}|%\(\w+\)s|%s")


@pytest.fixture(scope="module")
def german():
    return gettext.translation("django", LOCALE, ["de"])


def test_every_sentence_for_workers_is_there_with_its_places(german):
    wrong = []
    for sentence in sentences():
        singular = sentence if isinstance(sentence, str) else sentence[0]
        key = sentence if isinstance(sentence, str) else (singular, 0)
        translated = german._catalog.get(key)
        if translated is None or sorted(PLACES.findall(singular)) != sorted(PLACES.findall(translated)):
            wrong.append(singular)
    assert wrong == []


def untranslated(german, sentences):
    """Those of ``sentences`` that are not in ``german``, or with other places to fill in."""
    wrong = []
    for sentence in sentences:
        forms = [sentence] if isinstance(sentence, str) else list(sentence)
        keys = [sentence] if isinstance(sentence, str) else [(forms[0], 0), (forms[0], 1)]
        for key, form in zip(keys, forms, strict=True):
            translated = german._catalog.get(key)
            if translated is None or sorted(PLACES.findall(form)) != sorted(PLACES.findall(translated)):
                wrong.append(sentence)
    return wrong


def test_every_sentence_of_the_pages_about_passages_is_there_with_its_places(german):
    found = passage_sentences.sentences()
    assert {"Curate a source", "Exclude paragraphs", ("%s paragraph", "%s paragraphs")} <= found
    assert untranslated(german, found) == []


def test_the_compiled_file_is_made_of_the_readable_one(german):
    written = (LOCALE / "de" / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")
    readable = {
        line.split(" ", 1)[1].strip('"').replace('\\"', '"')
        for line in written.splitlines()
        if line.startswith("msgstr") and line != 'msgstr ""'
    }
    assert readable == {text for key, text in german._catalog.items() if key}


@pytest.mark.django_db
def test_the_address_picks_the_language_of_the_page_and_of_its_api():
    offer = make_offer(make_task(make_paragraph()))
    page = work.frame(offer, lang="de-AT")
    assert '<html lang="de" dir="ltr">' in page.content.decode()
    assert "Nächster Absatz" in page.content.decode()
    data = work.data_of(page)
    reply = work.finish(data, [work.paragraph(data["paragraphs"][0]["id"])])
    assert reply.json()["errors"][0]["message"] == "Schreiben Sie mindestens 1 Frage zu diesem Absatz."
    assert "Next paragraph" in work.frame(offer, lang="fr").content.decode()


@pytest.mark.django_db
def test_the_pages_about_passages_are_in_the_language_of_the_browser(client):
    project = make_project()
    make_paragraph(project)
    client.force_login(make_member(project, "requester"))
    for name, german, english in (
        ("passages", "1 Absatz darf befragt werden", "1 paragraph may be asked about"),
        ("split", "Was gezogen würde", "What would be drawn"),
        ("curation_new", "Weitere Regeln", "More rules"),
        ("exclude", "1 Absatz ausschließen", "Exclude 1 paragraph"),
        ("project_import", "Auch Fragen und Antworten übernehmen", "Take questions and answers too"),
    ):
        address = reverse(f"admin:annotation_{name}", args=[project.pk])
        page = client.get(address, headers={"Accept-Language": "de-AT,en;q=0.5"})
        assert german in page.content.decode(), name
        assert (page["Content-Language"], "Accept-Language" in page["Vary"]) == ("de", True)
        assert english in client.get(address, headers={"Accept-Language": "fr"}).content.decode()
    page = client.post(
        reverse("admin:annotation_exclude", args=[project.pk]), {"why": " "}, headers={"Accept-Language": "de"}
    )
    assert "Dieses Feld ist zwingend erforderlich." in page.content.decode()


def test_the_scripts_get_every_sentence_in_both_languages():
    with override("de"):
        german = page_words()
    with override("en"):
        english = page_words()
    assert english.keys() == german.keys()
    assert {name for name in english if english[name] == german[name]} == {"seconds", "minutes"}
