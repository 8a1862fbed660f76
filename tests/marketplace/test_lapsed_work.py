"""What a worker no longer has or still holds: told on *Your work* and where nothing else is left."""

from .conftest import id_in
from .test_operator import page


def test_what_ran_out_and_what_was_returned_is_listed_for_thirty_days(requester, worker, pass_time):
    assert "data-lapsed" not in page(worker.client, "/tasks/")
    ran_out = id_in(worker.accept(requester.hit()))
    pass_time(601)
    returned = worker.accept(requester.hit())
    worker.client.post(returned)
    shown = page(worker.client, "/tasks/").split("data-lapsed")[1].split("</details>")[0]
    assert f'data-assignment-id="{ran_out}" data-status="abandoned"' in shown
    assert f'data-assignment-id="{id_in(returned)}" data-status="returned"' in shown
    pass_time(31 * 86400)
    assert "data-lapsed" not in page(worker.client, "/tasks/")


def test_where_nothing_is_left_what_one_holds_is_one_step_away(requester, worker):
    hit = requester.hit()
    preview = f"/projects/{hit['HITGroupId']}/tasks"
    held = worker.accept(hit)
    shown = page(worker.client, preview)
    assert "data-held" in shown
    refused = worker.try_accept(hit)
    assert refused.status_code == 409
    for text in (shown, refused.content.decode()):
        assert f"assignment_id={id_in(held)}" in text
    worker.client.post(held)
    assert "data-held" not in page(worker.client, preview)
