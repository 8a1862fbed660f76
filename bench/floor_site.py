"""The floor: the smallest Django site that hands out tasks and takes answers right, served like ours.

Sign in, claim a task with FOR UPDATE SKIP LOCKED (never more workers than places, never twice the same worker), one
page, one submit. *Extended*, the same site has the requests and rows of our own round: list, accept, the page around
the frame, the page in the frame, drafts, finish, submit; each the plainest view that is still right.

``python -m bench.floor_site prepare`` makes its tables and users and reads the tasks from standard input.
"""

import json
import os
import sys
from typing import Any

import django
from django.conf import settings

PLAIN_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Task</title></head><body><main>
<h1>Mark the span</h1><p id="passage">{{ text }}</p><form method="post" action="/submit/{{ id }}">{% csrf_token %}
<input name="start"> <input name="end"> <button>Submit</button></form></main></body></html>"""
LIST_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Tasks</title></head><body><main>
<h1>Tasks</h1>{% for id in batches %}<form method="post" action="/accept/{{ id }}">{% csrf_token %}
<button>Accept</button></form>{% endfor %}</main></body></html>"""
WORK_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Work</title></head><body><main>
<h1>Work</h1><iframe src="/page/{{ id }}"></iframe></main></body></html>"""
FRAME_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Task</title></head><body><main>
<h1>Ask questions</h1><p id="passage">{{ text }}</p><form method="post" action="/submit/{{ id }}">{% csrf_token %}
<textarea name="draft">{{ draft|default:"" }}</textarea><button>Submit</button></form></main></body></html>"""
PAGES = {"plain.html": PLAIN_PAGE, "list.html": LIST_PAGE, "work.html": WORK_PAGE, "frame.html": FRAME_PAGE}

if not settings.configured:
    settings.configure(
        DEBUG=False,
        SECRET_KEY=os.environ["FLOOR_SECRET_KEY"],
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF="bench.floor_site",
        USE_TZ=True,
        MIDDLEWARE=[
            "django.middleware.security.SecurityMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"],
        # Signing in is not measured.
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": os.environ["FLOOR_DB"],
                "USER": os.environ["FLOOR_USER"],
                "HOST": os.environ["FLOOR_HOST"],
                "CONN_MAX_AGE": None,
            }
        },
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "OPTIONS": {
                    "loaders": [
                        ("django.template.loaders.cached.Loader", [("django.template.loaders.locmem.Loader", PAGES)])
                    ]
                },
            }
        ],
    )
    django.setup()

from django.contrib.auth import authenticate, login  # noqa: E402
from django.contrib.auth.hashers import make_password  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect  # noqa: E402
from django.middleware.csrf import get_token  # noqa: E402
from django.template.loader import get_template  # noqa: E402
from django.urls import path  # noqa: E402

SCHEMA = """
CREATE TABLE batch (id int PRIMARY KEY, is_listed bool NOT NULL);
CREATE TABLE task (id serial PRIMARY KEY, batch int NOT NULL REFERENCES batch, position int NOT NULL,
  text text NOT NULL, open_places int NOT NULL CHECK (open_places >= 0));
CREATE INDEX task_open ON task (batch, position) WHERE open_places > 0;
CREATE TABLE assignment (id bigserial PRIMARY KEY, task_id int NOT NULL REFERENCES task, worker_id int NOT NULL,
  answer jsonb, created timestamptz NOT NULL DEFAULT now(), submitted timestamptz, UNIQUE (worker_id, task_id));
CREATE TABLE work (assignment_id bigint PRIMARY KEY REFERENCES assignment, opened timestamptz NOT NULL DEFAULT now(),
  finished timestamptz);
CREATE TABLE draft (work_id bigint PRIMARY KEY REFERENCES work, version int NOT NULL, content jsonb NOT NULL,
  saved timestamptz NOT NULL DEFAULT now());
CREATE TABLE question (id bigserial PRIMARY KEY, work_id bigint NOT NULL REFERENCES work, position int NOT NULL,
  text text NOT NULL, UNIQUE (work_id, position));
CREATE TABLE answer (id bigserial PRIMARY KEY, question_id bigint NOT NULL REFERENCES question, span_start int NOT NULL,
  span_end int NOT NULL, text text NOT NULL);
CREATE TABLE seconds (id bigserial PRIMARY KEY, work_id bigint NOT NULL REFERENCES work, active int NOT NULL);
"""
CLAIM = """
WITH picked AS (
  SELECT task.id FROM task WHERE task.batch = %(batch)s AND task.open_places > 0
    AND NOT EXISTS (SELECT 1 FROM assignment mine WHERE mine.task_id = task.id AND mine.worker_id = %(worker)s)
  ORDER BY task.position LIMIT 1 FOR UPDATE SKIP LOCKED),
taken AS (UPDATE task SET open_places = open_places - 1 FROM picked WHERE task.id = picked.id
  RETURNING task.id, task.text),
made AS (INSERT INTO assignment (task_id, worker_id) SELECT id, %(worker)s FROM taken RETURNING id)
SELECT made.id, taken.text FROM taken, made
"""
# The order, here and above, is that of the index of open tasks, so that neither statement reads more than it needs.
LIST = """
SELECT batch.id FROM batch CROSS JOIN LATERAL (
  SELECT 1 FROM task WHERE task.batch = batch.id AND task.open_places > 0
    AND NOT EXISTS (SELECT 1 FROM assignment mine WHERE mine.task_id = task.id AND mine.worker_id = %s)
  ORDER BY task.position LIMIT 1) AS open
WHERE batch.is_listed ORDER BY batch.id
"""
OPEN = "INSERT INTO work (assignment_id) VALUES (%s) ON CONFLICT DO NOTHING"
MINE = """
SELECT task.text, draft.content FROM assignment JOIN task ON task.id = assignment.task_id
LEFT JOIN draft ON draft.work_id = assignment.id WHERE assignment.id = %s AND assignment.worker_id = %s
"""
IS_MINE = """
SELECT work.finished FROM work JOIN assignment ON assignment.id = work.assignment_id
WHERE work.assignment_id = %s AND assignment.worker_id = %s
"""
SAVE = """
INSERT INTO draft (work_id, version, content) VALUES (%s, %s, %s)
ON CONFLICT (work_id) DO UPDATE SET version = excluded.version, content = excluded.content, saved = now()
WHERE draft.version < excluded.version
"""
SUBMIT = """
UPDATE assignment SET answer = %s, submitted = now() WHERE id = %s AND worker_id = %s AND submitted IS NULL
"""


def ask(statement: str, values: Any = ()) -> Any:
    """The first row of an answer, or how many rows were touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone() if cursor.description else cursor.rowcount


def page(request: HttpRequest, name: str, **values: Any) -> HttpResponse:
    return HttpResponse(get_template(name).render(values, request))


def sign_in(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return HttpResponse(get_token(request))
    user = authenticate(request, username=request.POST["username"], password=request.POST["password"])
    if user is None:
        return HttpResponse(status=403)
    login(request, user)
    return HttpResponse(status=204)


def claim(request: HttpRequest, batch: int) -> HttpResponse:
    """The plain floor's page: the next task of the batch."""
    row = request.user.is_authenticated and ask(CLAIM, {"batch": batch, "worker": request.user.pk})
    return page(request, "plain.html", id=row[0], text=row[1]) if row else HttpResponse(status=204)


def submit(request: HttpRequest, assignment: int) -> HttpResponse:
    answer = json.dumps([int(request.POST["start"]), int(request.POST["end"])])
    done = request.user.is_authenticated and ask(SUBMIT, (answer, assignment, request.user.pk))
    return HttpResponseRedirect("/list") if done else HttpResponse(status=409)


def listing(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    with connection.cursor() as cursor:
        cursor.execute(LIST, (request.user.pk,))
        return page(request, "list.html", batches=[pk for (pk,) in cursor.fetchall()])


def accept(request: HttpRequest, batch: int) -> HttpResponse:
    row = request.user.is_authenticated and ask(CLAIM, {"batch": batch, "worker": request.user.pk})
    return HttpResponseRedirect(f"/work/{row[0]}") if row else HttpResponse(status=204)


def work(request: HttpRequest, assignment: int) -> HttpResponse:
    mine = request.user.is_authenticated and ask(MINE, (assignment, request.user.pk))
    return page(request, "work.html", id=assignment) if mine else HttpResponse(status=404)


def frame(request: HttpRequest, assignment: int) -> HttpResponse:
    mine = request.user.is_authenticated and ask(MINE, (assignment, request.user.pk))
    if not mine:
        return HttpResponse(status=404)
    ask(OPEN, (assignment,))
    return page(request, "frame.html", id=assignment, text=mine[0], draft=mine[1])


def platform_frame(request: HttpRequest, task: int) -> HttpResponse:
    """The page in the frame where nothing was accepted before, as our platform has it: it makes the assignment."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    with transaction.atomic():
        made = ask("INSERT INTO assignment (task_id, worker_id) VALUES (%s, %s) RETURNING id", (task, request.user.pk))
        ask(OPEN, made)
    text, draft = ask(MINE, (made[0], request.user.pk))
    return page(request, "frame.html", id=made[0], text=text, draft=draft)


def draft(request: HttpRequest, assignment: int) -> HttpResponse:
    body = json.loads(request.body)
    mine = request.user.is_authenticated and ask(IS_MINE, (assignment, request.user.pk))
    if not mine or mine[0] or not ask(SAVE, (assignment, body["version"], json.dumps(body["questions"]))):
        return HttpResponse(status=409)
    return HttpResponse(status=204)


def finish(request: HttpRequest, assignment: int) -> HttpResponse:
    body = json.loads(request.body)
    with transaction.atomic():
        mine = request.user.is_authenticated and ask(IS_MINE + " FOR UPDATE OF work", (assignment, request.user.pk))
        if not mine or mine[0]:
            return HttpResponse(status=409)
        ask(SAVE, (assignment, body["version"], json.dumps(body["questions"])))
        store(assignment, body["questions"])
        ask("INSERT INTO seconds (work_id, active) VALUES (%s, %s)", (assignment, body["active_seconds"]))
        ask("UPDATE work SET finished = now() WHERE assignment_id = %s", (assignment,))
    return HttpResponse(status=204)


def store(assignment: int, questions: list[dict[str, Any]]) -> None:
    """Questions and their answers, one statement each."""
    spans = [question["answer"] for question in questions]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO question (work_id, position, text) SELECT %s, place, text "
            "FROM unnest(%s) WITH ORDINALITY AS sent (text, place) RETURNING id",
            (assignment, [question["text"] for question in questions]),
        )
        ids = [pk for (pk,) in cursor.fetchall()]
        cursor.execute(
            "INSERT INTO answer (question_id, span_start, span_end, text) SELECT * FROM unnest(%s, %s, %s, %s)",
            (ids, *([span[name] for span in spans] for name in ("start", "end", "text"))),
        )


urlpatterns = [
    path("login", sign_in),
    path("next/<int:batch>", claim),
    path("submit/<int:assignment>", submit),
    path("list", listing),
    path("accept/<int:batch>", accept),
    path("work/<int:assignment>", work),
    path("page/<int:assignment>", frame),
    path("open/<int:task>", platform_frame),
    path("draft/<int:assignment>", draft),
    path("finish/<int:assignment>", finish),
]
application = get_wsgi_application()


def prepare(order: dict[str, Any]) -> None:
    """Make the tables, ``users`` with one ``password``, and for each of ``batches`` that many tasks with ``places``
    each, going round the ``texts``; only ``listed`` stands on the list."""
    call_command("migrate", verbosity=0)
    password = make_password(order["password"])
    User.objects.bulk_create(User(username=name, password=password) for name in order["users"])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(SCHEMA)
        cursor.execute(
            "CREATE TEMPORARY TABLE texts AS SELECT * FROM unnest(%s) WITH ORDINALITY AS t (text, number)",
            (order["texts"],),
        )
        for batch, tasks in order["batches"].items():
            cursor.execute("INSERT INTO batch VALUES (%s, %s)", (int(batch), int(batch) == order["listed"]))
            cursor.execute(
                "INSERT INTO task (batch, position, text, open_places) SELECT %s, n, text, %s "
                "FROM generate_series(0, %s - 1) AS n JOIN texts ON texts.number = 1 + n %% %s ORDER BY n",
                (int(batch), order["places"], tasks, len(order["texts"])),
            )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    prepare(json.load(sys.stdin))
