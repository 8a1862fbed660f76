"""Which workers a project asks for, validated as the endpoint would; and both sides of what it keeps about them."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Exclusion, Membership, Worker
from hits.models import Qualification, QualificationGrant, WorkerBlock, WorkerRule
from hits.services import blocking, qualifications, requirements, syncing
from hits.services.requirements import NotARule
from tests.annotation.factories import make_member, make_project, make_user, make_worker

from .conftest import published
from .test_holding import holders
from .test_syncing import submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
NO_ROWS = {"rules-TOTAL_FORMS": 0, "rules-INITIAL_FORMS": 0}


@pytest.fixture
def requester(project, client):
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    return client


def editor(project):
    return reverse("admin:hits_qualifications", args=[project.pk])


def rows(*rules):
    fields = {"rules-TOTAL_FORMS": len(rules), "rules-INITIAL_FORMS": 0}
    for number, (type_id, comparator, values) in enumerate(rules):
        names = {"type_id": type_id, "comparator": comparator, "values": values}
        fields |= {f"rules-{number}-{name}": value for name, value in names.items()}
    return fields


def test_what_the_editor_saves_is_what_the_next_batch_asks_for(project, crowd, requester):
    own = crowd.mturk.create_qualification_type(Name="Readers", Description="Read", QualificationTypeStatus="Active")
    own_id = own["QualificationType"]["QualificationTypeId"]
    fields = {"min_percent_approved": 95, "countries": "US, CA", "masters": "on", "adult": "on"}
    ours = rows((own_id, "GreaterThan", "3"), ("00000000000000000071", "NotIn", "US-PA, US-NY"), ("", "", ""))
    assert requester.post(editor(project), fields | ours).status_code == 302
    project.refresh_from_db()
    published(project)
    asked = crowd.hits()[0]["QualificationRequirements"]
    by_type = {(one["QualificationTypeId"], one["Comparator"]): one for one in asked}
    assert by_type["000000000000000000L0", "GreaterThanOrEqualTo"]["IntegerValues"] == [95]
    assert by_type["00000000000000000071", "In"]["LocaleValues"] == [{"Country": "US"}, {"Country": "CA"}]
    assert by_type["00000000000000000071", "NotIn"]["LocaleValues"] == [
        {"Country": "US", "Subdivision": "PA"},
        {"Country": "US", "Subdivision": "NY"},
    ]
    assert by_type[own_id, "GreaterThan"]["IntegerValues"] == [3]
    assert by_type["00000000000000000060", "EqualTo"]["IntegerValues"] == [1]
    assert (requirements.MASTERS, "Exists") in by_type
    assert {one["ActionsGuarded"] for one in asked} == {"DiscoverPreviewAndAccept"}
    again = requester.get(editor(project)).context
    assert (again["form"].initial["masters"], again["form"].initial["adult"]) == (True, True)
    assert [row.initial["values"] for row in again["formset"].initial_forms] == ["3", "US-PA, US-NY"]


def test_a_preset_fills_the_fields_and_keeps_nothing_until_it_is_saved(project, crowd, requester):
    page = requester.get(editor(project), {"preset": "squad-v1"})
    form = page.context["form"]
    assert (form["min_percent_approved"].value(), form["countries"].value()) == (97, "US, CA")
    project.refresh_from_db()
    assert project.min_percent_approved is None
    assert requester.get(editor(project), {"preset": "glue-like"}).context["form"]["quiz_required"].value() is True
    assert requester.get(editor(project), {"preset": "no such"}).status_code == 200


@pytest.mark.parametrize(
    ("type_id", "comparator", "values"),
    [
        ("ABC", "Exists", "1"),
        ("ABC", "EqualTo", ""),
        ("ABC", "EqualTo", "1, 2"),
        ("ABC", "In", ", ".join("1" * 16)),
        ("ABC", "EqualTo", "1.5"),
        ("ABC", "EqualTo", "-1"),
        ("ABC", "EqualTo", "99999999999"),
        ("ABC", "EqualTo", "US"),
        ("abc!", "Exists", ""),
        ("A" * 65, "Exists", ""),
        ("ABC", "Nearly", "1"),
        ("ABC", "", "1"),
        ("00000000000000000071", "GreaterThan", "US"),
        ("00000000000000000071", "In", "USA"),
        ("00000000000000000071", "In", "1"),
        ("00000000000000000060", "EqualTo", "0"),
        ("000000000000000000L0", "GreaterThan", "101"),
        (requirements.MASTERS, "EqualTo", "1"),
        ("AB\0", "Exists", ""),
    ],
)
def test_a_rule_that_the_endpoint_would_refuse_is_refused_beside_its_row(
    project, requester, type_id, comparator, values
):
    page = requester.post(editor(project), rows((type_id, comparator, values)))
    assert page.status_code == 422
    assert "page-error" in page.content.decode()
    assert not WorkerRule.objects.exists()


@pytest.mark.parametrize(
    ("type_id", "comparator", "values"),
    [
        ("ABC", "Exists", ""),
        ("ABC", "In", ", ".join("1" * 15)),
        ("00000000000000000071", "EqualTo", "US-PA"),
        ("000000000000000000L0", "GreaterThan", "100"),
        ("00000000000000000060", "EqualTo", "1"),
    ],
)
def test_a_rule_that_the_endpoint_takes_is_taken(type_id, comparator, values):
    assert requirements.parse_rule(type_id, comparator, values).comparator == comparator


def test_a_project_asks_for_no_more_than_a_hit_takes(project):
    seven = [requirements.parse_rule(f"TYPE{number}", "Exists", "") for number in range(7)]
    requirements.check_number(project, seven[:6])
    with pytest.raises(NotARule, match="keep to 6"):
        requirements.check_number(project, seven)
    with pytest.raises(NotARule, match="twice"):
        requirements.check_number(project, seven[:1] * 2)


def test_differences_between_both_sides_are_shown_and_mended(project, crowd, requester):
    published(project)
    _, worker_id = submit_one(crowd)
    syncing.sync("marketplace")
    wrote = Qualification.objects.get(purpose="wrote")
    type_id = wrote.mturk_qualification_type_id
    _, stranger = crowd.worker()
    crowd.mturk.disassociate_qualification_from_worker(QualificationTypeId=type_id, WorkerId=worker_id)
    crowd.mturk.associate_qualification_with_worker(QualificationTypeId=type_id, WorkerId=stranger, IntegerValue=1)
    shown = json.loads(run("--dry-run", "--json"))["qualifications"]
    found = next(one for one in shown if one["purpose"] == "wrote")
    assert (len(found["lost"]), len(found["extra"]), found["held"]) == (1, 1, 1)
    assert worker_id not in run("--dry-run")
    assert holders(crowd, wrote) == [stranger]
    page = requester.post(editor(project), {"act": "compare"}).content.decode()
    assert "1 had lost it" in page
    assert holders(crowd, wrote) == [worker_id]
    assert "Calls made to mend them: 0." in run()
    assert QualificationGrant.objects.filter(worker__mturk_worker_id=stranger, is_wanted=True).count() == 0


def run(*arguments):
    out = StringIO()
    call_command("sync_qualifications", *arguments, stdout=out)
    return out.getvalue()


def test_a_type_that_is_gone_at_the_endpoint_is_said_and_not_made_anew(project, crowd):
    published(project)
    held = Qualification.objects.get(purpose="held")
    Qualification.objects.filter(pk=held.pk).update(mturk_qualification_type_id="3GONE")
    assert "does not know it any more" in run()
    held.refresh_from_db()
    assert held.mturk_qualification_type_id == "3GONE"


# A worker's card, and keeping one out.


def card(project, worker):
    return reverse("admin:hits_worker", args=[project.pk, worker.pk])


def test_a_requester_keeps_a_worker_out_from_their_card_at_the_endpoint_too_and_takes_it_back(
    project, crowd, requester
):
    published(project)
    site, worker_id = crowd.worker()
    assert site.submit(crowd.accept(site), {"receipt": "r"})
    syncing.sync("marketplace")
    worker = Worker.objects.get()
    assert requester.post(card(project, worker), {"act": "exclude", "words": " "}).status_code == 422
    requester.post(card(project, worker), {"act": "exclude", "words": "Random answers.", "at_the_endpoint": "on"})
    tell(project)
    page = requester.get(card(project, worker)).content.decode()
    assert 'data-excluded="yes"' in page
    assert "Random answers." in page
    assert worker_id not in page
    assert [block["WorkerId"] for block in crowd.mturk.list_worker_blocks()["WorkerBlocks"]] == [worker_id]
    assert crowd.accept(site) is None
    listing = reverse("admin:hits_workers", args=[project.pk])
    assert "blocked by a requester" in requester.get(listing, {"who": "excluded"}).content.decode()
    requester.post(card(project, worker), {"act": "readmit"})
    tell(project)
    assert crowd.mturk.list_worker_blocks()["WorkerBlocks"] == []
    assert crowd.accept(site) is not None
    assert "Nobody is kept out" in requester.get(listing, {"who": "excluded"}).content.decode()


def tell(project):
    blocking.carry_out()
    qualifications.grant_wanted(project, "marketplace")


def test_a_worker_whom_two_projects_block_stays_blocked_until_both_let_them_in(project, crowd):
    other, user = make_project(), make_user()
    _, worker_id = crowd.worker()
    worker = make_worker(mturk_worker_id=worker_id)
    for one in (project, other):
        blocking.exclude(one, worker, "Rude.", user, at_the_endpoint=True)
        blocking.carry_out()
    blocking.readmit(project, worker, "", user)
    blocking.carry_out()
    assert len(crowd.mturk.list_worker_blocks()["WorkerBlocks"]) == 1
    blocking.readmit(other, worker, "", user)
    blocking.carry_out()
    assert crowd.mturk.list_worker_blocks()["WorkerBlocks"] == []
    assert not WorkerBlock.objects.filter(done_at=None).exists()


def test_a_card_shows_its_own_projects_facts_to_its_members_alone(project, crowd, client):
    worker = make_worker()
    other = make_project()
    Exclusion.objects.create(project=other, worker=worker, reason="blocked", words="Seen elsewhere.")
    client.force_login(make_member(project, Membership.Role.VIEWER))
    assert client.get(card(project, worker)).status_code == 404  # nothing is known of them here
    assert client.get(card(other, worker)).status_code == 404  # not among one's projects
    Exclusion.objects.create(project=project, worker=worker, reason="quiz")
    page = client.get(card(project, worker))
    assert (page.status_code, "Seen elsewhere." in page.content.decode()) == (200, False)
    assert client.post(card(project, worker), {"act": "exclude", "words": "No."}).status_code == 403


def test_a_requester_can_let_somebody_pass_the_quiz(project, crowd, requester):
    project.quiz_required = True
    project.save()
    published(project)
    site, worker_id = crowd.worker()
    worker = make_worker(mturk_worker_id=worker_id)
    Exclusion.objects.create(project=project, worker=worker, reason="quiz")
    requester.post(card(project, worker), {"act": "pass"})
    tell(project)
    assert crowd.accept(site) is not None
    page = requester.post(card(project, worker), {"act": "dance"})
    assert page.status_code == 422
