"""Excluding and including paragraphs by hand, with the trail and the way back; and mending texts."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from annotation.models import Article, Paragraph, ParagraphChoice, PassageAct, Question, TextRepair
from annotation.services import split_drawing
from annotation.services.choosing import NotChosen, choose, repair_text, undo
from annotation.services.imports import import_file
from annotation.services.passages import Narrowing
from annotation.services.tasks import Place, create_tasks, plan_answering, plan_writing
from tests.annotation.factories import MILL, make_article, make_paragraph, make_project, make_question, make_task
from tests.annotation.files import lines

pytestmark = pytest.mark.django_db

ALL = Narrowing()


@pytest.fixture
def owls(project):
    """Two paragraphs about owls and one about a mill."""
    owl = make_article(project, title="Owl", split="train")
    for text in ("Owls hunt at dusk.", "Owls sleep by day."):
        make_paragraph(article=owl, text=text)
    make_paragraph(article=make_article(project, title="Mill", split="dev"), text=MILL)
    return project


@pytest.fixture
def requester(client, people):
    client.force_login(people["requester"])
    return client


def excluded(project):
    return sorted(project.paragraphs.filter(is_excluded=True).values_list("text", flat=True))


def planned(project):
    plan = plan_writing(project, Place(), 5, Paragraph.objects.none().values("pk"))
    return sorted(Paragraph.objects.get(pk=pk).text for task in plan for pk, _questions in task.paragraphs)


def address(name, project, *more):
    return reverse(f"admin:annotation_{name}", args=[project.pk, *more])


def test_what_is_excluded_is_not_planned_until_it_is_included_again(owls, people):
    act = choose(owls, Narrowing(title="owl"), "exclude", "Boring.", people["requester"])
    assert (act.paragraphs, act.articles, act.decided_by) == (2, 1, people["requester"])
    assert planned(owls) == [MILL]
    choose(owls, Narrowing(words="dusk"), "include", "Not that one.", None)
    assert planned(owls) == sorted([MILL, "Owls hunt at dusk."])


def test_questions_on_excluded_paragraphs_are_not_asked_again(owls):
    question = make_question(owls.paragraphs.get(text=MILL))

    def asked():
        plan = plan_answering(owls, Place(), 2, 5, Question.objects.none().values("pk"))
        return [pk for task in plan for _paragraph, questions in task.paragraphs for pk in questions]

    assert asked() == [question.pk]
    choose(owls, Narrowing(words="1742"), "exclude", "Wrong.", None)
    assert asked() == []


def test_no_task_takes_an_excluded_paragraph_even_past_the_plan(owls):
    plan = plan_writing(owls, Place(), 5, Paragraph.objects.none().values("pk"))
    choose(owls, Narrowing(words="dusk"), "exclude", "Late.", None)
    with pytest.raises(IntegrityError, match="is excluded and enters no task"), transaction.atomic():
        create_tasks(owls, plan)
    assert not owls.tasks.exists()


def test_a_task_keeps_a_paragraph_that_is_excluded_later(owls, requester):
    paragraph = owls.paragraphs.get(text=MILL)
    task = make_task(paragraph)
    page = requester.get(address("exclude", owls), {"words": "1742"}).content.decode()
    assert "1 are in tasks already" in page
    choose(owls, Narrowing(words="1742"), "exclude", "Wrong.", None)
    assert list(task.task_paragraphs.values_list("paragraph", flat=True)) == [paragraph.pk]


def test_undoing_takes_back_what_nobody_decided_about_since(owls):
    first = choose(owls, Narrowing(title="Owl"), "exclude", "Boring.", None)
    choose(owls, Narrowing(words="dusk"), "include", "But this one.", None)
    choose(owls, Narrowing(words="dusk"), "exclude", "After all not.", None)
    back = undo(first, "A mistake.", None)
    assert (back.paragraphs, excluded(owls)) == (1, ["Owls hunt at dusk."])
    with pytest.raises(NotChosen, match="undone before"):
        undo(first, "Again.", None)
    undo(back, "No, right at first.", None)
    assert len(excluded(owls)) == 2


def test_undoing_what_no_longer_stands_is_refused(owls):
    act = choose(owls, ALL, "exclude", "All.", None)
    choose(owls, ALL, "include", "None.", None)
    with pytest.raises(NotChosen, match="Nothing of this stands"):
        undo(act, "x", None)


@pytest.mark.parametrize(
    ("narrowing", "kind", "why", "expected", "says"),
    [
        (ALL, "exclude", " \n", None, "Say why"),
        (ALL, "include", "x", None, "No paragraph would change"),
        (Narrowing(words="no such words"), "exclude", "x", None, "No paragraph would change"),
        (ALL, "exclude", "x", 2, "Paragraphs a moment ago: 2; now: 3"),
        (ALL, "split", "x", None, "excluded or included"),
    ],
)
def test_a_choice_that_cannot_be_made_changes_nothing(owls, narrowing, kind, why, expected, says):
    with pytest.raises(NotChosen, match=says):
        choose(owls, narrowing, kind, why, None, expected)
    assert (excluded(owls), PassageAct.objects.count()) == ([], 0)


@pytest.mark.parametrize("table", [PassageAct, ParagraphChoice, TextRepair])
def test_the_trail_is_only_ever_added_to(owls, table):
    choose(owls, Narrowing(words="dusk"), "exclude", "x", None)
    repair_text(owls.paragraphs.get(text=MILL), MILL + "!", "x", None)
    for change in ("DELETE FROM {}", "UPDATE {} SET id = 999"):
        with (
            pytest.raises(IntegrityError, match="only ever added"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(change.format(table._meta.db_table))


def test_a_requester_excludes_by_filter_and_undoes_it(owls, requester, people):
    seen = requester.get(address("exclude", owls), {"title": "Owl"})
    assert seen.context["preview"].paragraphs == 2
    asked = address("exclude", owls) + "?title=Owl"
    done = requester.post(asked, {"why": "Boring.", "expected": "2"}, follow=True)
    page = done.content.decode()
    assert "Excluded: 2 paragraphs of 1 article." in page
    assert "“Boring.”" in page
    assert "in articles like “Owl”" in page
    act = PassageAct.objects.get()
    assert (act.asked, act.decided_by) == ({"title": "Owl"}, people["requester"])
    requester.post(address("undo_choice", owls, act.pk), {"why": "A mistake."})
    assert excluded(owls) == []


def test_the_trail_says_in_words_what_a_decision_was_about(owls, requester):
    article = owls.paragraphs.get(text=MILL).article
    choose(owls, Narrowing(article=article.pk), "exclude", "Once.", None)
    split_drawing.apply(owls, split_drawing.SplitRequest(80, 10, 10, seed=0), "Again.", None)
    page = requester.get(address("passage_decisions", owls)).content.decode()
    assert f"in the article “{article.title}”" in page
    assert "seed 0" in page
    assert "balanced by" not in page


def test_paragraphs_marked_one_by_one_are_excluded(owls, requester):
    ids = list(owls.paragraphs.order_by("pk").values_list("pk", flat=True))[:2]
    asked = f"{address('exclude', owls)}?ids={ids[0]}&ids={ids[1]}"
    assert requester.post(asked, {"why": "x", "expected": "2"}).status_code == 302
    assert list(owls.paragraphs.filter(is_excluded=True).order_by("pk").values_list("pk", flat=True)) == ids


def test_a_preview_that_is_out_of_date_is_refused_with_the_new_number(owls, requester):
    answer = requester.post(address("exclude", owls), {"why": "x", "expected": "2"})
    assert answer.status_code == 422
    assert "now: 3" in answer.content.decode()
    assert excluded(owls) == []


@pytest.mark.parametrize("query", ["least=a", "split=no", "ids=1x", "ids=" + "9" * 40, "words=%00", "state=huh"])
def test_a_filter_that_cannot_be_read_never_means_everything(owls, requester, query):
    asked = f"{address('exclude', owls)}?{query}"
    assert requester.get(asked).status_code == 422
    assert requester.post(asked, {"why": "x"}).status_code == 422
    assert excluded(owls) == []


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("reviewer", 403), ("outsider", 404)])
def test_others_look_and_do_not_choose(owls, client, people, role, status):
    act = choose(owls, Narrowing(words="dusk"), "exclude", "x", None)
    client.force_login(people[role])
    assert client.post(address("exclude", owls), {"why": "x"}).status_code == status
    assert client.post(address("undo_choice", owls, act.pk), {"why": "x"}).status_code == status
    assert excluded(owls) == ["Owls hunt at dusk."]


def test_rows_of_another_project_are_neither_shown_nor_chosen(owls, requester):
    other = make_paragraph(make_project())
    assert requester.get(address("passage", owls, other.pk)).status_code == 404
    assert requester.get(address("passage_shown", owls, other.pk)).status_code == 404
    assert requester.post(f"{address('exclude', owls)}?ids={other.pk}", {"why": "x"}).status_code == 422
    assert not Paragraph.objects.get(pk=other.pk).is_excluded


def test_a_paragraph_is_shown_as_its_workers_will_see_it(owls, requester):
    paragraph = owls.paragraphs.get(text=MILL)
    Article.objects.filter(pk=paragraph.article_id).update(source_url="https://example.org/mill", licence="CC0")
    page = requester.get(address("passage", owls, paragraph.pk)).content.decode()
    assert "https://example.org/mill" in page
    shown = requester.get(address("passage_shown", owls, paragraph.pk))
    assert "This is a preview" in shown.content.decode()
    assert MILL in shown.content.decode()
    assert "frame-ancestors 'self'" in shown["Content-Security-Policy"]


def test_a_mended_text_is_kept_with_what_it_was(owls, requester, people):
    paragraph = owls.paragraphs.get(text=MILL)
    change = reverse("admin:annotation_paragraph_change", args=[paragraph.pk])
    without = requester.post(change, {"text": MILL + "!"})
    assert list(without.context["adminform"].form.errors) == ["why"]
    requester.post(change, {"text": MILL + "!", "why": "It ends with a shout."})
    row = TextRepair.objects.get()
    assert (row.old_text, row.new_text, row.repaired_by) == (MILL, MILL + "!", people["requester"])
    assert "It ends with a shout." in requester.get(address("passage_decisions", owls)).content.decode()
    assert "It ends with a shout." in requester.get(address("passage", owls, paragraph.pk)).content.decode()


@pytest.mark.parametrize("relied_on", [make_question, make_task])
def test_a_text_that_somebody_relies_on_is_not_mended(owls, relied_on):
    paragraph = owls.paragraphs.get(text=MILL)
    relied_on(paragraph)
    with pytest.raises(NotChosen, match="The text was not changed"):
        repair_text(paragraph, MILL + "!", "x", None)
    with pytest.raises(IntegrityError, match="its text cannot change"), transaction.atomic():
        Paragraph.objects.filter(pk=paragraph.pk).update(text="x")


def more_about_owls(owls, *texts, user=None):
    data = lines({"title": "Owl", "paragraphs": list(texts)}, {"title": "Elk", "paragraphs": [f"{texts[0]} Elks."]})
    return import_file(owls, data, file_name="more.jsonl", imported_by=user)


def test_what_is_imported_later_for_an_excluded_article_is_excluded_too(owls, people):
    article = Narrowing(article=owls.articles.get(title="Owl").pk)
    act = choose(owls, article, "exclude", "No owls.", people["requester"])
    record = more_about_owls(owls, "Owls are birds.", user=people["superuser"])
    assert "Owls are birds." in excluded(owls)
    assert record.report["paragraphs"]["excluded"] == 1, "the elk is in"
    held = PassageAct.objects.latest("pk")
    assert (held.decided_by, f"decision {act.pk}: No owls." in held.why) == (people["superuser"], True)
    undo(held, "This one is fine.", None)
    assert more_about_owls(owls, "Owls see well.").report["paragraphs"]["excluded"] == 1, "the article is still out"


@pytest.mark.parametrize("lifted", ["undone", "included", "included with all", "undone and redone"])
def test_an_article_that_is_in_again_takes_what_is_imported_later(owls, lifted):
    article = Narrowing(article=owls.articles.get(title="Owl").pk)
    act = choose(owls, article, "exclude", "No owls.", None)
    if lifted.startswith("undone"):
        back = undo(act, "Owls.", None)
        if lifted.endswith("redone"):
            undo(back, "No owls.", None)
    else:
        choose(owls, article if lifted == "included" else ALL, "include", "Owls.", None)
    more_about_owls(owls, "Owls are birds.")
    assert ("Owls are birds." in excluded(owls)) == (lifted == "undone and redone")


def test_an_article_whose_paragraphs_went_one_by_one_is_not_excluded_itself(owls):
    choose(owls, Narrowing(words="Owls"), "exclude", "Boring.", None)
    more_about_owls(owls, "Owls are birds.")
    assert "Owls are birds." not in excluded(owls)


def test_a_mended_text_does_not_come_in_a_second_time(owls):
    paragraph = owls.paragraphs.get(text="Owls sleep by day.")
    repair_text(paragraph, "Owls sleep by daylight.", "Clearer.", None)
    report = more_about_owls(owls, "Owls sleep by day.").report
    assert report["paragraphs"]["dropped"]["mended"]["count"] == 1
    assert not owls.paragraphs.filter(text="Owls sleep by day.").exists()
    repair_text(Paragraph.objects.get(pk=paragraph.pk), "Owls sleep by day.", "It was fine.", None)
    assert "already_there" in more_about_owls(owls, "Owls sleep by day.").report["paragraphs"]["dropped"]
