"""Who changed what: kept when somebody saves, told field by field, and never with a worker's data."""

import pytest
from django.apps import apps
from django.urls import reverse

from accounts.models import User
from annotation.models import Assignment, Membership, Project, Worker
from hits.models import WorkerRule
from hits.services.requirements import replace_rules
from reviewer.models import ReviewRules
from tests.annotation.factories import PASSWORD, make_superuser, make_user
from tests.reviewer.test_review_pages import sign_in

__all__ = ["sign_in"]

pytestmark = pytest.mark.django_db


def told(client, address):
    return client.get(address, headers={"accept-language": "en"}).content.decode()


@pytest.fixture
def page(sign_in, project):
    """What the project's page of changes says now."""
    return lambda: told(sign_in("requester"), reverse("project_changes", args=[project.slug]))


def test_a_changed_setting_is_told_with_who_changed_it_from_what_to_what(client, project, page):
    root = make_superuser("root")
    client.force_login(root)
    change = reverse("admin:annotation_project_change", args=[project.pk])
    form = client.get(change).context["adminform"].form
    values = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    inline = {"memberships-TOTAL_FORMS": 1, "memberships-INITIAL_FORMS": 0}
    inline |= {"memberships-0-user": root.username, "memberships-0-role": "requester"}
    values |= {"countries": "", "stopping_advice": [], "hourly_rate_usd": "12.50"}
    answer = client.post(change, values | inline)
    assert answer.status_code == 302, answer.context["errors"]
    row = Project.history.first()
    assert (row.history_user, str(row.hourly_rate_usd)) == (root, "12.50")
    shown = page()
    assert "Pay per hour, USD: <del>9.00</del>" in shown
    assert "<ins>12.50</ins>" in shown
    assert "root" in shown


def test_members_who_come_change_and_go_are_told(project, people, page):
    membership = Membership.objects.get(user=people["viewer"])
    membership.role = Membership.Role.REVIEWER
    membership.save()
    membership.delete()
    shown = page()
    for words in ("Added: member viewer", "<del>viewer</del>", "<ins>reviewer</ins>", "Removed: member viewer"):
        assert words in shown


def test_rules_of_review_and_rules_about_workers_are_told(project, people, page):
    ReviewRules.objects.create(project=project, set_by=people["requester"])
    ReviewRules.objects.create(
        project=project, set_by=people["requester"], claim_minutes=20, thresholds={"pasted": None}
    )
    replace_rules(project, [WorkerRule(qualification_type_id="3XYZ", comparator="Exists")])
    shown = page()
    for words in ("Rules of review", "<ins>20</ins>", "<ins>off</ins>", "Added: rule about workers", "3XYZ"):
        assert words in shown


def test_saving_the_same_rules_about_workers_again_changes_nothing(project):
    replace_rules(project, [WorkerRule(qualification_type_id="3XYZ", comparator="Exists")])
    replace_rules(project, [WorkerRule(qualification_type_id="3XYZ", comparator="Exists")])
    assert WorkerRule.history.count() == 1


def test_a_save_that_changes_nothing_is_not_told(project, page):
    project.save()
    assert "settings" not in page().split("<h1>")[1].split("</p>", 2)[2].lower()


def test_logins_are_told_to_superusers_without_names_addresses_and_passwords(client):
    user = make_user("ben", email="ben@example.org")
    user.is_superuser = True
    user.set_password("another one, quite long")
    user.save()
    client.force_login(make_superuser("root"))
    shown = told(client, reverse("user_changes"))
    assert "User ben" in shown
    assert "ben@example.org" not in shown
    kept = {field.name for field in User.history.model._meta.get_fields()}
    assert kept.isdisjoint({"password", "email", "first_name", "last_name", "last_login"})


def test_signing_in_is_no_change(client):
    user = make_user("ben")
    before = User.history.count()
    assert client.login(username=user.username, password=PASSWORD)
    assert User.history.count() == before


def test_no_history_leans_on_a_worker_or_their_work():
    histories = [model for model in apps.get_models() if model.__name__.startswith("Historical")]
    assert {model.__name__ for model in histories} == {
        "HistoricalMembership",
        "HistoricalProject",
        "HistoricalUser",
        "HistoricalWorkerRule",
    }
    leaning = {field.related_model for model in histories for field in model._meta.fields if field.related_model}
    assert leaning.isdisjoint({Worker, Assignment})


def test_the_page_takes_few_queries(sign_in, project, people, django_assert_max_num_queries):
    client = sign_in("requester")
    for number in range(5):
        project.hourly_rate_usd = number + 10
        project.save()
        ReviewRules.objects.create(project=project, set_by=people["requester"], claim_minutes=number + 1)
    with django_assert_max_num_queries(12):
        client.get(reverse("project_changes", args=[project.slug]))
