"""Splits are drawn by article with a seed, shown before, and frozen by the first launch."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Article, PassageAct
from annotation.services import split_drawing
from annotation.services.choosing import choose
from annotation.services.passages import Narrowing
from annotation.services.split_drawing import DrawnArticle, NotDrawn, SplitRequest, apply, draw, preview
from annotation.services.topics import topics_of
from tests.annotation.factories import make_article, make_paragraph, make_task

pytestmark = pytest.mark.slow

EIGHTY = SplitRequest(80, 10, 10, seed=3)
sizes = st.lists(st.integers(0, 40), max_size=60)


def articles(paragraphs):
    return [DrawnArticle(pk, f"Article {pk}", "", held, held * 700) for pk, held in enumerate(paragraphs)]


@given(sizes, st.integers(0, 1000), st.sampled_from(["", "length"]), st.randoms())
def test_the_same_articles_and_seed_give_the_same_splits_in_any_order(paragraphs, seed, stratify, random):
    asked, held = SplitRequest(70, 20, 10, seed, stratify), articles(paragraphs)
    shuffled = random.sample(held, len(held))
    assert draw(shuffled, asked) == draw(held, asked)


@given(sizes, st.integers(0, 1000), st.sampled_from(["", "length"]))
def test_each_split_is_at_most_one_article_from_its_share(paragraphs, seed, stratify):
    asked = SplitRequest(70, 20, 10, seed, stratify)
    held = [article for article in articles(paragraphs) if article.paragraphs]
    drawn = list(draw(held, asked).values())
    for split, percent in asked.percents.items():
        assert abs(drawn.count(split) - percent * len(held) / 100) <= 1


@given(st.permutations(range(1, 41)), st.integers(0, 1000))
def test_balanced_by_length_every_quarter_of_the_articles_has_its_share_of_each_split(paragraphs, seed):
    asked = SplitRequest(50, 25, 25, seed, "length")
    held = articles(paragraphs)
    drawn = draw(held, asked)
    by_length = sorted(held, key=lambda article: article.characters)
    for start in range(0, 40, 10):
        splits = [drawn[article.pk] for article in by_length[start : start + 10]]
        for split, percent in asked.percents.items():
            assert abs(splits.count(split) - percent / 10) <= 2


@given(st.lists(st.sampled_from(["", "owls", "mills", "tarns"]), max_size=60), st.integers(0, 1000))
def test_balanced_by_topic_every_topic_has_its_share_of_each_split(about, seed):
    asked = SplitRequest(50, 25, 25, seed, "topic")
    held = [DrawnArticle(pk, f"Article {pk}", "", 1, 700, topic) for pk, topic in enumerate(about)]
    drawn = draw(held, asked)
    assert draw(held[::-1], asked) == drawn
    for topic in set(about):
        splits = [drawn[article.pk] for article in held if article.topic == topic]
        for split, percent in asked.percents.items():
            assert abs(splits.count(split) - percent * len(splits) / 100) <= 2


def test_a_topic_is_what_the_source_says_else_the_key_word_most_shared():
    words = {1: ["roof", "owl"], 2: ["owl"], 3: ["owl", "roof"], 4: ["roof", "owl"], 5: ["tarn"], 6: []}
    stated = {1: "Birds", 2: "", 3: "", 4: "", 5: "", 6: ""}
    assert topics_of(stated, words) == {1: "Birds", 2: "owl", 3: "owl", 4: "owl", 5: "", 6: ""}


@pytest.fixture
def ten(project):
    """Ten articles of two paragraphs each, all in train."""
    for number in range(10):
        article = make_article(project, title=f"Owl {number}", split="train")
        make_paragraph(article=article)
        make_paragraph(article=article)
    return project


def splits(project):
    return dict(project.articles.values_list("title", "split"))


def test_what_is_shown_before_is_what_is_drawn(ten, people):
    project = ten
    shown = {size.name: (size.articles, size.paragraphs, size.moved) for size in preview(project, EIGHTY)}
    assert shown == {"train": (8, 16, 0), "dev": (1, 2, 1), "test": (1, 2, 1)}
    assert set(splits(project).values()) == {"train"}
    act = apply(project, EIGHTY, "As in the paper.", people["requester"])
    drawn = list(splits(project).values())
    assert {split: drawn.count(split) for split in shown} == {"train": 8, "dev": 1, "test": 1}
    assert (act.asked["seed"], act.asked["articles"]["dev"], act.decided_by) == (3, 1, people["requester"])
    project.refresh_from_db()
    assert (project.split_seed, project.dev_percent) == (3, 10)
    assert [size.moved for size in preview(project, EIGHTY)] == [0, 0, 0]


def test_excluded_paragraphs_are_not_counted_and_their_articles_take_no_place(ten):
    choose(ten, Narrowing(title="Owl 1"), "exclude", "x", None)
    shown = preview(ten, SplitRequest(100, 0, 0, seed=0))
    assert (shown[0].articles, shown[0].paragraphs) == (10, 18)


def test_questions_are_expected_as_the_project_asks_for_them(ten):
    ten.writers_per_paragraph, ten.min_questions, ten.max_questions = 2, 1, 5
    first = preview(ten, SplitRequest(100, 0, 0, seed=0))[0]
    assert (first.fewest_questions, first.most_questions) == (40, 200)


def test_the_first_launch_freezes_the_splits_and_says_so(ten, client, people):
    make_task(kind="quiz")
    apply(ten, EIGHTY, "First.", None)
    make_task(ten.paragraphs.first())
    before = splits(ten)
    with pytest.raises(NotDrawn, match="The splits are frozen"):
        apply(ten, SplitRequest(80, 10, 10, seed=4), "Again.", None)
    article = ten.articles.filter(split="train").first()
    with pytest.raises(IntegrityError, match="its split cannot change"), transaction.atomic():
        Article.objects.filter(pk=article.pk).update(split="test")
    client.force_login(people["requester"])
    page = client.get(reverse("admin:annotation_split", args=[ten.pk])).content.decode()
    assert "The splits are frozen" in page
    assert 'name="apply"' not in page
    assert splits(ten) == before


def test_articles_that_come_in_after_the_launch_are_still_drawn(ten):
    make_task(ten.paragraphs.first())
    late = make_article(ten)
    Article.objects.filter(pk=late.pk).update(split="dev")
    assert Article.objects.get(pk=late.pk).split == "dev"


@pytest.mark.parametrize(
    ("asked", "why", "says"),
    [
        (SplitRequest(80, 10, 5, 0), "x", "add up to a hundred"),
        (SplitRequest(110, -10, 0, 0), "x", "add up to a hundred"),
        (SplitRequest(80, 10, 10, -1), "x", "A seed is"),
        (SplitRequest(80, 10, 10, 0, "colour"), "x", "balanced by length"),
        (EIGHTY, "", "Say why"),
    ],
)
def test_a_draw_that_makes_no_sense_is_refused(ten, asked, why, says):
    with pytest.raises(NotDrawn, match=says):
        apply(ten, asked, why, None)
    assert not PassageAct.objects.exists()


def test_a_requester_looks_and_draws(ten, client, people):
    client.force_login(people["requester"])
    address = reverse("admin:annotation_split", args=[ten.pk])
    typed = {"train_percent": 60, "dev_percent": 20, "test_percent": 20, "seed": 7, "stratify": "length"}
    shown = client.post(address, typed)
    assert [size.articles for size in shown.context["sizes"]] == [6, 2, 2]
    assert set(splits(ten).values()) == {"train"}
    refused = client.post(address, typed | {"apply": "1"})
    assert (refused.status_code, "Say why" in refused.content.decode()) == (422, True)
    assert client.post(address, typed | {"apply": "1", "why": "Even."}).status_code == 302
    assert sorted(splits(ten).values()).count("dev") == 2


@pytest.mark.parametrize(
    ("field", "value"), [("seed", "x"), ("seed", "-1"), ("train_percent", "1e9"), ("stratify", "x")]
)
def test_no_address_breaks_the_page(ten, client, people, field, value):
    client.force_login(people["requester"])
    address = reverse("admin:annotation_split", args=[ten.pk])
    assert client.get(address, {field: value}).status_code == 200
    assert client.post(address, {field: value, "apply": "1"}).status_code == 422


def test_topics_are_balanced_as_files_name_them_once_key_words_are_known(ten, client, people):
    asked = SplitRequest(50, 50, 0, 1, "topic")
    with pytest.raises(NotDrawn, match="being worked out"):
        preview(ten, asked)
    for number, article in enumerate(ten.articles.order_by("pk")):
        article.topic, article.key_words = ("Birds" if number < 4 else ""), ["owl"]
        article.save()
    groups = split_drawing.groups(ten, asked)
    assert [(group.topic, group.articles, group.by_split) for group in groups] == [
        ("owl", 6, {"train": 3, "dev": 3, "test": 0}),
        ("Birds", 4, {"train": 2, "dev": 2, "test": 0}),
    ]
    client.force_login(people["requester"])
    shares = {"train_percent": 50, "dev_percent": 50, "test_percent": 0, "seed": 1, "stratify": "topic"}
    page = client.get(reverse("admin:annotation_split", args=[ten.pk]), shares).content.decode()
    assert page.index(">owl<") < page.index(">Birds<")
    apply(ten, asked, "Even.", None)
    assert ten.articles.filter(topic="Birds", split="dev").count() == 2
