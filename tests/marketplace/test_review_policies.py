"""Review policies: taken with a HIT, carried out when their moment comes, and told of."""

import pytest
from django.core.management import call_command

from marketplace.models import Decision, PolicyRun

from .conftest import id_in, question, submit, turk_code
from .test_races import at_once

pytestmark = pytest.mark.slow

KNOWN, PLURALITY = "ScoreMyKnownAnswers/2011-09-01", "SimplePlurality/2011-09-01"


def values(**parameters) -> list[dict]:
    return [{"Key": key, "Values": [str(value)]} for key, value in parameters.items()]


def known(*more: dict, **parameters) -> dict:
    entries = [{"Key": "river", "Values": ["Ilve"]}, {"Key": "side", "Values": ["left"]}]
    policy = {"PolicyName": KNOWN, "Parameters": [{"Key": "AnswerKey", "MapEntries": entries}]}
    policy["Parameters"] += [*values(**parameters), *more]
    return {"AssignmentReviewPolicy": policy}


def plurality(*, ids=("a", "b", "c", "d"), threshold=50, **parameters) -> dict:
    agreed = [{"Key": "QuestionIds", "Values": list(ids)}, *values(QuestionAgreementThreshold=threshold)]
    return {"HITReviewPolicy": {"PolicyName": PLURALITY, "Parameters": [*agreed, *values(**parameters)]}}


def report(requester, hit, level="Assignment", **filters) -> tuple[list, list]:
    """Results as (subject type, question, key, value), actions as (name, target type, status, code)."""
    answer = requester.mturk.list_review_policy_results_for_hit(HITId=hit["HITId"], **filters)
    found = answer[f"{level}ReviewReport"]
    results = [
        (row["SubjectType"], row.get("QuestionId", ""), row["Key"], row["Value"]) for row in found["ReviewResults"]
    ]
    actions = [
        (row["ActionName"], row["TargetType"], row["Status"], row.get("ErrorCode", "").rpartition(".")[2])
        for row in found["ReviewActions"]
    ]
    return results, actions


def statuses(requester, hit) -> list[str]:
    return [row["AssignmentStatus"] for row in requester.submitted(hit)]


@pytest.mark.parametrize(
    ("fields", "scores", "status", "actions"),
    [
        ({"river": " Ilve ", "side": "left"}, ["1", "1", "100"], "Approved", ["review", "approve"]),
        ({"river": "Ilve", "side": "right"}, ["1", "0", "50"], "Submitted", ["review"]),
        ({"river": "ilve", "side": "right"}, ["0", "0", "0"], "Rejected", ["review", "reject"]),
        ({"other": "Ilve"}, ["0", "0", "0"], "Rejected", ["review", "reject"]),
    ],
)
def test_each_submission_is_scored_by_the_known_answers(requester, worker, fields, scores, status, actions):
    limits = {"ApproveIfKnownAnswerScoreIsAtLeast": 100, "RejectIfKnownAnswerScoreIsLessThan": 50}
    reasons = {"ApproveReason": "Well done.", "RejectReason": "Not those rivers."}
    hit = requester.hit(**known(**limits, **reasons))
    worker.do(hit, **fields)
    assert statuses(requester, hit) == [status]
    feedback = {"Approved": "Well done.", "Rejected": "Not those rivers."}.get(status)
    assert requester.submitted(hit)[0].get("RequesterFeedback") == feedback
    results, done = report(requester, hit)
    assert [value for *_, value in results] == scores
    assert [(row[1], row[2]) for row in results] == [
        ("river", "KnownAnswerCorrect"),
        ("side", "KnownAnswerCorrect"),
        ("", "KnownAnswerScore"),
    ]
    assert done == [(name, "Assignment", "Succeeded", "") for name in actions]
    assert PolicyRun.objects.count() == 1
    assert [row.by for row in Decision.objects.all()] == ["policy"] * (len(actions) - 1)


def test_a_rejection_without_a_reason_tells_the_worker_what_was_found(requester, worker):
    hit = requester.hit(**known(RejectIfKnownAnswerScoreIsLessThan=100))
    worker.do(hit, river="Ilve", side="right")
    sentence = "An automatic review compared known answers: 1 of 2 were right."
    assert requester.submitted(hit)[0]["RequesterFeedback"] == sentence
    assert sentence in worker.client.get("/tasks/").content.decode()


def test_a_failed_known_answer_asks_one_more_worker_up_to_the_maximum(new_requester, new_worker):
    requester = new_requester(funds="10.00")
    limits = {"RejectIfKnownAnswerScoreIsLessThan": 100, "ExtendIfKnownAnswerScoreIsLessThan": 100}
    hit = requester.hit(**known(**limits, ExtendMaximumAssignments=2, ExtendMinimumTimeInSeconds=86400))
    new_worker().do(hit, river="no")
    assert requester.counters(hit) == ("Assignable", 1, 0, 1)
    assert requester.see(hit)["MaxAssignments"] == 2
    assert (requester.see(hit)["Expiration"] - hit["Expiration"]).total_seconds() > 80_000
    assert requester.balance() == ("9.88", "0.12")
    new_worker().do(hit, river="no")
    assert requester.counters(hit) == ("Reviewable", 0, 0, 2)
    assert requester.balance() == ("10.00", "0.00")
    _results, actions = report(requester, hit)
    assert [row for row in actions if row[0] == "extend"] == [("extend", "HIT", "Succeeded", "")] * 2


def test_an_extension_that_cannot_be_paid_fails_and_says_so(new_requester, worker):
    requester = new_requester(funds="0.12")
    hit = requester.hit(**known(ExtendIfKnownAnswerScoreIsLessThan=100))
    worker.do(hit, river="no")
    assert report(requester, hit)[1][-1] == ("extend", "HIT", "Failed", "InsufficientFunds")
    assert statuses(requester, hit) == ["Submitted"]
    assert requester.see(hit)["MaxAssignments"] == 1
    assert requester.see(hit)["Expiration"] == hit["Expiration"]


def test_the_example_of_the_documentation_comes_to_its_scores(requester, new_worker):
    hit = requester.hit(MaxAssignments=3, **plurality(ApproveIfWorkerAgreementScoreIsAtLeast=100))
    given = ["coat blue large Furry", "sweater blue large fur", "coat green large furr"]
    for index, words in enumerate(given):
        assert PolicyRun.objects.count() == 0, index
        new_worker().do(hit, **dict(zip("abcd", words.split(), strict=True)))
    results, actions = report(requester, hit, "HIT")
    assert results[:10] == [
        ("HIT", "a", "AgreedAnswerFound", "true"),
        ("HIT", "a", "AgreedAnswer", "coat"),
        ("HIT", "a", "AnswerAgreementScore", "66"),
        ("HIT", "b", "AgreedAnswerFound", "true"),
        ("HIT", "b", "AgreedAnswer", "blue"),
        ("HIT", "b", "AnswerAgreementScore", "66"),
        ("HIT", "c", "AgreedAnswerFound", "true"),
        ("HIT", "c", "AgreedAnswer", "large"),
        ("HIT", "c", "AnswerAgreementScore", "100"),
        ("HIT", "d", "AgreedAnswerFound", "false"),
    ]
    assert results[10] == ("HIT", "", "HitAgreementScore", "75")
    assert [row[3] for row in results if row[2] == "WorkerAgreementScore"] == ["100", "66", "66"]
    assert [row[3] for row in results if row[2] == "PluralityAnswersIncorrect"] == ["0", "1", "1"]
    assert actions == [("approve", "Assignment", "Succeeded", "")]
    assert statuses(requester, hit) == ["Approved", "Submitted", "Submitted"]


def test_agreement_must_be_above_the_threshold_and_a_tie_is_none(requester, new_worker):
    for threshold, found in ((49, "true"), (50, "false")):
        hit = requester.hit(MaxAssignments=4, **plurality(ids=["a"], threshold=threshold))
        for answer in ("x", "x", "y", "z"):
            new_worker().do(hit, a=answer)
        assert report(requester, hit, "HIT")[0][0][3] == found
    hit = requester.hit(MaxAssignments=2, **plurality(ids=["a"], threshold=10))
    for answer in ("x", "y"):
        new_worker().do(hit, a=answer)
    assert report(requester, hit, "HIT")[0][0][3] == "false"


def test_no_agreement_asks_one_more_worker_and_is_looked_at_again(requester, new_worker):
    extending = {
        "ExtendIfHITAgreementScoreIsLessThan": 100,
        "ExtendMaximumAssignments": 3,
        "ExtendMinimumTimeInSeconds": 3600,
    }
    deciding = {"ApproveIfWorkerAgreementScoreIsAtLeast": 100, "RejectIfWorkerAgreementScoreIsLessThan": 50}
    hit = requester.hit(MaxAssignments=2, **plurality(ids=["a"], **extending, **deciding))
    for answer in ("x", "y"):
        new_worker().do(hit, a=answer)
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)
    assert statuses(requester, hit) == ["Submitted", "Submitted"]
    new_worker().do(hit, a="x")
    assert statuses(requester, hit) == ["Approved", "Rejected", "Approved"]
    results, actions = report(requester, hit, "HIT")
    assert [row[3] for row in results if row[2] == "HitAgreementScore"] == ["0", "100"]
    assert [row[0] for row in actions] == ["extend", "approve", "reject", "approve"]
    assert requester.counters(hit) == ("Reviewable", 0, 0, 3)


def test_both_policies_work_together_and_the_rejected_are_left_out(requester, new_worker):
    hit = requester.hit(
        MaxAssignments=3,
        **known(RejectIfKnownAnswerScoreIsLessThan=100),
        **plurality(ids=["town"], DisregardAssignmentIfRejected="T", RejectIfWorkerAgreementScoreIsLessThan=100),
    )
    for town, side in (("Ulm", "left"), ("Linz", "right"), ("Ulm", "left")):
        new_worker().do(hit, river="Ilve", side=side, town=town)
    results, actions = report(requester, hit, "HIT")
    assert ("HIT", "town", "AnswerAgreementScore", "100") in results
    assert actions == []
    assert statuses(requester, hit) == ["Submitted", "Rejected", "Submitted"]


def test_a_hit_that_expires_is_reviewed_when_it_is_reviewable(requester, new_worker, pass_time):
    early, late = (requester.hit(MaxAssignments=5, **plurality(ids=["a"])) for _ in range(2))
    for hit in (early, late):
        new_worker().do(hit, a="x")
    assert PolicyRun.objects.count() == 0
    requester.mturk.update_expiration_for_hit(HITId=early["HITId"], ExpireAt=0)
    assert PolicyRun.objects.count() == 1
    pass_time(3601)
    call_command("tick")
    assert PolicyRun.objects.count() == 2
    call_command("tick")
    assert PolicyRun.objects.count() == 2
    assert report(requester, late, "HIT")[0][-1][3] == "0"


def test_what_a_requester_decided_first_stands(requester, new_worker):
    hit = requester.hit(
        MaxAssignments=2, **plurality(ids=["a"], threshold=10, ApproveIfWorkerAgreementScoreIsAtLeast=1)
    )
    first = new_worker().do(hit, a="x")
    requester.mturk.reject_assignment(AssignmentId=first, RequesterFeedback="No.")
    new_worker().do(hit, a="x")
    assert report(requester, hit, "HIT")[1] == [
        ("approve", "Assignment", "Failed", "InvalidAssignmentState"),
        ("approve", "Assignment", "Succeeded", ""),
    ]
    assert statuses(requester, hit) == ["Rejected", "Approved"]


def test_the_results_are_cut_to_what_is_asked_for_and_paged(requester, new_requester, worker):
    hit = requester.hit(**known(ApproveIfKnownAnswerScoreIsAtLeast=0), **plurality(ids=["river"]))
    worker.do(hit, river="Ilve")
    ask = requester.mturk.list_review_policy_results_for_hit
    whole = ask(HITId=hit["HITId"])
    assert whole["AssignmentReviewPolicy"] == {"PolicyName": KNOWN}
    assert whole["HITReviewPolicy"] == {"PolicyName": PLURALITY}
    assert "AssignmentReviewReport" not in ask(HITId=hit["HITId"], PolicyLevels=["HIT"])
    assert report(requester, hit, RetrieveActions=False)[1] == []
    assert report(requester, hit, RetrieveResults=False)[0] == []
    seen, token = [], {}
    for _ in range(20):
        page = ask(HITId=hit["HITId"], MaxResults=2, **token)
        reports = [page.get(f"{level}ReviewReport", {}) for level in ("Assignment", "HIT")]
        seen += [row["ActionId"] for one in reports for kind in one.values() for row in kind]
        token = {"NextToken": page["NextToken"]} if "NextToken" in page else {}
        if not token:
            break
    every = [whole[f"{level}ReviewReport"] for level in ("Assignment", "HIT")]
    assert sorted(seen) == sorted(row["ActionId"] for one in every for kind in one.values() for row in kind)
    refusal = new_requester().refusal("list_review_policy_results_for_hit", HITId=hit["HITId"])
    assert turk_code(refusal) == "HITDoesNotExist"
    plain = ask(HITId=requester.hit()["HITId"])
    assert not {"AssignmentReviewPolicy", "HITReviewReport"} & set(plain)


BAD_KEY = {"Key": "AnswerKey", "MapEntries": [{"Key": "a", "Values": ["1"]}] * 2}


@pytest.mark.parametrize(
    "policies",
    [
        {"AssignmentReviewPolicy": {"PolicyName": PLURALITY}},
        {"HITReviewPolicy": {"PolicyName": KNOWN}},
        {"AssignmentReviewPolicy": {"PolicyName": KNOWN}},
        {"AssignmentReviewPolicy": {"PolicyName": KNOWN, "Parameters": [BAD_KEY]}},
        known(ApproveIfKnownAnswerScoreIsAtLeast=102),
        known(ApproveIfKnownAnswerScoreIsAtLeast="most"),
        known(ExtendMaximumAssignments=26),
        known(ExtendMinimumTimeInSeconds=59),
        known(RejectReason="r" * 1025),
        known(QuestionIds="a"),
        known({"Key": "RejectReason", "Values": ["a", "b"]}),
        known({"Key": "AnswerKey", "MapEntries": [{"Key": "a", "Values": ["1"]}]}),
        known({"Key": "ApproveReason"}),
        plurality(ids=[]),
        plurality(ids=[f"q{number}" for number in range(26)]),
        plurality(threshold=101),
        plurality(DisregardAssignmentIfRejected="perhaps"),
        plurality(ExtendIfHITAgreementScoreIsLessThan=50),
        plurality(ExtendIfHITAgreementScoreIsLessThan=0, ExtendMaximumAssignments=5, ExtendMinimumTimeInSeconds=3600),
    ],
    ids=lambda policies: str(policies)[-70:],
)
def test_a_policy_that_makes_no_sense_is_refused(requester, policies):
    call = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 60, "Question": question()}
    refusal = requester.refusal("create_hit_with_hit_type", **call, **policies)
    assert turk_code(refusal) == "InvalidParameterValue"
    assert requester.mturk.list_hits()["NumResults"] == 0


def test_of_two_last_submissions_at_once_each_is_reviewed_once_and_the_hit_once(requester, new_worker):
    both = {**known(ApproveIfKnownAnswerScoreIsAtLeast=100), **plurality(ids=["river"])}
    hit = requester.hit(MaxAssignments=2, **both)
    held = [id_in(new_worker().accept(hit)) for _ in range(2)]
    at_once(*(lambda held=one: submit(held, river="Ilve", side="left") for one in held))
    assert statuses(requester, hit) == ["Approved", "Approved"]
    assert sorted(PolicyRun.objects.values_list("submissions", flat=True), key=str) == [2, None, None]
