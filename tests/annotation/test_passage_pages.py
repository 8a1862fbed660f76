"""The pages about a project's passages, over HTTP: what they show, and whom."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation import tasks
from annotation.models import Paragraph
from annotation.services import key_words
from annotation.services.imports import import_file
from tests.annotation.factories import MILL, make_article, make_paragraph, make_project, make_question
from tests.annotation.files import lines

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def member(client, people):
    client.force_login(people["viewer"])
    return client


def address(name, project, *more):
    return reverse(f"admin:annotation_{name}", args=[project.pk, *more])


def listed(client, project, **asked):
    """The articles and positions of the paragraphs on the list's page."""
    response = client.get(address("passage_list", project), asked)
    assert response.status_code == 200
    return [(str(entry["row"].article), entry["row"].position) for entry in response.context["paragraphs"]]


def wiki(title="Owl", **more):
    paragraphs = [{"text": MILL, "section": ["History", "The roof"]}, MILL.replace("1742", "1743")]
    return {"title": title, "paragraphs": paragraphs} | more


SOURCE = {
    "source_url": "https://en.wikipedia.org/w/index.php?oldid=7",
    "licence": "CC BY-SA 4.0",
    "language": "en",
    "revision": "7",
    "attribution": "“Owl”, Wikipedia, its authors",
    "topic": "Birds",
}


def test_where_a_passage_is_from_is_kept(project):
    import_file(project, lines(wiki(**SOURCE)), file_name="owl.jsonl")
    article = project.articles.get()
    assert {name: getattr(article, name) for name in SOURCE} == SOURCE
    first, second = article.paragraphs.order_by("position")
    assert (first.section, second.section) == (["History", "The roof"], [])
    assert (first.revision, first.source_revision, first.characters) == ("", "7", len(MILL))


@pytest.mark.parametrize(
    "heading", ['A "quoted" heading', r"back\slash", "{braces}, commas", "two\nlines\tand tabs", ""]
)
def test_headings_are_kept_to_the_character(project, heading):
    import_file(
        project, lines({"title": "Owl", "paragraphs": [{"text": MILL, "section": [heading, "x"]}]}), file_name="a"
    )
    assert Paragraph.objects.get().section == [heading, "x"]


def test_what_an_article_gains_at_a_later_version_says_which(project):
    import_file(project, lines(wiki(**SOURCE)), file_name="owl.jsonl")
    later = wiki(**SOURCE | {"revision": "9"})
    later["paragraphs"].append("A new one. " + MILL)
    record = import_file(project, lines(later), file_name="owl.jsonl")
    assert record.report["paragraphs"]["added"] == 1
    assert [row.source_revision for row in Paragraph.objects.order_by("position")] == ["7", "7", "9"]


def test_taking_the_same_file_again_changes_nothing(project):
    data = lines(wiki(**SOURCE))
    import_file(project, data, file_name="owl.jsonl")
    before = list(Paragraph.objects.order_by("pk").values())
    import_file(project, data, file_name="owl.jsonl")
    assert list(Paragraph.objects.order_by("pk").values()) == before
    assert project.articles.count() == 1


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"revision": "r" * 201}, "articles[0].revision"),
        ({"attribution": "a" * 2001}, "articles[0].attribution"),
        ({"language": "e" * 36}, "articles[0].language"),
        ({"paragraphs": [{"text": MILL, "section": ["s" * 2001]}]}, "articles[0].paragraphs[0].section"),
    ],
)
def test_a_source_that_does_not_fit_is_refused_by_name(client, people, project, more, place, tmp_path):
    client.force_login(people["requester"])
    file = tmp_path / "owl.jsonl"
    file.write_bytes(lines(wiki(**more)))
    with file.open("rb") as opened:
        page = client.post(address("project_import", project), {"file": opened}).content.decode()
    assert f"{place} is longer than" in page
    assert not project.articles.exists()


def test_the_first_page_counts_and_draws(member, project):
    import_file(project, lines(wiki(), wiki("Brann", paragraphs=["x" * 40, " "])), file_name="owl.jsonl")
    page = member.get(address("passages", project)).content.decode()
    assert "3 paragraphs may be asked about; excluded: 0. Lengths: 40 to" in page
    assert page.count('class="length-bar"') > 1
    assert "?section=History" in page
    assert "<strong>1</strong> blank" in page


def test_a_project_without_passages_offers_the_step_that_brings_them(client, people, project):
    for name, offered in [("requester", True), ("viewer", False)]:
        client.force_login(people[name])
        page = client.get(address("passages", project)).content.decode()
        assert "No passages yet" in page
        assert ("Import passages" in page) is offered


@pytest.fixture
def owls(project):
    """Three paragraphs of two articles, one of them excluded by hand in the rows, and one with a question."""
    owl = make_article(project, title="Barn_owl", split="train", key_words=["feathers"])
    mill = make_article(project, title="Mill", split="dev")
    first = make_paragraph(article=owl, text="Short.")
    Paragraph.objects.filter(pk=first.pk).update(section=["History"], is_excluded=True)
    make_paragraph(article=owl, text="Owls hunt at dusk. " * 10)
    make_question(make_paragraph(article=mill, text=MILL), answer="1742")
    return project


FIRST, SECOND, THIRD = ("Barn owl", 0), ("Barn owl", 1), ("Mill", 0)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, [FIRST, SECOND, THIRD]),
        ({"order": "longest"}, [SECOND, THIRD, FIRST]),
        ({"order": "newest"}, [THIRD, SECOND, FIRST]),
        ({"words": "DUSK"}, [SECOND]),
        ({"title": "barn owl"}, [FIRST, SECOND]),
        ({"section": "History"}, [FIRST]),
        ({"key_word": "Feathers"}, [FIRST, SECOND]),
        ({"split": "dev"}, [THIRD]),
        ({"least": "7", "most": "100"}, [THIRD]),
        ({"state": "excluded"}, [FIRST]),
        ({"state": "in"}, [SECOND, THIRD]),
        ({"state": "with_questions"}, [THIRD]),
        ({"state": "untouched"}, [FIRST, SECOND]),
        ({"state": "in_tasks"}, []),
        ({"least": "a", "order": "sideways", "split": "no", "article": "9" * 40, "page": "-1"}, [FIRST, SECOND, THIRD]),
        ({"page": "2"}, []),
    ],
)
def test_paragraphs_are_found_by_address(member, owls, asked, expected):
    assert listed(member, owls, **asked) == expected


@pytest.mark.parametrize(
    ("words", "found"), [("owl", ["Barn_owl"]), ("barn o", ["Barn_owl"]), ("feathers", ["Barn_owl"])]
)
def test_articles_are_found_by_title_or_key_word(member, owls, words, found):
    response = member.get(address("passage_articles", owls), {"words": words})
    assert [article.title for article in response.context["articles"]] == found


def test_other_projects_stay_out_of_the_lists(member, owls):
    make_paragraph(make_project())
    assert len(listed(member, owls)) == 3


def test_a_list_asks_as_much_of_the_database_for_many_as_for_few(member, owls, django_assert_max_num_queries):
    article = owls.articles.first()
    for number in range(60):
        make_paragraph(article=article, text=f"{MILL} {number}")
    with django_assert_max_num_queries(8) as seen:
        response = member.get(address("passage_list", owls))
    assert not [query for query in seen.captured_queries if "COUNT(" in query["sql"]]
    assert response.context["leaf"]["after"] == 2
    assert len(listed(member, owls, page="2")) == 13


@pytest.mark.parametrize("value", ["\0", "a" * 500, "1e9", "٣"])
@pytest.mark.parametrize(
    "field", ["words", "title", "section", "key_word", "least", "article", "page", "order", "state"]
)
def test_no_address_breaks_a_list(member, owls, field, value):
    assert member.get(address("passage_list", owls), {field: value}).status_code == 200
    assert member.get(address("passage_articles", owls), {field: value}).status_code == 200


CURATED = {
    "articles": {"read": 3, "kept": 2, "dropped": {"redirect": {"count": 1, "examples": [{"title": "Owls"}]}}},
    "paragraphs": {
        "read": 9,
        "kept": 2,
        "dropped": {
            "near_duplicate": {"count": 7, "examples": [{"title": "Elk", "detail": "0.93", "text": "The elk"}]}
        },
    },
}


def test_what_a_curation_left_out_is_shown_with_examples(client, people, project, tmp_path):
    client.force_login(people["requester"])
    passages, report = tmp_path / "owl.jsonl", tmp_path / "owl.report.json"
    passages.write_bytes(lines(wiki()))
    report.write_text(json.dumps(CURATED))
    with passages.open("rb") as file, report.open("rb") as beside:
        client.post(address("project_import", project), {"file": file, "report": beside})
    assert project.imports.get().curation == CURATED
    page = client.get(address("passages", project)).content.decode()
    assert "<strong>7</strong> paragraphs: nearly the same as another" in page
    assert "Elk (0.93): “The elk”" in page
    assert "<strong>1</strong> articles: a redirect" in page


def test_the_command_finds_the_report_beside_the_file(project, tmp_path):
    (tmp_path / "owl.jsonl").write_bytes(lines(wiki()))
    (tmp_path / "owl.report.json").write_text(json.dumps(CURATED))
    call_command("import_articles", project.slug, str(tmp_path / "owl.jsonl"))
    assert project.imports.get().curation == CURATED


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"articles": {"read": 1}}', "not json", '{"articles": 1, "paragraphs": 2}']
)
def test_a_report_that_is_none_is_refused_and_nothing_is_stored(client, people, project, tmp_path, text):
    client.force_login(people["requester"])
    passages, report = tmp_path / "owl.jsonl", tmp_path / "owl.report.json"
    passages.write_bytes(lines(wiki()))
    report.write_text(text)
    with passages.open("rb") as file, report.open("rb") as beside:
        answer = client.post(address("project_import", project), {"file": file, "report": beside})
    assert answer.context["form"].errors["report"]
    with pytest.raises(CommandError, match=r"owl\.report\.json: "):
        call_command("import_articles", project.slug, str(passages))
    assert not project.imports.exists()


def test_key_words_tell_an_article_from_the_others(member, project):
    texts = {"Owl": "The owl hunts. The owl sleeps.", "Mill": "The mill grinds. The mill rests. The old mill."}
    for title, text in texts.items():
        make_paragraph(article=make_article(project, title=title), text=text)
    assert key_words.undescribed() == [project]
    tasks.describe(project.pk)
    assert key_words.undescribed() == []
    assert dict(project.articles.values_list("title", "key_words")) == {"Owl": ["owl"], "Mill": ["mill"]}
    assert "?key_word=mill" in member.get(address("passages", project)).content.decode()
    # A new article changes what is rare, and makes them worked out anew.
    make_paragraph(article=make_article(project, title="Windmill"), text="A mill in the wind, a mill by the wind.")
    assert key_words.undescribed() == [project]
    tasks.describe(project.pk)
    assert project.articles.get(title="Windmill").key_words == ["wind", "mill"]


def test_an_unspaced_language_gets_no_key_words(project):
    project.language = "zh-Hant"
    project.save()
    make_paragraph(project, text="貓頭鷹在黃昏狩獵。貓頭鷹在白天睡覺。")
    tasks.describe(project.pk)
    assert project.articles.get().key_words == []


def test_topics_that_files_name_are_counted_shown_and_narrowed_by(member, project):
    articles = [wiki(topic="Birds"), {"title": "Mill", "paragraphs": [f"{MILL} Again."]}]
    import_file(project, lines(*articles), file_name="a.jsonl")
    page = member.get(address("passages", project))
    assert [(topic.name, topic.count) for topic in page.context["stated_topics"]] == [("Birds", 1)]
    assert listed(member, project, topic="Birds") == [("Owl", 0), ("Owl", 1)]
    found = member.get(address("passage_articles", project), {"words": "birds"}).context["articles"]
    assert [article.title for article in found] == ["Owl"]
