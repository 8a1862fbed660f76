"""Guides: the notation, versions that never change, the workers' page of one, and the editor."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Guide
from annotation.services import guide_notation, guides
from annotation.services.tasks import PlannedTask, create_tasks
from tests.annotation.factories import make_offer, make_paragraph, make_project, make_task, make_user
from tests.annotation.work import client as cookieless
from tests.annotation.work import frame

TYPED = """# How to ask
Read first.
And think.

## A sample
> The mill burned
> twice.

## Good
+ How often did it burn? -> twice
  One word is enough.
+ What was destroyed?
  Named in other words.

- What burned twice? -> The mill
  It repeats the paragraph.
* Be brief
  and clear.
* Be kind.
"""


def guide(title="Ask well", **more):
    return {"write": guide_notation.parse(f"# {title}\nText."), "answer": guide_notation.parse("# Mark\nText.")} | more


def content(text):
    return guides.Content({"en": text})


# The notation


def test_a_guide_is_typed_in_plain_lines():
    assert guide_notation.parse(TYPED) == {
        "title": "How to ask",
        "sections": [
            {"heading": "", "blocks": [{"kind": "text", "text": "Read first. And think."}]},
            {"heading": "A sample", "blocks": [{"kind": "sample", "text": "The mill burned twice."}]},
            {
                "heading": "Good",
                "blocks": [
                    {
                        "kind": "good",
                        "examples": [
                            {
                                "question": "How often did it burn?",
                                "answer": "twice",
                                "reason": "One word is enough.",
                            },
                            {"question": "What was destroyed?", "answer": "", "reason": "Named in other words."},
                        ],
                    },
                    {
                        "kind": "bad",
                        "examples": [
                            {
                                "question": "What burned twice?",
                                "answer": "The mill",
                                "reason": "It repeats the paragraph.",
                            }
                        ],
                    },
                    {"kind": "points", "points": ["Be brief and clear.", "Be kind."]},
                ],
            },
        ],
    }


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Line 1: a guide begins with its title"),
        ("Text.\n# Late", "Line 2: a guide has one title"),
        ("# A\n# B", "Line 2: a guide has one title"),
        ("# A\n\n+ Why? -> so", "Line 3: an example says on the next line why"),
        ("# A\n+  -> so\nReason.", "Line 2: an example begins with its question"),
        ("# A\n" + "x" * guide_notation.MOST_CHARS, "20,000 characters are the most"),
    ],
)
def test_what_is_no_guide_is_refused_with_its_line(typed, said):
    with pytest.raises(guide_notation.NotAGuide, match=said):
        guide_notation.parse(typed)


LINES = st.lists(
    st.builds(
        str.__add__,
        st.sampled_from(["", "# ", "## ", "> ", "+ ", "- ", "* ", "  "]),
        st.text(alphabet="ab ->+*#>?", max_size=8),
    ),
    max_size=12,
)


@given(LINES)
def test_what_is_written_out_reads_as_the_same_guide(lines):
    try:
        parsed = guide_notation.parse("# T\n" + "\n".join(lines))
    except guide_notation.NotAGuide:
        return
    assert guide_notation.parse(guide_notation.written(parsed)) == parsed


# What ships


@pytest.mark.parametrize("preset", ["squad-v1", "own-crowd", "glue-like", "no-such-preset"])
def test_every_preset_ships_a_guide_for_both_kinds_of_work(preset):
    texts = guides.shipped(preset)["en"]
    assert set(texts) == {"write", "answer"}
    for text in texts.values():
        blocks = [block for section in text["sections"] for block in section["blocks"]]
        assert {"sample", "good", "bad"} <= {block["kind"] for block in blocks}
        assert "language model" in str(text)


def test_the_marked_answers_of_the_shipped_examples_stand_in_the_sample():
    for preset in ("squad-v1", "own-crowd"):
        for text in guides.shipped(preset)["en"].values():
            blocks = [block for section in text["sections"] for block in section["blocks"]]
            (sample,) = [block["text"] for block in blocks if block["kind"] == "sample"]
            for example in [one for block in blocks for one in block.get("examples", [])]:
                if example["answer"] and not example["answer"].startswith("cannot be answered"):
                    assert example["answer"] in sample


# Versions


def test_tasks_keep_the_version_that_was_in_force_when_they_were_made(project):
    paragraphs = [make_paragraph(project) for _ in range(2)]

    def made(paragraph):
        (task,) = create_tasks(project, [PlannedTask("write", ((paragraph.pk, ()),), 1)])
        return task

    first = made(paragraphs[0])
    assert (first.guide.number, first.guide.texts) == (1, guides.shipped("own-crowd"))
    guides.store(project, content(guide()), make_user(), after=1)
    second = made(paragraphs[1])
    assert (first.guide.number, second.guide.number) == (1, 2)
    page = frame(make_offer(second)).content.decode()
    assert "Ask well" in page
    assert "Ask well" not in frame(make_offer(first), "A2").content.decode()


def test_a_version_never_changes_and_never_goes(project):
    kept = guides.in_force(project)
    for change in (lambda: Guide.objects.filter(pk=kept.pk).update(texts={}), kept.delete):
        with pytest.raises(IntegrityError, match="guides get new versions"), transaction.atomic():
            change()


def test_the_same_text_again_is_no_new_version_and_an_older_page_overwrites_nothing(project):
    user = make_user()
    first = guides.store(project, content(guide()), user, after=0)
    assert guides.store(project, content(guide()), user, after=0) == first
    second = guides.store(project, content(guide("Newer")), user, after=1)
    with pytest.raises(guides.Overtaken):
        guides.store(project, content(guide("From an old page")), user, after=1)
    assert guides.current(project) == second


@pytest.mark.parametrize(
    ("asked", "found"), [("de", "de"), ("de-AT", "de"), ("pt", "pt-BR"), ("fr", "en"), ("", "en"), ("DE", "de")]
)
def test_the_nearest_language_is_shown(asked, found):
    assert guides.nearest(["de", "en", "pt-BR"], asked) == found


# The page


def address(offer, **asked):
    return reverse("annotation:guide", args=[offer.key], query=asked)


def test_the_guide_has_an_address_of_its_own_without_cookies(offer):
    page = cookieless().get(address(offer))
    text = page.content.decode()
    assert (page.status_code, "How to write good questions" in text, "How to mark" in text) == (200, True, False)
    assert not page.cookies
    assert "frame-ancestors http://127.0.0.1:8001" in page["Content-Security-Policy"]
    unknown = cookieless().get(reverse("annotation:guide", args=["00000000-0000-0000-0000-000000000000"]))
    assert unknown.status_code == 404


def test_the_guide_comes_in_the_language_that_is_asked_for(project):
    texts = {"en": guide(), "ar": guide("كيف تسأل")}
    kept = guides.store(project, guides.Content(texts), None, after=0)
    task = make_task(make_paragraph(project))
    task.guide = kept
    task.save()
    offer = make_offer(task)
    assert "Ask well" in cookieless().get(address(offer)).content.decode()
    arabic = cookieless().get(address(offer, lang="ar")).content.decode()
    assert 'lang="ar" dir="rtl"' in arabic
    assert "كيف تسأل" in arabic


def test_nothing_in_a_guide_can_act_on_a_page(project):
    typed = (
        '# <img src=x onerror=alert(1)>\n<script>alert(1)</script>\n\n+ <b>Q</b>? -> "><i>\n<a href=javascript:x>r</a>'
    )
    kept = guides.store(project, content(guide(write=guide_notation.parse(typed))), None, after=0)
    task = make_task(make_paragraph(project))
    task.guide = kept
    task.save()
    for page in (cookieless().get(address(make_offer(task))), frame(make_offer(task))):
        text = page.content.decode()
        assert "&lt;script&gt;alert" in text
        assert not any(tag in text for tag in ("<img", "<script>", "<b>", "<i>", "<a href=javascript"))


# The editor


@pytest.fixture
def requester(client, people):
    client.force_login(people["requester"])
    return client


def editor(project, **asked):
    return reverse("admin:annotation_guide", args=[project.pk], query=asked)


def typed(**changes):
    return {
        "write": "# Ask\nText.",
        "answer": "# Mark\nText.",
        "after": "0",
        "pass_percent": "80",
        "quiz_tries": "2",
    } | changes


def test_the_editor_begins_with_what_ships_and_saves_a_new_version(requester, project, people):
    page = requester.get(editor(project))
    form = page.context["form"]
    assert form["write"].value().startswith("# How to write good questions")
    saved = requester.post(editor(project), typed())
    assert saved.status_code == 302
    kept = guides.current(project)
    assert (kept.number, kept.written_by, kept.texts["en"]["write"]["title"]) == (1, people["requester"], "Ask")
    assert requester.get(editor(project)).context["form"]["after"].value() == 1


def test_another_language_is_added_and_the_first_one_stays(requester, project):
    requester.post(editor(project), typed())
    requester.post(editor(project, language="de"), typed(write="# Fragen\nText.", after="1"))
    texts = guides.current(project).texts
    assert (texts["en"]["write"]["title"], texts["de"]["write"]["title"]) == ("Ask", "Fragen")


@pytest.mark.parametrize("changes", [{"write": "No title"}, {"answer": ""}, {"after": "x"}, {"write": "# A\0"}])
def test_what_is_wrong_is_said_and_nothing_is_stored(requester, project, changes):
    page = requester.post(editor(project), typed(**changes))
    assert (page.status_code, guides.current(project)) == (422, None)
    assert page.context["form"].errors


def test_two_people_do_not_overwrite_each_other(requester, project):
    requester.post(editor(project), typed())
    page = requester.post(editor(project), typed(write="# From an old page\nText."))
    assert (page.status_code, guides.current(project).texts["en"]["write"]["title"]) == (422, "Ask")
    assert "Somebody else has changed the guide" in page.content.decode()


def test_the_preview_is_the_workers_page_and_stores_nothing(requester, project):
    show = reverse("admin:annotation_guide_preview", args=[project.pk])
    page = requester.post(show, typed())
    assert ("Ask" in page.content.decode(), page["X-Frame-Options"]) == (True, "SAMEORIGIN")
    assert "frame-ancestors 'self'" in page["Content-Security-Policy"]
    faulty = requester.post(show, typed(write="No title")).content.decode()
    assert "a guide begins with its title" in faulty
    assert guides.current(project) is None


@pytest.mark.parametrize("role", ["viewer", "reviewer", "outsider"])
def test_only_requesters_write_a_guide(client, project, people, role):
    client.force_login(people[role])
    refused = 404 if role == "outsider" else 403
    assert client.post(editor(project), typed()).status_code == refused
    assert client.post(reverse("admin:annotation_guide_preview", args=[project.pk]), typed()).status_code == refused
    assert guides.current(project) is None


def test_every_version_can_be_read_again(client, people, project):
    guides.store(project, content(guide()), None, after=0)
    guides.store(project, content(guide("Newer")), None, after=1)
    client.force_login(people["viewer"])
    pages = [
        client.get(reverse("admin:annotation_guide_version", args=[project.pk, number])) for number in (0, 1, 2, 3)
    ]
    assert [page.status_code for page in pages] == [200, 200, 200, 404]
    assert "Newer" in pages[2].content.decode()
    other = make_project()
    assert client.get(reverse("admin:annotation_guide_version", args=[other.pk, 0])).status_code == 404
