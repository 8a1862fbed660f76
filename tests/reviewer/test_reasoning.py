"""Reasoning labels: drawn by a seed, given by two people, and the table of the paper that comes of them."""

import json
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from reviewer.models import Reasoning, ReasoningLabel, ReasoningSample
from reviewer.services import reasoning
from tests.annotation.factories import (
    make_answer,
    make_article,
    make_import,
    make_member,
    make_paragraph,
    make_project,
    make_question,
)
from tests.reviewer.factories import CASTLE, make_split
from tests.reviewer.test_review_pages import shown

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

SYNONYMY, SYNTACTIC = Reasoning.SYNONYMY.value, Reasoning.SYNTACTIC.value


@pytest.fixture
def client_of(client, people):
    def as_person(name):
        client.force_login(people[name] if isinstance(name, str) else name)
        return client

    return as_person


def make_articles(project, *counts):
    """Articles of dev with so many answered questions each."""
    source = make_import(project)
    for number, count in enumerate(counts):
        article = make_article(project, split="dev", title=f"Castle {number}")
        paragraph = make_paragraph(article=article, text=f"{CASTLE} {number}")
        for place in range(count):
            question = make_question(paragraph, f"Q{place}?", answer=None, public_id=f"q{number}-{place}")
            make_answer(question, "61 m", imported_from=source, position=0)


def drawn(sample):
    return list(sample.sampled.order_by("position").values_list("question__public_id", flat=True))


def test_the_same_seed_draws_the_same_questions_from_each_article(project):
    make_articles(project, 6, 2)
    first, again, other = (reasoning.draw(project, "dev", 3, seed, None) for seed in (7, 7, 8))
    assert drawn(first) == drawn(again) != drawn(other)
    # Three of six, and both of the two that there are.
    assert [name[:2] for name in drawn(first)] == ["q0", "q0", "q0", "q1", "q1"]
    with pytest.raises(reasoning.NotDrawn, match="No question of test has an answer that counts"):
        reasoning.draw(project, "test", 3, 7, None)


def test_questions_that_nobody_could_answer_are_not_drawn(project):
    make_split(project, "dev", [None], ["61 m"], [])
    assert drawn(reasoning.draw(project, "dev", 4, 1, None)) == ["dev-1"]


def test_rows_are_only_ever_added(project, people):
    make_split(project, "dev", ["61 m"])
    sample = reasoning.draw(project, "dev", 1, 1, None)
    reasoning.label(sample.sampled.get(), people["reviewer"], [SYNONYMY], [])
    for row in (sample, sample.sampled.get(), ReasoningLabel.objects.get()):
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            row.save()


def test_each_question_goes_to_two_people_and_to_none_twice(project, people):
    make_split(project, "dev", ["61 m"], ["1340"])
    sample = reasoning.draw(project, "dev", 2, 1, None)
    first, second = sample.sampled.order_by("position")
    one, two, three = people["reviewer"], people["requester"], make_member(project, "reviewer", "third")
    assert reasoning.next_for(sample, one) == first
    reasoning.label(first, one, [SYNONYMY], [])
    # Whoever comes next begins with what nobody has labelled.
    assert reasoning.next_for(sample, one) == reasoning.next_for(sample, two) == second
    reasoning.label(second, two, [SYNONYMY], [])
    assert (reasoning.next_for(sample, one), reasoning.next_for(sample, two)) == (second, first)
    reasoning.label(first, two, [SYNONYMY], [])
    assert reasoning.next_for(sample, two) is None
    assert reasoning.next_for(sample, three) == second


def test_the_table_counts_shares_and_kappa(project, people):
    make_split(project, "dev", *[["61 m"]] * 5)
    sample = reasoning.draw(project, "dev", 5, 1, None)
    given = [([SYNONYMY], [SYNONYMY]), ([SYNONYMY, SYNTACTIC], [SYNTACTIC]), ([SYNTACTIC], [SYNTACTIC])]
    given.append(([SYNTACTIC], [SYNONYMY]))
    for one, labels in zip(sample.sampled.order_by("position"), given, strict=False):
        for person, codes in zip(("reviewer", "requester"), labels, strict=True):
            reasoning.label(one, people[person], codes, [])
    table = reasoning.table(sample)
    rows = {row.code: row for row in table.rows}
    assert (table.questions, table.labelled, table.twice) == (5, 4, 4)
    # Synonymy: 1 + 1/2 + 0 + 1/2 of four; the two agree on two questions of four, which is what chance brings.
    assert (rows[SYNONYMY].percent, rows[SYNONYMY].kappa) == (50.0, 0.0)
    assert (rows[SYNTACTIC].percent, rows[SYNTACTIC].kappa) == (62.5, 0.5)
    assert (rows["ambiguous"].percent, rows["ambiguous"].kappa_why) == (0.0, "Both gave the same answer throughout.")
    assert rows[SYNONYMY].example.question.public_id == drawn(sample)[0]
    # Said anew, the latest stands.
    reasoning.label(sample.sampled.get(position=3), people["reviewer"], [SYNONYMY], [])
    assert {row.code: row.percent for row in reasoning.table(sample).rows}[SYNONYMY] == 62.5


def test_words_side_by_side_become_one_piece_of_evidence(project, people):
    make_split(project, "dev", ["61 m"])
    one = reasoning.draw(project, "dev", 1, 1, None).sampled.get()
    well = CASTLE.index("The well")
    words = [f"paragraph:{well}-{well + 3}", f"paragraph:{well + 4}-{well + 8}", "paragraph:0-5", "question:0-8"]
    stored = reasoning.label(one, people["reviewer"], [SYNONYMY], words)
    assert stored.evidence == [["question", 0, 8], ["paragraph", 0, 5], ["paragraph", well, well + 8]]
    for wrong in ["paragraph:1-5", "paragraph:0-9999", "title:0-5", "\0"]:
        with pytest.raises(reasoning.NotLabelled, match="none of this question"):
            reasoning.label(one, people["reviewer"], [SYNONYMY], [wrong])


def test_the_example_shows_the_sentences_with_the_marked_words_and_the_answer(client_of, project, people):
    make_split(project, "dev", ["Abbot Ruad"], ["61 m"])
    sample = reasoning.draw(project, "dev", 2, 1, None)
    bare, marked = sample.sampled.order_by("position")
    reasoning.label(bare, people["reviewer"], [SYNONYMY], [])
    castle = ["paragraph:0-5", "paragraph:6-12", "question:0-8"]
    reasoning.label(marked, people["reviewer"], [SYNONYMY], castle)
    page = client_of("viewer").get(reverse("reasoning_sample", args=[project.slug, sample.pk])).content.decode()
    well = "The well is <u>61 m</u> deep and was dug in 1340, the year 1340 being dry."
    # Of two examples the one with words marked; the sentence between is left out where one lies between.
    assert f"<strong>Brann Castle</strong> stands above the Ilve. {well}</p>" in page
    assert "</abbr>: <strong>Question</strong> 1?</p>" in page
    (row,) = (row for row in reasoning.table(sample).report()["rows"] if row["reasoning"] == SYNONYMY)
    assert row["example_evidence"] == "Question | Brann Castle"
    reasoning.label(bare, people["reviewer"], [SYNTACTIC], castle[:1])
    (row,) = (row for row in reasoning.table(sample).report()["rows"] if row["reasoning"] == SYNTACTIC)
    assert row["example_sentence"] == (
        "Brann Castle stands above the Ilve. … Abbot Ruad raised the wall of the castle for the Crown."
    )
    assert row["example_evidence"] == "Brann"


def test_every_label_comes_with_its_words_and_without_names(client_of, project, people):
    make_split(project, "dev", ["61 m"])
    sample = reasoning.draw(project, "dev", 1, 1, None)
    for person, words in (("reviewer", ["paragraph:0-5"]), ("requester", [])):
        reasoning.label(sample.sampled.get(), people[person], [SYNTACTIC, SYNONYMY], words)
    address = reverse("reasoning_labels", args=[project.slug, sample.pk])
    assert client_of("viewer").get(address).json() == [
        {
            "id": "dev-0",
            "question": "Question 0?",
            "labels": [
                {
                    "person": 1,
                    "reasoning": [SYNONYMY, SYNTACTIC],
                    "evidence": [["paragraph", 0, 5, "Brann"]],
                },
                {"person": 2, "reasoning": [SYNONYMY, SYNTACTIC], "evidence": []},
            ],
        }
    ]


def test_nobody_reads_the_others_labels_of_what_waits_for_them(client_of, project, people):
    make_split(project, "dev", ["61 m"])
    sample = reasoning.draw(project, "dev", 1, 1, None)
    address = reverse("reasoning_labels", args=[project.slug, sample.pk])

    def seen_by(person):
        return [label["person"] for label in client_of(person).get(address).json()[0]["labels"]]

    reasoning.label(sample.sampled.get(), people["reviewer"], [SYNTACTIC], [])
    assert (seen_by("reviewer"), seen_by("requester"), seen_by("viewer")) == ([1], [], [1])
    reasoning.label(sample.sampled.get(), people["requester"], [SYNONYMY], [])
    assert seen_by("reviewer") == seen_by("requester") == [1, 2]


def test_a_chinese_example_shows_its_sentence_alone(project, people):
    make_split(project, "dev", ["六十一米"], text="城堡在河上。井深六十一米。墙由院长所建！")
    sample = reasoning.draw(project, "dev", 1, 1, None)
    reasoning.label(sample.sampled.get(), people["reviewer"], [SYNTACTIC], [])
    example = {row.code: row.example for row in reasoning.table(sample).rows}[SYNTACTIC]
    assert example.sentence == "井深六十一米。"


def test_each_character_is_a_word_where_no_blank_parts_them():
    assert [piece.text for piece in reasoning.pieces("二零 08年", "zh")] == ["二", "零", "08", "年"]
    assert [piece.is_answer for piece in reasoning.pieces("a bc d", "en", [(3, 4)])] == [False, True, False]


def test_a_reviewer_draws_labels_and_goes_on(client_of, project):
    make_split(project, "dev", ["61 m"], ["1340"])
    client = client_of("reviewer")
    address = reverse("reasoning", args=[project.slug])
    drawn_at = client.post(address, {"split": "dev", "per_article": 4, "seed": ""})
    sample = ReasoningSample.objects.get()
    assert drawn_at["Location"] == reverse("reasoning_sample", args=[project.slug, sample.pk])
    page = reverse("reasoning_label", args=[project.slug, sample.pk])
    assert "Question 1 of 2" in shown(client.get(page))
    refused = client.post(page, {"place": 1, "evidence": ["paragraph:0-5"]})
    assert refused.status_code == 422
    assert "Choose one category at least" in shown(refused)
    # What was marked is still marked.
    assert 'value="paragraph:0-5" checked' in refused.content.decode()
    kept = client.post(page, {"place": 1, "labels": [SYNONYMY, SYNTACTIC], "evidence": ["paragraph:0-5"]}, follow=True)
    assert "Kept: question 1." in shown(kept)
    assert "Question 2 of 2" in shown(kept)
    client.post(page, {"place": 2, "labels": [SYNTACTIC]})
    assert "nothing left for you to label" in shown(client.get(page))
    text = shown(client.get(reverse("reasoning_sample", args=[project.slug, sample.pk])))
    assert "2 of 2 questions are labelled, 0 of them by two people." in text
    assert "No question has two people's labels yet." in text
    for wrong in ({"per_article": 0}, {"per_article": "x"}, {"split": "all", "per_article": 1}):
        assert client.post(address, {"split": "dev"} | wrong).status_code == 422


@pytest.mark.parametrize(("person", "status"), [("outsider", 404), ("viewer", 403), ("requester", 302)])
def test_viewers_look_and_do_not_label(client_of, project, person, status):
    make_split(project, "dev", ["61 m"])
    sample = reasoning.draw(project, "dev", 1, 1, None)
    client = client_of(person)
    page = reverse("reasoning_label", args=[project.slug, sample.pk])
    assert client.post(page, {"place": 1, "labels": [SYNONYMY]}).status_code == status
    assert (
        client.post(reverse("reasoning", args=[project.slug]), {"split": "dev", "per_article": 1}).status_code == status
    )
    looks = client.get(reverse("reasoning_sample", args=[project.slug, sample.pk])).status_code
    assert looks == (404 if person == "outsider" else 200)


def test_a_sample_of_another_project_is_not_there(client_of, project):
    other = make_project()
    make_split(other, "dev", ["61 m"])
    sample = reasoning.draw(other, "dev", 1, 1, None)
    client = client_of("requester")
    for name in ("reasoning_sample", "reasoning_label", "reasoning_csv", "reasoning_json", "api_reasoning_one"):
        assert client.get(reverse(name, args=[project.slug, sample.pk])).status_code == 404


def test_page_files_and_api_have_the_same_table(client_of, project, people):
    make_split(project, "dev", ["61 m"])
    sample = reasoning.draw(project, "dev", 1, 7, None)
    reasoning.label(sample.sampled.get(), people["reviewer"], [SYNTACTIC], [])
    client = client_of("viewer")
    told = client.get(reverse("api_reasoning_one", args=[project.slug, sample.pk])).json()
    assert told == json.loads(client.get(reverse("reasoning_json", args=[project.slug, sample.pk])).content)
    assert [row["published_percent"] for row in told["rows"]] == [33.3, 9.1, 64.1, 13.6, 6.1]
    table = client.get(reverse("reasoning_csv", args=[project.slug, sample.pk])).content.decode().splitlines()
    assert table[0].startswith("reasoning,description,percent,published_percent,kappa")
    assert ",100.0,64.1,,No question has two people's labels yet.,Question 0?,61 m" in table[3]
    page = shown(client.get(reverse("reasoning_sample", args=[project.slug, sample.pk])))
    assert "Q : Question 0? The well is 61 m deep and was dug in 1340, the year 1340 being dry. 100.0 64.1" in page


def test_the_api_draws_once(client_of, project):
    make_split(project, "dev", ["61 m"])
    client, address, key = client_of("reviewer"), reverse("api_reasoning", args=[project.slug]), str(uuid4())
    sent = {"split": "dev", "per_article": 4, "seed": 11}
    for _time in range(2):
        answer = client.post(address, sent, content_type="application/json", headers={"Idempotency-Key": key})
        assert answer.status_code == 201
    assert [one["seed"] for one in client.get(address).json()] == [11]
    empty = client.post(
        address, sent | {"split": "test"}, content_type="application/json", headers={"Idempotency-Key": str(uuid4())}
    )
    assert (empty.status_code, empty.json()["code"]) == (422, "refused")


def test_the_pages_ask_little_of_the_database(client_of, project, people, django_assert_max_num_queries):
    make_split(project, "dev", *[["61 m"]] * 8)
    sample = reasoning.draw(project, "dev", 8, 1, None)
    for one in sample.sampled.all()[:6]:
        reasoning.label(one, people["requester"], list(Reasoning.values), [])
    client = client_of("reviewer")
    for name in ("reasoning_sample", "reasoning_label"):
        with django_assert_max_num_queries(15):
            assert client.get(reverse(name, args=[project.slug, sample.pk])).status_code == 200
