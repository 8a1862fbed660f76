"""A person who is erased is forgotten by the doors too."""

from django.test import Client

from marketplace import clock
from marketplace.models import User, WorkerProfile
from marketplace.recruiting.models import Application, Participant, Visit
from marketplace.services import erasure


def test_a_participants_ids_are_erased_and_their_visit_stays(operator, requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=5)
    ann = visitor(new_study(hit))
    ann.start()
    ann.do(hit)
    ann.see()
    worker = WorkerProfile.objects.get(participant__isnull=False)
    erasure.erase(User.objects.get(is_operator=True), worker, clock.now(), reason="She asked.")
    assert "60aa" not in str(list(Participant.objects.values()))
    visit = Visit.objects.get()
    assert (visit.session_id, visit.status) == (f"erased-{visit.pk}", "complete")
    assert ann.browser.get("/study/visit/").status_code == 404


def test_what_an_applicant_wrote_is_erased(operator):
    operator.post("/operator/recruiting/applications/open/", {"open": "1"})
    password = "seven grey herons"
    form = {"username": "ada", "password": password, "password_again": password, "message": "I am Ada"}
    Client().post("/join/", form)
    application = Application.objects.get()
    operator.post(f"/operator/recruiting/applications/{application.pk}/decide/", {"decision": "approve"})
    worker = WorkerProfile.objects.get()
    erasure.erase(User.objects.get(is_operator=True), worker, clock.now(), reason="She asked.")
    application.refresh_from_db()
    assert (application.message, application.status) == ("", "approved")
