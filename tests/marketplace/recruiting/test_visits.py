"""A panel's participants: what they see, how a visit ends, and what a forged link gains."""

import re

import pytest
from django.conf import settings as conf
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from marketplace import clock, doors
from marketplace.models import Assignment, Report, User, WorkerProfile
from marketplace.recruiting.models import Consent, Invitation, Panel, PanelStudy, Participant, Visit
from marketplace.recruiting.services import invitations, links, visits
from marketplace.services import accounts

from ..conftest import id_in, submit
from .conftest import at_once

pytestmark = pytest.mark.slow

MASTERS_ONLY = [{"QualificationTypeId": "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6", "Comparator": "Exists"}]


def test_a_participant_comes_in_without_a_password_does_the_study_and_leaves_with_its_code(
    requester, new_study, visitor
):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=5) for _ in range(2)]
    ann = visitor(new_study(hits[0], hits_wanted=2))
    assert "You need no account" in ann.browser.get(ann.link).content.decode()
    assert User.objects.filter(worker__isnull=False).count() == 0  # looking makes nobody
    assert "0 of 2 submitted" in ann.start().content.decode()
    ann.do(hits[0])
    assert "1 of 2 submitted" in ann.see()
    ann.do(hits[0])
    page = ann.see()
    assert "You have done all of it" in page
    assert 'href="https://app.prolific.com/submissions/complete?cc=DONE1"' in page
    assert (ann.visit.status, ann.visit.session_id) == ("complete", "70bb")
    assert len(requester.submitted(hits[0]) + requester.submitted(hits[1])) == 2


def test_requesters_see_a_worker_id_and_not_the_participants(requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=5)
    ann = visitor(new_study(hit))
    ann.start()
    ann.do(hit)
    [assignment] = requester.submitted(hit)
    assert re.fullmatch("A[A-Z0-9]{13}", assignment["WorkerId"])
    assert "60aa" not in str(assignment)
    user = User.objects.get(worker__worker_id=assignment["WorkerId"])
    assert ("60aa" in user.username, user.has_usable_password()) == (False, False)


def test_one_participant_is_one_worker_over_all_studies_of_the_panel(requester, new_panel, new_study, visitor):
    hit = requester.hit(MaxAssignments=5)
    panel, other_panel = new_panel(), new_panel()
    for study in (new_study(hit, panel=panel), new_study(hit, panel=panel), new_study(hit, panel=other_panel)):
        visitor(study).start()
    assert Participant.objects.count() == 2
    assert Visit.objects.count() == 3


def test_participants_see_the_groups_of_their_study_alone(requester, new_study, visitor, worker):
    mine, other = requester.hit(MaxAssignments=5), requester.hit(MaxAssignments=5)
    ann = visitor(new_study(mine))
    page = ann.start().content.decode()
    assert mine["HITGroupId"] in page
    assert other["HITGroupId"] not in page
    lists = ("/projects/", "/tasks/", "/tasks/record.csv", "/earnings/", "/messages/", "/qualifications/")
    for path in (*lists, "/account/data.json", "/account/payment/"):
        assert ann.browser.get(path).url == "/study/visit/", path
    assert ann.browser.get(f"/projects/{mine['HITGroupId']}/tasks").status_code == 200
    assert ann.browser.get(f"/projects/{mine['HITGroupId']}/report").status_code == 200
    assert ann.browser.get(f"/projects/{other['HITGroupId']}/tasks").status_code == 404
    assert ann.accept(other).status_code == 404
    accepted = ann.accept(mine)
    assert accepted.status_code == 302
    for browser, is_guest in ((ann.browser, True), (worker.client, False)):
        page = browser.get(f"/projects/{mine['HITGroupId']}/tasks").content.decode()
        assert ('href="/earnings/"' not in page) is is_guest
    assert {mine["HITTypeId"], other["HITTypeId"]} <= set(worker.groups())


def test_participants_report_what_is_wrong_with_their_study_alone(requester, new_study, visitor):
    mine, other = requester.hit(MaxAssignments=5), requester.hit(MaxAssignments=5)
    ann = visitor(new_study(mine))
    ann.start()
    report = lambda hit: ann.browser.post(f"/projects/{hit['HITGroupId']}/report", {"kind": "pay"})  # noqa: E731
    assert (report(mine).status_code, report(other).status_code) == (302, 404)
    assert Report.objects.get().hit_type.type_id == mine["HITTypeId"]


def test_what_is_kept_about_a_participant_is_in_their_data(requester, new_study, visitor):
    ann = visitor(new_study(requester.hit(MaxAssignments=5)))
    ann.start()
    parts = dict(doors.own_data(WorkerProfile.objects.get()))
    assert [row["participant_id"] for row in parts["participants"]] == ["60aa"]
    assert [row["status"] for row in parts["visits"]] == ["working"]


def test_a_participant_takes_no_more_hits_than_the_study_wants(requester, new_study, visitor):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=5) for _ in range(6)]
    ann = visitor(new_study(hits[0], hits_wanted=2))
    ann.start()
    statuses = at_once(5, lambda _: ann.accept(hits[0]).status_code)
    assert sorted(statuses) == [302, 302, 409, 409, 409]
    held = Assignment.objects.held().order_by("id")
    assert held.count() == 2
    ann.browser.post(
        f"/projects/{hits[0]['HITGroupId']}/tasks/{held[0].hit.hit_id}?assignment_id={held[0].assignment_id}"
    )
    assert ann.accept(hits[0]).status_code == 302  # what was returned may be taken anew


def test_without_a_visit_the_same_account_takes_nothing(requester, new_study, visitor, pass_time):
    hit = requester.hit(MaxAssignments=5, LifetimeInSeconds=86400)
    ann = visitor(new_study(hit, minutes=10))
    ann.start()
    worker = WorkerProfile.objects.get(participant__participant_id="60aa")
    pass_time(601)
    with pytest.raises(visits.assignments.NoPlace):
        visits.assignments.accept(worker, ann.visit.study.hit_types.get(), clock.now())
    assert "The time for this study is over" in ann.see()
    assert "data-code" not in ann.see()


def test_who_comes_back_with_the_same_session_goes_on_in_any_browser(requester, new_study, visitor):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=5) for _ in range(3)]
    ann = visitor(new_study(hits[0], hits_wanted=3))
    ann.start()
    ann.do(hits[0])
    held = id_in(ann.accept(hits[0]).url)
    assert ann.browser.get(ann.link).url == "/study/visit/"
    ann.browser = Client()
    page = ann.start().content.decode()
    assert "1 of 3 submitted" in page
    assert held in page
    assert (Participant.objects.count(), Visit.objects.count()) == (1, 1)


def test_a_link_that_is_opened_again_after_the_end_shows_the_same_end(requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=5)
    ann = visitor(new_study(hit))
    ann.start()
    ann.do(hit)
    assert "DONE1" in ann.see()
    ann.browser = Client()
    page = ann.start().content.decode()
    assert "DONE1" in page
    assert ann.accept(hit).status_code == 409
    assert Visit.objects.count() == 1


def test_a_session_is_its_participants_alone(requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=5)
    study = new_study(hit)
    visitor(study).start()
    forger = visitor(study, participant="60ff")
    answer = forger.start()
    assert (answer.status_code, "belongs to somebody else" in answer.content.decode()) == (403, True)
    assert forger.browser.get("/study/visit/").status_code == 404
    assert Participant.objects.count() == 1


def test_new_sessions_do_not_give_a_participant_more_work_than_the_study_allows(requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=9)
    study = new_study(hit)
    ann = visitor(study)
    ann.start()
    answer = visitor(study, session="70b2").start()
    assert (answer.status_code, "begun this study already" in answer.content.decode()) == (403, True)
    ann.do(hit)
    ann.see()
    answer = visitor(study, session="70b3").start()
    assert (answer.status_code, "taken part in this study already" in answer.content.decode()) == (403, True)
    study.visits_per_participant = 2
    study.save()
    assert visitor(study, session="70b4").start().status_code == 200


def test_a_link_of_another_study_does_not_open_this_one(requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=5)
    study = new_study(hit, external_id="80cc")
    answer = visitor(study, external="80dd").start()
    assert (answer.status_code, "another study" in answer.content.decode()) == (400, True)
    assert visitor(study).start().status_code == 200


def test_places_are_handed_out_once_however_many_come_at_once(requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=9)
    study = new_study(hit, places=2)

    def come(index: int) -> str:
        return re.search('data-visit="(.*?)"', visitor(study, f"p{index}", f"s{index}").start().content.decode())[1]

    assert sorted(at_once(5, come)) == ["quota_full", "quota_full", "quota_full", "working", "working"]
    assert "FULL3" in visitor(study, "p9", "s9").start().content.decode()


def test_a_place_is_free_again_when_its_participant_ran_out_of_time(requester, new_study, visitor, pass_time):
    hit = requester.hit(MaxAssignments=1, LifetimeInSeconds=86400)
    study = new_study(hit, places=1, minutes=10)
    ann = visitor(study)
    ann.start()
    ann.accept(hit)
    assert "Enough people" in visitor(study, "p2", "s2").start().content.decode()
    pass_time(601)
    bea = visitor(study, "p3", "s3")
    assert "0 of 1 submitted" in bea.start().content.decode()
    bea.do(hit)
    assert (ann.visit.status, bea.visit.participant.participant_id) == ("left", "p3")


def test_nobody_begins_who_would_run_short_of_hits(requester, new_study, visitor):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=1) for _ in range(3)]
    study = new_study(hits[0], hits_wanted=2)
    assert visitor(study).start().context["progress"].groups
    page = visitor(study, "p2", "s2").start().content.decode()
    assert 'data-visit="quota_full"' in page


def test_who_runs_short_all_the_same_is_told_and_is_not_called_complete(requester, new_study, visitor, worker):
    hit_type = requester.hit_type()
    hits = [requester.hit(hit_type, MaxAssignments=1) for _ in range(2)]
    ann = visitor(new_study(hits[0], hits_wanted=2))
    ann.start()
    ann.do(hits[0])
    worker.do(hits[0])
    page = ann.see()
    assert "You have submitted 1 of 2" in page
    assert "FULL3" in page
    assert ann.visit.status == "quota_full"


def test_who_lacks_a_qualification_is_screened_out_unless_the_study_gives_it(requester, new_study, visitor):
    hit = requester.hit(requester.hit_type(QualificationRequirements=MASTERS_ONLY), MaxAssignments=5)
    page = visitor(new_study(hit)).start().content.decode()
    assert 'data-visit="screened_out"' in page
    assert "cc=OUT2" in page
    page = visitor(new_study(hit, standing={"masters": "yes"})).start().content.decode()
    assert 'data-visit="working"' in page


def test_a_closed_study_takes_nobody_new_and_lets_those_at_work_finish(requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=5)
    study = new_study(hit)
    ann = visitor(study)
    ann.start()
    study.is_open = False
    study.save()
    assert "Enough people" in visitor(study, "p2", "s2").start().content.decode()
    assert Participant.objects.count() == 1
    ann.do(hit)
    assert "DONE1" in ann.see()


def test_invented_participants_fill_no_table_without_end(requester, new_study, visitor, monkeypatch):
    hit = requester.hit(MaxAssignments=5)
    study = new_study(hit, places=1)
    monkeypatch.setattr(type(study), "visits_kept", 3)
    for index in range(5):
        visitor(study, f"p{index}", f"s{index}").start()
    assert Visit.objects.count() == Participant.objects.count() == 3


def test_starting_signs_out_whoever_was_signed_in_and_only_starting_does(requester, new_study, visitor, worker):
    hit = requester.hit(MaxAssignments=5)
    ann = visitor(new_study(hit))
    ann.browser = worker.client
    page = ann.browser.get(ann.link).content.decode()
    assert "Starting signs that account out" in page
    assert ann.browser.get("/earnings/").status_code == 200
    ann.start()
    assert ann.browser.get("/earnings/").url == "/study/visit/"


def test_another_site_cannot_start_a_visit_in_somebodys_browser(requester, new_study, visitor):
    ann = visitor(new_study(requester.hit(MaxAssignments=5)))
    ann.browser = Client(enforce_csrf_checks=True)
    assert ann.browser.post(ann.link).status_code == 403
    assert not Visit.objects.exists()


def test_a_closed_account_does_not_come_back_as_a_participant(requester, new_study, visitor):
    hit = requester.hit(MaxAssignments=5)
    panel = new_study(hit).panel
    visitor(new_study(hit, panel=panel)).start()
    User.objects.filter(worker__isnull=False).update(is_active=False)
    answer = visitor(new_study(hit, panel=panel), session="70b9").start()
    assert (answer.status_code, "account is closed" in answer.content.decode()) == (403, True)


def test_terms_are_agreed_to_at_the_door_and_kept_once(requester, new_study, visitor, operator):
    operator.post("/operator/recruiting/terms/", {"text": "You may stop at any time."})
    hit = requester.hit(MaxAssignments=5)
    panel = new_study(hit).panel
    ann = visitor(new_study(hit, panel=panel))
    assert "You may stop at any time." in ann.browser.get(ann.link).content.decode()
    ann.start()
    assert Consent.objects.count() == 1
    visitor(new_study(hit, panel=panel)).start()
    assert Consent.objects.count() == 1


def test_a_link_does_not_tell_whether_its_participant_was_here(requester, new_study, visitor, operator):
    operator.post("/operator/recruiting/terms/", {"text": "You may stop at any time."})
    study = new_study(requester.hit(MaxAssignments=5))
    visitor(study).start()
    known, unknown = visitor(study, "60aa", "70b9"), visitor(study, "60zz", "70b9")
    pages = [person.browser.get(person.link) for person in (known, unknown)]
    assert [page.context["terms"].text for page in pages] == ["You may stop at any time."] * 2
    without_token = [re.sub('name="csrfmiddlewaretoken".*?>', "", page.content.decode()) for page in pages]
    assert without_token[0] == without_token[1]


def test_nobody_agrees_to_terms_that_their_page_did_not_show(requester, new_study, visitor, operator):
    operator.post("/operator/recruiting/terms/", {"text": "You may stop at any time."})
    ann = visitor(new_study(requester.hit(MaxAssignments=5)))
    page = ann.browser.get(ann.link).content.decode()
    operator.post("/operator/recruiting/terms/", {"text": "You may not stop."})
    answer = ann.press(page)
    page = answer.content.decode()
    assert (answer.status_code, "have changed since" in page, "You may not stop." in page) == (409, True, True)
    assert not Consent.objects.exists()
    assert not Participant.objects.exists()
    assert ann.press(page).status_code == 200
    assert Consent.objects.get().terms.text == "You may not stop."


def test_panels_without_a_session_have_one_visit_for_each_participant(requester, new_panel, new_study):
    hit = requester.hit(MaxAssignments=5)
    url = "https://lab.sona-systems.com/webstudy_credit.aspx?experiment_id=9&credit_token=7&survey_code={participant}"
    study = new_study(hit, panel=new_panel("sona", name="SONA"), complete_url=url, complete_code="")
    link = f"/study/{study.key}/?survey_code=1234"
    browser = Client()
    browser.post(link)
    address = browser.post(f"/projects/{hit['HITGroupId']}/tasks/accept_random").url
    submit(id_in(address), q="a")
    assert "credit_token=7&amp;survey_code=1234" in browser.get("/study/visit/").content.decode()
    assert "survey_code=1234" in browser.post(link, follow=True).content.decode()
    assert Visit.objects.count() == 1


def test_where_a_number_can_be_guessed_only_the_browser_that_began_goes_on(requester, new_panel, new_study):
    hit = requester.hit(MaxAssignments=5)
    panel = new_panel("sona", name="SONA")
    study, other = new_study(hit, panel=panel), new_study(hit, panel=panel)
    link = f"/study/{study.key}/?survey_code=1234"
    browser, guesser = Client(), Client()
    browser.post(link)
    guesser.post(f"/study/{study.key}/?survey_code=1235")
    for _ in range(2):
        answer = guesser.post(link, follow=True)
        assert (answer.status_code, "write to the researchers" in answer.content.decode()) == (403, True)
    guesser.cookies[f"visit_{study.key}"] = str(Visit.objects.earliest("id").pk)  # no signature of ours
    assert guesser.post(link, follow=True).status_code == 403
    browser.post(f"/study/{other.key}/?survey_code=1234")  # another study in between
    assert browser.get("/study/visit/").context["study"] == other
    assert browser.post(link, follow=True).context["study"] == study
    assert Visit.objects.count() == 3


def test_participants_have_no_account_pages_and_take_no_invitation(requester, new_study, visitor, worker):
    [link] = invitations.invite(invitations.Offer(), clock.now())
    path = link.removeprefix(conf.MARKETPLACE_URL)
    ann = visitor(new_study(requester.hit(MaxAssignments=5)))
    ann.start()
    for page in ("/account/", "/account/password/"):
        assert ann.browser.get(page).url == "/study/visit/"
        assert worker.client.get(page).status_code == 200
    assert ann.browser.post("/account/password/").url == "/study/visit/"
    for answer in (ann.browser.get(path), ann.browser.post(path)):
        assert (answer.status_code, "You are in a study" in answer.content.decode()) == (403, True)
    assert Invitation.objects.get().places_taken == 0
    assert worker.client.post(path).status_code == 302
    assert Invitation.objects.get().places_taken == 1


def test_signed_links_are_believed_and_changed_ones_are_not(requester, new_panel, new_study, settings):
    settings.PANEL_SECRETS = {"list": "a shared secret"}
    hit = requester.hit(MaxAssignments=5)
    study = new_study(hit, panel=new_panel("other", key="list", check_by="signature"))
    link = links.signed_link(study, links.Arrival("ann", "", "1")).removeprefix(settings.MARKETPLACE_URL)
    assert Client().post(link, follow=True).status_code == 200
    for changed in (
        link.replace("ann", "bea"),
        link.replace("session=1", "session=2"),
        link[:-1],
        link.split("&sig")[0],
    ):
        answer = Client().post(changed, follow=True)
        assert (answer.status_code, "changed or cut off" in answer.content.decode()) == (400, True)
    assert Participant.objects.count() == 1
    settings.PANEL_SECRETS = {}
    assert "secret of its panel is not set" in Client().post(link).content.decode()


def test_signed_links_for_a_list_of_people_are_made_by_one_command(
    requester, new_panel, new_study, settings, capsys, tmp_path
):
    settings.PANEL_SECRETS = {"list": "a shared secret"}
    study = new_study(requester.hit(MaxAssignments=5), panel=new_panel("other", key="list", check_by="signature"))
    people = tmp_path / "people"
    people.write_text("ann\n\nbea@example.org\n")
    call_command("create_study_links", study.key, people)
    made = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [name for name, _link in made] == ["ann", "bea@example.org"]
    for _name, link in made:
        assert Client().post(link.removeprefix(settings.MARKETPLACE_URL), follow=True).status_code == 200
    assert Participant.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "sentence"), [("ann\n=1\n", "line 2"), ("", "no ids"), ("ann\nann\n", "twice")], ids=str
)
def test_a_list_of_people_with_a_fault_makes_no_links(
    requester, new_panel, new_study, settings, tmp_path, text, sentence, capsys
):
    settings.PANEL_SECRETS = {"list": "a shared secret"}
    study = new_study(requester.hit(), panel=new_panel("other", key="list", check_by="signature"))
    people = tmp_path / "people"
    people.write_text(text)
    with pytest.raises(CommandError, match=sentence):
        call_command("create_study_links", study.key, people)
    with pytest.raises(CommandError, match="no study"):
        call_command("create_study_links", "nowhere", people)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "query",
    [
        "",
        "PROLIFIC_PID=&STUDY_ID=80cc&SESSION_ID=70bb",
        "PROLIFIC_PID=60aa&STUDY_ID=80cc",
        "PROLIFIC_PID=60aa&PROLIFIC_PID=60ab&STUDY_ID=80cc&SESSION_ID=70bb",
        "PROLIFIC_PID={{%25PROLIFIC_PID%25}}&STUDY_ID=80cc&SESSION_ID=70bb",
        "PROLIFIC_PID=60aa%00&STUDY_ID=80cc&SESSION_ID=70bb",
        "PROLIFIC_PID=%3Dcmd()&STUDY_ID=80cc&SESSION_ID=70bb",
        "PROLIFIC_PID=" + "6" * 101 + "&STUDY_ID=80cc&SESSION_ID=70bb",
        "prolific_pid=60aa&STUDY_ID=80cc&SESSION_ID=70bb",
    ],
)
def test_a_link_with_wrong_parameters_makes_nobody_and_says_so(requester, new_study, query):
    study = new_study(requester.hit())
    for method in ("get", "post"):
        answer = getattr(Client(), method)(f"/study/{study.key}/?{query}")
        assert (answer.status_code, "does not say who you are" in answer.content.decode()) == (400, True)
    assert not Participant.objects.exists()


def test_a_study_that_never_was_is_not_there():
    assert Client().get("/study/0123456789abcdef/?PROLIFIC_PID=a").status_code == 404
    assert Client().get("/study/visit/").status_code == 404


values = st.lists(st.text(max_size=120) | st.from_regex(links.ID, fullmatch=True), max_size=3)


names = st.sampled_from(["participant", "session", "x"]) | st.text(max_size=9)
NEEDED = ("participant", "session")


def is_one_id(given: list[str]) -> bool:
    return len(set(given)) == 1 and links.ID.fullmatch(given[0]) is not None


@given(query=st.dictionaries(names, values, max_size=5))
@settings(max_examples=200, deadline=None)
def test_whatever_parameters_come_an_arrival_is_well_formed_or_none(query):
    panel = Panel(key="p", kind="other", participant_parameter="participant", session_parameter="session")
    try:
        arrival = links.read(PanelStudy(panel=panel), query)
    except links.BadLink:
        assert not all(is_one_id(query.get(name, [])) for name in NEEDED)
    else:
        assert all(is_one_id(query[name]) for name in NEEDED)
        assert (arrival.participant_id, arrival.session_id) == tuple(query[name][0] for name in NEEDED)
        assert arrival.participant_id[0] not in "=+-@"


def test_an_id_in_an_address_cannot_break_out_of_its_place():
    study = PanelStudy(panel=Panel(kind="other"), complete_url="https://p.example/?c={session}&d={participant}")
    assert links.ending(study, "complete", "a", "b&{participant}").url == (
        "https://p.example/?c=b%26%7Bparticipant%7D&d=a"
    )


def test_the_lab_does_not_pay_those_whom_their_panel_pays(requester, new_study, visitor, worker):
    visitor(new_study(requester.hit())).start()
    participant = Participant.objects.get().worker_id
    assert doors.paid_elsewhere([participant, worker.profile.pk]) == {participant}


def test_an_ordinary_worker_is_not_touched_by_any_study(requester, new_study, worker):
    hit = requester.hit(MaxAssignments=5)
    new_study(hit, is_open=False)
    worker.do(hit)
    assert worker.client.get("/tasks/").status_code == 200
    assert accounts.is_taken(worker.profile.user.username)
