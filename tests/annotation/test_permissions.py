"""A role in a project opens what it opens there, and nothing elsewhere."""

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse

from annotation.models import Membership, Project, Verdict
from annotation.permissions import REQUESTERS, REVIEWERS, has_role, project_or_404
from tests.annotation.factories import (
    PASSWORD,
    make_answer,
    make_assignment,
    make_import,
    make_member,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
    make_user,
)

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

ROLES = ["outsider", "viewer", "reviewer", "requester", "superuser"]


@pytest.fixture
def rows(project, people):
    """One row of each kind in ``project``, by its model's name."""
    paragraph = make_paragraph(project)
    assignment = make_assignment(make_offer(make_task(paragraph)), status="approved")
    question = make_question(paragraph, assignment=assignment)
    return {
        "project": project,
        "article": paragraph.article,
        "paragraph": paragraph,
        "import": make_import(project),
        "question": question,
        "answer": question.answers.get(),
        "verdict": Verdict.objects.create(question=question, decision="drop", decided_by=people["reviewer"]),
        "assignment": assignment,
        "worker": assignment.worker,
    }


MODELS = ["project", "article", "paragraph", "import", "question", "answer", "verdict", "assignment", "worker"]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("model", MODELS)
def test_a_row_is_seen_by_the_members_of_its_project_alone(client, people, rows, role, model):
    client.force_login(people[role])
    listed = client.get(reverse(f"admin:annotation_{model}_changelist"))
    shown = client.get(reverse(f"admin:annotation_{model}_change", args=[rows[model].pk]))
    sees = role != "outsider"
    assert listed.status_code == 200
    assert list(listed.context["cl"].result_list) == ([rows[model]] if sees else [])
    # Django's admin sends whoever asks for a row that is not among theirs back to the index.
    assert shown.status_code == (200 if sees else 302)


@pytest.mark.parametrize("model", ["import", "question", "answer", "verdict", "assignment", "worker"])
def test_rows_that_hold_decisions_and_money_are_only_looked_at(client, people, rows, model):
    client.force_login(people["superuser"])
    address = reverse(f"admin:annotation_{model}_change", args=[rows[model].pk])
    assert client.get(address).context["has_change_permission"] is False
    assert client.post(address, {"text": "Something else"}).status_code == 403
    for action in ("add", "delete"):
        args = [] if action == "add" else [rows[model].pk]
        assert client.get(reverse(f"admin:annotation_{model}_{action}", args=args)).status_code == 403


@pytest.mark.parametrize(
    ("model", "field"), [("project", "name"), ("article", "title"), ("paragraph", "text")], ids=lambda value: value
)
@pytest.mark.parametrize("role", ROLES)
def test_requesters_alone_may_change_what_can_be_changed(client, people, project, role, model, field):
    paragraph = make_paragraph(project)
    row = {"project": project, "article": paragraph.article, "paragraph": paragraph}[model]
    client.force_login(people[role])
    answer = client.get(reverse(f"admin:annotation_{model}_change", args=[row.pk]))
    may = role in {"requester", "superuser"}
    assert (f' name="{field}"' in answer.content.decode()) == may


def test_a_requester_of_another_project_changes_nothing_here(client, project):
    stranger = make_member(make_project(), Membership.Role.REQUESTER)
    client.force_login(stranger)
    address = reverse("admin:annotation_project_change", args=[project.pk])
    assert client.post(address, {"name": "Mine now"}).status_code == 302
    assert Project.objects.get(pk=project.pk).name == project.name


def test_a_reviewer_here_who_is_requester_there_changes_only_there(client, project, people):
    other = make_project(requester=people["reviewer"])
    client.force_login(people["reviewer"])
    for row, may in ((project, False), (other, True)):
        answer = client.get(reverse("admin:annotation_project_change", args=[row.pk]))
        assert answer.context["has_change_permission"] is may


@pytest.mark.parametrize("role", ["viewer", "reviewer", "requester"])
def test_a_worker_s_id_at_the_endpoint_is_for_superusers(client, people, rows, role):
    worker, assignment = rows["worker"], rows["assignment"]
    secrets = {"worker": worker.mturk_worker_id, "assignment": assignment.mturk_assignment_id}
    for model, secret in secrets.items():
        shown = reverse(f"admin:annotation_{model}_change", args=[rows[model].pk])
        history = reverse(f"admin:annotation_{model}_history", args=[rows[model].pk])
        client.force_login(people[role])
        for page in (reverse(f"admin:annotation_{model}_changelist"), shown, history):
            assert secret not in client.get(page).content.decode()
        client.force_login(people["superuser"])
        assert secret in client.get(shown).content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "worker/?mturk_worker_id__startswith=W",
        "worker/?mturk_worker_id=W1",
        "assignment/?mturk_assignment_id__startswith=A",
        "assignment/?worker__mturk_worker_id__startswith=W",
        "answer/?assignment__worker__mturk_worker_id__startswith=W",
        "question/?assignment__mturk_assignment_id__startswith=A",
    ],
)
def test_a_worker_s_id_cannot_be_found_out_by_filtering_a_list(client, people, rows, query):
    client.force_login(people["viewer"])
    assert client.get(f"/admin/annotation/{query}").status_code == 400


def test_lists_can_be_filtered_by_what_they_show(client, people, rows):
    client.force_login(people["viewer"])
    answer = client.get(
        f"/admin/annotation/assignment/?status__exact=approved&task__project__id__exact={rows['project'].pk}"
    )
    assert list(answer.context["cl"].result_list) == [rows["assignment"]]


@pytest.mark.parametrize(
    "query",
    [
        "annotation/question/?text__regex=(",
        "annotation/question/?text=%00",
        "annotation/project/?slug=%00",
        "annotation/article/?split__in=%00",
        "annotation/import/?report=%00",
        "annotation/question/?nosuch=1",
        "hits/batch/?launched_at__year=999999",
        "hits/ledgerentry/?amount_usd__gte=1",
    ],
)
def test_a_list_is_not_filtered_by_what_it_offers_no_filter_for(client, people, rows, query):
    client.force_login(people["superuser"])
    assert client.get(f"/admin/{query}").status_code == 400


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("annotation/article/?split__exact=train", "annotation/article/?split__exact=%00"),
        ("annotation/assignment/?status__exact=approved", "annotation/assignment/?status__exact=%00"),
        ("annotation/paragraph/?article__split__exact=dev", "annotation/paragraph/?article__split__exact=%00"),
        ("annotation/answer/?is_gold__exact=1", "annotation/answer/?is_gold__exact=%00"),
        ("annotation/worker/?endpoint=rehearsal", "annotation/worker/?endpoint=%00"),
        ("annotation/project/?pk__exact=1", "annotation/project/?pk__exact=%00"),
        ("hits/batch/?status__exact=open", "hits/batch/?status__exact=%00"),
        ("hits/ledgerentry/?kind__exact=reserve", "hits/ledgerentry/?kind__exact=%00"),
    ],
)
def test_a_filter_s_value_that_cannot_be_leads_back_to_the_whole_list(client, people, rows, good, bad):
    client.force_login(people["viewer"])
    assert client.get(f"/admin/{good}").status_code == 200
    answer = client.get(f"/admin/{bad}")
    assert (answer.status_code, answer.url) == (302, f"/admin/{bad.partition('?')[0]}?e=1")


def test_filters_offer_only_projects_of_one_s_own(client, project, people):
    other = make_paragraph(make_project(name="A secret project")).project
    make_paragraph(project)
    client.force_login(people["viewer"])
    assert other.name not in client.get(reverse("admin:annotation_paragraph_changelist")).content.decode()
    client.force_login(people["superuser"])
    assert other.name in client.get(reverse("admin:annotation_paragraph_changelist")).content.decode()


def test_a_user_without_the_staff_flag_stays_outside(client, project):
    member = make_user(is_staff=False)
    Membership.objects.create(project=project, user=member, role=Membership.Role.REQUESTER)
    client.force_login(member)
    for page in ("home", "import", "change"):
        assert client.get(reverse(f"admin:annotation_project_{page}", args=[project.pk])).status_code == 302


def test_a_view_starts_from_the_user_s_projects(project, people):
    assert project_or_404(people["viewer"], project.pk) == project
    with pytest.raises(Http404):
        project_or_404(people["outsider"], project.pk)
    with pytest.raises(Http404):
        project_or_404(people["superuser"], 0)
    assert project_or_404(people["reviewer"], project.pk, *REVIEWERS) == project
    with pytest.raises(PermissionDenied):
        project_or_404(people["reviewer"], project.pk, *REQUESTERS)


def test_roles_are_asked_for_by_name(project, people):
    held = {
        name: (has_role(user, project, *REVIEWERS), has_role(user, project, *REQUESTERS))
        for name, user in people.items()
    }
    assert held == {
        "outsider": (False, False),
        "viewer": (False, False),
        "reviewer": (True, False),
        "requester": (True, True),
        "superuser": (True, True),
    }


def test_users_are_for_superusers(client, people):
    for role, status in (("requester", 403), ("superuser", 200)):
        client.force_login(people[role])
        assert client.get(reverse("admin:accounts_user_changelist")).status_code == status
        assert client.get(reverse("admin:accounts_user_change", args=[people["viewer"].pk])).status_code == status
        assert client.get(reverse("admin:accounts_user_add")).status_code == status


def test_a_superuser_makes_a_login_that_can_begin_a_project(client, people):
    client.force_login(people["superuser"])
    person = {"username": "rosa", "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    client.post(reverse("admin:accounts_user_add"), person | {"is_staff": "on"})
    client.logout()
    signed_in = client.post(reverse("admin:login"), {"username": "rosa", "password": PASSWORD}, follow=True)
    assert signed_in.context["cl"].result_count == 0
    assert client.get(reverse("admin:annotation_project_add")).status_code == 200


def test_a_worker_is_seen_from_the_projects_they_worked_in(client, people, rows):
    elsewhere = make_assignment(make_offer(make_task(make_paragraph(make_project()))))
    again = make_assignment(make_offer(make_task(rows["paragraph"])), rows["worker"])
    make_answer(rows["question"], None, assignment=again)
    client.force_login(people["viewer"])
    seen = client.get(reverse("admin:annotation_worker_changelist")).context["cl"].result_list
    assert list(seen) == [rows["worker"]]
    assert elsewhere.worker not in seen
