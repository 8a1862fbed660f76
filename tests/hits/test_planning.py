"""What a batch would be and cost, before a cent moves."""

from decimal import Decimal

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Article, Membership, Paragraph, Verdict
from annotation.services.tasks import even_runs
from hits import endpoints, fees
from hits.models import Batch, LedgerEntry
from hits.services import launching, planning
from hits.services.planning import NotLaunchable
from tests.annotation.factories import (
    NOON,
    make_article,
    make_assignment,
    make_member,
    make_paragraph,
    make_project,
    make_question,
    make_user,
)

from .conftest import answering, launch, writing


@pytest.mark.parametrize(
    ("cents", "assignments", "fee", "total"),
    [(10, 9, 2, 108), (10, 10, 4, 140), (2, 3, 1, 9), (1, 1, 1, 2), (1, 12, 1, 24), (13, 3, 3, 48), (25, 12, 10, 420),
     (7, 5, 1, 40), (100, 1, 20, 120)],
)  # fmt: skip
def test_fees_to_the_cent(cents, assignments, fee, total):
    reward = Decimal(cents) / 100
    found = fees.FeeSchedule().fee_usd(reward, assignments)
    assert (found * 100, assignments * (reward + found) * 100) == (fee, total)


def test_forty_hits_of_three_assignments_at_twelve_cents():
    fee = fees.FeeSchedule().fee_usd(Decimal("0.12"), 3)
    assert 40 * 3 * (Decimal("0.12") + fee) == Decimal("16.80")


@given(st.decimals("0.01", 100, places=2), st.integers(1, 100_000))
def test_a_reward_is_whole_cents_and_never_below_the_rate(rate, seconds):
    reward = fees.reward_usd(rate, seconds)
    assert reward == reward.quantize(Decimal("0.01"))
    assert rate * seconds / 3600 <= reward < rate * seconds / 3600 + Decimal("0.01")


@given(st.integers(0, 500), st.integers(1, 50))
def test_runs_hold_everything_and_differ_by_one_at_most(count, size):
    runs = even_runs(count, size)
    assert sum(runs) == count
    assert all(0 < run <= size for run in runs)
    assert max(runs, default=0) - min(runs, default=0) <= 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("questions", "size", "tasks"),
    [
        pytest.param(
            [3, 3, 3, 3], 5, [[3], [3], [3], [3]], id="what does not fit beside another has a task of its own"
        ),
        pytest.param([2, 2, 2, 2], 5, [[2, 2], [2, 2]], id="paragraphs that fit share a task"),
        pytest.param([1, 1, 1, 3], 5, [[1, 1, 1], [3]], id="tasks are as equal as can be"),
        pytest.param([7, 1], 5, [[4], [3, 1]], id="only a paragraph with more than fit one task is cut"),
    ],
)
def test_the_questions_of_a_paragraph_stay_together(project, client, questions, size, tasks):
    paragraphs = Paragraph.objects.order_by("position")
    for paragraph, count in zip(paragraphs, questions, strict=False):
        for _ in range(count):
            make_question(paragraph)
    Article.objects.update(split="dev")
    planned = planning.estimate(project, answering(units_per_hit=size))
    assert [[len(asked) for _, asked in task.paragraphs] for task in planned.plan] == tasks
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    form = {"kind": "answer", "units_per_hit": size, "hourly_rate_usd": "9.00", "extra_answers": 2, "splits": ["dev"]}
    receipt = client.get(
        reverse("admin:hits_batch_launch", args=[project.pk]), form | {"endpoint": "marketplace"}
    ).content.decode()
    assert f"data-hits>{len(tasks)}<" in receipt
    assert ("1 paragraph is in several HITs" in receipt) == (max(questions) > size)


@pytest.mark.django_db
class TestEstimate:
    def test_four_minutes_a_paragraph_at_nine_dollars_an_hour(self, project, crowd):
        estimate = planning.estimate(project, writing(units_per_hit=5))
        (line,) = estimate.lines
        assert (line.hits, line.units, line.paid_seconds) == (1, 5, 1200)
        assert (line.reward_usd, line.fee_usd, estimate.total_usd) == (
            Decimal("3.00"),
            Decimal("0.60"),
            Decimal("3.60"),
        )

    def test_a_task_stays_within_its_article_and_its_runs_are_even(self, crowd):
        project = make_project(spending_cap_usd=100)
        for size in (7, 2):
            article = make_article(project)
            for _ in range(size):
                make_paragraph(article=article)
        estimate = planning.estimate(project, writing(units_per_hit=5))
        assert [task.units for task in estimate.plan] == [4, 3, 2]

    def test_a_paragraph_that_is_out_for_writing_is_not_offered_again(self, project, crowd):
        batch = launch(project, writing(units_per_hit=5))
        problem = planning.estimate(project, writing()).problem()
        assert f"5 paragraphs are in open HITs of batch {batch.pk}." in problem

    def test_only_the_chosen_splits_and_articles_are_taken(self, project, crowd):
        other = make_paragraph(project, make_article(project, split="dev")).article
        assert planning.estimate(project, writing(splits=("dev",))).units == 1
        assert planning.estimate(project, writing(articles=(other.pk,))).units == 1
        assert planning.estimate(project, writing()).units == 6

    def test_questions_that_are_not_there_yet_cannot_be_answered(self, project, crowd):
        assert "approve written questions first" in planning.estimate(project, answering()).problem()


@pytest.mark.django_db(transaction=True)
class TestLaunch:
    def test_a_batch_above_the_cap_is_refused_with_what_would_fit(self, project, crowd):
        project.spending_cap_usd = Decimal("1.50")
        project.save()
        with pytest.raises(NotLaunchable) as refusal:
            launch(project)
        assert str(refusal.value) == (
            "The batch would cost $3.60; $1.50 is left of the cap. "
            "Lower the number of paragraphs to 2, or raise the cap."
        )
        assert not Batch.objects.exists()
        assert not LedgerEntry.objects.exists()

    def test_a_second_batch_has_only_what_the_first_left(self, project, crowd):
        project.spending_cap_usd = Decimal("4.00")
        project.save()
        article = make_paragraph(project).article
        launch(project, writing(articles=tuple(project.articles.exclude(pk=article.pk).values_list("pk", flat=True))))
        with pytest.raises(NotLaunchable, match=r"\$0\.40 is left"):
            launch(project)

    def test_what_can_be_spent_is_reserved_at_launch(self, project, crowd):
        batch = launch(project)
        ledger = LedgerEntry.objects.filter(batch=batch)
        assert (ledger.reserved_usd(), ledger.spent_usd(), batch.cap_usd) == (Decimal("3.60"), 0, Decimal("3.60"))

    def test_an_endpoint_that_pays_people_wants_the_total_typed(self, project, crowd, settings):
        crowd.become_endpoint(settings, pays_people=True)
        for typed in (None, Decimal("3.59")):
            with pytest.raises(NotLaunchable, match=r"type the total, 3\.60"):
                launching.launch(project, writing(), None, typed)
        assert launching.launch(project, writing(), None, Decimal("3.60")).cap_usd == Decimal("3.60")

    def test_the_ledger_refuses_to_be_changed(self, project, crowd):
        from django.db import IntegrityError

        launch(project)
        with pytest.raises(IntegrityError, match="only ever added"):
            LedgerEntry.objects.update(amount_usd=0)
        with pytest.raises(IntegrityError, match="only ever added"):
            LedgerEntry.objects.all().delete()


def test_plain_http_is_refused_unless_the_settings_allow_it(settings):
    from django.core.exceptions import ImproperlyConfigured

    endpoint = endpoints.Endpoint("x", "X", "http://example.org", ("https://example.org",), pays_people=False)
    with pytest.raises(ImproperlyConfigured, match="must be an https address"):
        endpoint.check()


@pytest.mark.django_db(transaction=True)
class TestWritingAgain:
    """A paragraph is offered again when the work on it came to nothing, not while it may come to something."""

    def written(self, project, status="approved"):
        """An assignment of ``status`` for a paragraph of ``project`` whose HIT is closed."""
        batch = launch(project)
        hit = batch.hits.select_related("offer").first()
        batch.hits.update(status="closed")
        assignment = make_assignment(hit.offer, status=status, submitted_at=NOON, finished_at=NOON)
        return make_question(hit.offer.task.task_paragraphs.get().paragraph, assignment=assignment)

    def test_while_its_hit_is_open_it_is_not(self, project, crowd):
        launch(project)
        assert planning.estimate(project, writing()).units == 0

    def test_after_an_approval_it_is_not(self, project, crowd):
        self.written(project)
        assert planning.estimate(project, writing()).units == 4

    def test_after_a_rejection_it_is(self, project, crowd):
        self.written(project, status="rejected")
        assert planning.estimate(project, writing()).units == 5

    def test_when_its_only_question_is_left_out_it_is(self, project, crowd):
        question = self.written(project)
        Verdict.objects.create(question=question, decision="drop", decided_by=make_user())
        assert planning.estimate(project, writing()).units == 5

    def test_only_as_many_writers_are_asked_for_as_are_missing(self, project, crowd):
        project.writers_per_paragraph = 3
        project.save()
        self.written(project)
        workers = sorted(task.workers for task in planning.estimate(project, writing()).plan)
        assert workers == [2, 3, 3, 3, 3]


@pytest.mark.django_db
def test_answers_are_asked_for_in_dev_and_test_unless_train_is_chosen(crowd):
    project = make_project(spending_cap_usd=100)
    for split in ("train", "dev", "test"):
        make_question(make_paragraph(project, make_article(project, split=split)))
    assert planning.estimate(project, answering()).units == 2
    assert planning.estimate(project, answering(splits=("train",))).units == 1
