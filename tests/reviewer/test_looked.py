"""Who looked at personal data: one entry a view, by every door, that says whom by our own number alone."""

import pytest
from auditlog.models import LogEntry
from django.core.management import call_command
from django.urls import reverse

from accounts.models import User
from tests.annotation.factories import make_project, make_superuser, make_worker
from tests.reviewer.factories import make_written
from tests.reviewer.test_erasing import rows_naming
from tests.reviewer.test_personal_data import api, content
from tests.reviewer.test_review_pages import sign_in

__all__ = ["sign_in"]

pytestmark = pytest.mark.django_db

WORKER_ID = "A1FZ0NNQRT7XK2"


@pytest.fixture
def written(project):
    return make_written(project, status="approved", worker=make_worker(mturk_worker_id=WORKER_ID))


def looks():
    """What was noted since the last time, as (who, what, whom)."""
    rows = LogEntry.objects.order_by("pk").select_related("actor", "content_type")
    told = [
        (row.actor and row.actor.username, row.additional_data["look"], f"{row.content_type.model} {row.object_id}")
        for row in rows
    ]
    assert {row.action for row in rows} <= {LogEntry.Action.ACCESS}
    rows.delete()
    return told


def test_every_page_that_shows_a_worker_is_noted_once_a_view(sign_in, project, written):
    client, worker = sign_in("requester"), f"worker {written.worker_id}"
    looks()
    client.get(reverse("admin:hits_workers", args=[project.pk]))
    card = content(client.get(reverse("admin:hits_worker", args=[project.pk, written.worker_id])))
    assert reverse("worker_data", args=[project.slug, written.worker_id]) in card
    client.get(reverse("worker_data", args=[project.slug, written.worker_id]))
    content(client.get(reverse("worker_record", args=[project.slug, written.worker_id])))
    find = {"endpoint": written.worker.endpoint, "worker_id": WORKER_ID}
    client.post(reverse("personal_data", args=[project.slug]), find)
    assert looks() == [
        ("requester", "list", f"project {project.pk}"),
        ("requester", "card", worker),
        ("requester", "data", worker),
        ("requester", "record", worker),
        ("requester", "found", worker),
    ]


def test_the_ids_that_superusers_see_in_the_admin_are_noted(client, written):
    root = make_superuser("root")
    client.force_login(root)
    looks()
    for model, key in (("worker", written.worker_id), ("assignment", written.pk)):
        assert client.get(reverse(f"admin:annotation_{model}_change", args=[key])).status_code == 200
    worker = f"worker {written.worker_id}"
    assert looks() == [("root", "worker_id", worker), ("root", "assignment_id", worker)]


def test_pages_of_the_admin_that_show_no_id_and_refused_ones_are_not_noted(sign_in, project, written):
    looks()
    client = sign_in("viewer")
    assert client.get(reverse("admin:annotation_worker_change", args=[written.worker_id])).status_code == 200
    assert client.get(reverse("worker_data", args=[project.slug, written.worker_id])).status_code == 403
    assert looks() == []


def test_the_api_and_the_commands_are_noted(project, written, people, tmp_path):
    looks()
    content(api(people["requester"]).get(f"/api/v1/workers/{written.worker_id}/record"))
    asked = {"endpoint": written.worker.endpoint, "worker_id": WORKER_ID}
    api(people["requester"]).post("/api/v1/workers/find", asked, format="json")
    call_command("worker_record", written.worker.endpoint, WORKER_ID, "--out", str(tmp_path / "record.json"))
    call_command("erase_worker", written.worker.endpoint, WORKER_ID, "--dry-run")
    worker = f"worker {written.worker_id}"
    assert looks() == [
        ("requester", "record", worker),
        ("requester", "found", worker),
        (None, "record", worker),
        (None, "data", worker),
    ]


def test_no_entry_holds_the_worker_id_or_where_the_viewer_was(sign_in, project, written):
    client = sign_in("requester")
    client.get(reverse("worker_data", args=[project.slug, written.worker_id]))
    assert "auditlog_logentry" not in rows_naming(WORKER_ID)
    row = LogEntry.objects.get()
    assert (row.object_repr, row.remote_addr, row.serialized_data) == (str(written.worker), None, None)


def test_the_page_tells_a_projects_requesters_and_not_of_another_projects_viewers(sign_in, client, project, written):
    elsewhere = make_written(make_project(), status="approved", worker=written.worker).task.project
    stranger = make_written(elsewhere, status="approved")
    root = make_superuser("root")
    client.force_login(root)
    client.get(reverse("worker_data", args=[elsewhere.slug, stranger.worker_id]))
    client.get(reverse("admin:annotation_worker_change", args=[written.worker_id]))
    shown = content(sign_in("requester").get(reverse("looked_at", args=[project.slug])))
    assert "a worker&#x27;s id, in the admin" in shown
    assert f"worker {written.worker_id}" in shown
    assert f"worker {stranger.worker_id}<" not in shown
    User.objects.filter(pk=root.pk).delete()
    assert LogEntry.objects.count() == 2


def test_a_record_says_when_somebody_looked_and_not_who(sign_in, project, written, people):
    client = sign_in("requester")
    client.get(reverse("worker_data", args=[project.slug, written.worker_id]))
    record = content(client.get(reverse("worker_record", args=[project.slug, written.worker_id])))
    assert '"what": "data"' in record
    assert people["requester"].username not in record


def test_the_page_takes_few_queries_and_speaks_german(sign_in, project, written, django_assert_max_num_queries):
    client = sign_in("requester")
    for _number in range(5):
        client.get(reverse("worker_data", args=[project.slug, written.worker_id]))
    with django_assert_max_num_queries(8):
        shown = content(client.get(reverse("looked_at", args=[project.slug]), headers={"accept-language": "de"}))
    assert "was über eine Person festgehalten ist" in shown
