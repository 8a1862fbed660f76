"""Curations as jobs: asked for, done in the background, cancelled, gone on with after a kill, and imported once.

A row first; the job claims it, writes how far it is, and ends it. ``curation.pipeline`` keeps its own state beside the
output, so that a run that was stopped anywhere goes on from its last rest.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation import tasks
from annotation.management.curate_options import defaults
from annotation.models import CurationRun, IllegalMove, LostRace, Project
from annotation.sentences import in_words
from annotation.services import curation_files as files
from annotation.services.curation_beat import Beat, NotWanted
from annotation.services.curation_options import sample_of, settings_of, source_of
from annotation.services.imports import import_file
from curation.filters import BadSetting
from curation.pipeline import OutputBusy, OutputError, curate
from curation.sentence_counts import Splitter
from curation.titles import record_as_json
from curation.wikipedia.wikitext import Lists
from scoring.json_files import FileError, read_bytes

logger = logging.getLogger(__name__)
Status = CurationRun.Status
Place = CurationRun.Place
# A job that has not been heard of for so long was killed, and after so many of them the run is given up.
SILENCE = timedelta(seconds=30)
MOST_ATTEMPTS = 5
# How long a job waits for one that was told to stop and is still at its last article.
MOST_WAITS, WAIT_SECONDS = 120, 0.5
# How long what was sent over is kept for a run that came to nothing, or that nobody imports.
KEPT = timedelta(days=30)
# A project has so many curations that are not over, at most.
MOST_OPEN = 20


class NotCurated(Exception):
    """A curation that cannot be asked for, or not be moved like this; the message says why and what to do."""


@dataclass(frozen=True)
class Wish:
    """What is to be curated: files sent over, or one on the server, or pages of a live wiki (its API's address); a list
    of titles, sent over or on the server, or none; and ``options`` as ``manage.py curate`` has them, but for paths."""

    options: dict[str, Any]
    uploads: list[files.Upload] = field(default_factory=list)
    server_source: str = ""
    wiki: str = ""
    titles: files.Upload | None = None
    server_titles: str = ""


def ask(project: Project, wish: Wish, user: User | None, key: UUID | None = None) -> CurationRun:
    """Keep what ``wish`` sends over, store the run and queue it. A second call with the same ``key`` gives the run of
    the first. Raises NotCurated."""
    if key and (known := _known(project, key)):
        return known
    if project.is_rehearsal:
        raise NotCurated(_("This is a rehearsal: its passages are those of its project."))
    if CurationRun.objects.in_project(project).filter(status__in=[Status.WAITING, Status.RUNNING]).count() >= MOST_OPEN:
        raise NotCurated(_("Too many curations of this project wait already. Cancel some, or wait."))
    _check(wish)
    row = CurationRun(project=project, request_key=key, asked=wish.options, asked_by=user)
    try:
        for name, value in _kept(row.key, wish).items():
            setattr(row, name, value)
        with transaction.atomic():
            row.save()
            transaction.on_commit(lambda: tasks.curate.delay(row.pk))
    except BaseException as error:
        files.forget(row.key)
        if isinstance(error, files.BadUpload):
            raise NotCurated(str(error)) from None
        if isinstance(error, IntegrityError) and key and (known := _known(project, key)):
            return known
        raise
    return row


def _known(project: Project, key: UUID) -> CurationRun | None:
    """The run that was asked for under ``key``. Raises NotCurated where that was for another project."""
    known = CurationRun.objects.filter(request_key=key).first()
    if known is not None and known.project_id != project.pk:
        raise NotCurated(_("This key was used for another request."))
    return known


def _check(wish: Wish) -> None:
    if [bool(wish.uploads), bool(wish.server_source), bool(wish.wiki)].count(True) != 1:
        raise NotCurated(_("Send a source over, or choose one: one of them, and no more."))
    if wish.wiki and not (wish.titles or wish.server_titles):
        raise NotCurated(_("Of a live wiki, pages are read by their titles: send a list over, or choose one."))
    index = wish.options.get("server_index")
    if index and not (wish.server_source and (wish.titles or wish.server_titles)):
        raise NotCurated(_("An index finds titles in a dump on the server: choose both, and a list."))
    if wish.titles and wish.server_titles:
        raise NotCurated(_("Send a list of titles over, or choose one on the server, not both."))
    chosen = wish.options["top"] is not None or wish.options["sample"] is not None
    if chosen and not (wish.titles or wish.server_titles):
        raise NotCurated(_("The first titles and a sample are taken from a list: send one over, or choose one."))
    try:
        settings_of(defaults() | wish.options)
    except BadSetting as error:
        raise NotCurated(in_words(error.sentence)) from None


def _kept(key: UUID, wish: Wish) -> dict[str, str]:
    """The fields that name source and titles, once they are where the job finds them. Raises BadUpload."""
    kept = {"place": Place.SERVER, "source_name": wish.server_source}
    if wish.wiki:
        kept = {"place": Place.WIKI, "source_name": wish.wiki}
    elif wish.uploads:
        kept = {"place": Place.UPLOAD, "source_name": files.keep_source(key, wish.uploads)}
    else:
        files.on_the_server(wish.server_source)
    if wish.titles:
        kept |= {"titles_place": Place.UPLOAD, "titles_name": files.keep_titles(key, wish.titles)}
    elif wish.server_titles:
        files.on_the_server(wish.server_titles)
        kept |= {"titles_place": Place.SERVER, "titles_name": wish.server_titles}
    return kept


def cancel(run: CurationRun) -> None:
    """Stop ``run``; its job ends at its next article. Raises NotCurated where there is nothing to stop."""
    _move(run, Status.CANCELLED, ended_at=timezone.now())


def resume(run: CurationRun) -> None:
    """Let ``run`` go on from where it was, if it was cancelled or failed. Raises NotCurated."""
    _move(run, Status.WAITING, attempts=0, problem="", ended_at=None)


def ask_import(run: CurationRun, user: User | None) -> None:
    """Have what ``run`` kept taken into its project; once that is asked for, or done, nothing more happens. Raises
    NotCurated where there is nothing to take."""
    if run.status in (Status.IMPORTING, Status.IMPORTED):
        return
    if run.status == Status.DONE and not run.report["paragraphs"]["kept"]:
        raise NotCurated(_("No paragraph is left that could be imported."))
    _move(run, Status.IMPORTING, heard_at=None, attempts=0, problem="", import_asked_by=user)


def _move(run: CurationRun, new: str, **changes: Any) -> None:
    try:
        with transaction.atomic():
            run.move_to(new, **changes)
            if new != Status.CANCELLED:
                transaction.on_commit(lambda: tasks.curate.delay(run.pk))
    except (IllegalMove, LostRace):
        raise NotCurated(_("This curation has moved on meanwhile: look at it again.")) from None


def work(run: CurationRun) -> None:
    """Do what ``run`` waits for: the curation, or the import of its result. One that another job does is left alone."""
    if _claimed(run):
        _curate(run)
    elif _claimed_to_import(run):
        _import(run)


def _claimed(run: CurationRun) -> bool:
    if run.status != Status.WAITING:
        return False
    now = timezone.now()
    try:
        with transaction.atomic():
            begun_at = run.begun_at or now
            run.move_to(Status.RUNNING, claim=uuid4(), heard_at=now, begun_at=begun_at, attempts=run.attempts + 1)
    except (LostRace, IntegrityError):  # another job has this one, or another run is being worked on
        return False
    return True


def _claimed_to_import(run: CurationRun) -> bool:
    now, claim = timezone.now(), uuid4()
    rows = CurationRun.objects.filter(pk=run.pk, status=Status.IMPORTING).filter(_unheard(now))
    if not rows.update(claim=claim, heard_at=now, attempts=F("attempts") + 1):
        return False
    run.refresh_from_db()
    return run.claim == claim


def _unheard(now: datetime) -> Q:
    return Q(heard_at=None) | Q(heard_at__lt=now - SILENCE)


def _curate(run: CurationRun) -> None:
    with Beat(run) as beat:
        try:
            report = _report(run, beat)
        except NotWanted:
            return
        except files.BadUpload as error:
            _end(run, Status.FAILED, problem=str(error))
        except OutputError:
            logger.exception("%s could not be written", run)
            _end(run, Status.FAILED, problem=_("The result cannot be written. The log of the jobs says why."))
        except (FileError, BadSetting) as error:
            _end(run, Status.FAILED, problem=in_words(error.sentence))
        except Exception:
            logger.exception("%s failed", run)
            _end(run, Status.FAILED, problem=_("It broke off. The log of the jobs says where."))
        else:
            _end(run, Status.DONE, report=report, **beat.progress())


def _report(run: CurationRun, beat: Beat) -> dict[str, Any]:
    """Curate, and return the report. Raises NotWanted, FileError, BadSetting, BadUpload."""
    index = files.on_the_server(run.asked["server_index"]) if run.asked.get("server_index") else None
    # Options that are newer than the run are as the command has them by itself.
    options = defaults() | run.asked | {"titles": _titles(run), "index": index, "out": files.output(run.key)}
    options |= _source(run)
    options |= {"lists": Lists(options["lists"]), "sentences": Splitter(options["sentences"])}
    sample, out = sample_of(options), files.output(run.key)
    out.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    source, rules = source_of(options, sample), settings_of(options)
    for waits_left in range(MOST_WAITS, -1, -1):
        try:
            report = curate(source, out, rules, beat.hear)
            break
        except OutputBusy:  # a job that was told to stop is at its last article
            if not waits_left:
                raise
            beat.wait(WAIT_SECONDS)
    if sample is not None:
        out.with_suffix(".sample.json").write_text(record_as_json(sample), encoding="utf-8")
    kept: dict[str, Any] = json.loads(json.dumps(report))  # as it lies beside the output
    return kept


def _source(run: CurationRun) -> dict[str, Any]:
    """The options that name what is read. Raises BadUpload."""
    if run.place == Place.WIKI:
        if run.source_name not in settings.CURATION_WIKIS:
            raise files.BadUpload(_("This wiki may not be read any more."))
        return {"source": None, "wiki": run.source_name, "contact": settings.CURATION_CONTACT}
    if run.place == Place.UPLOAD:
        return {"source": files.source_of(run.key)}
    return {"source": files.on_the_server(run.source_name)}


def _titles(run: CurationRun) -> Path | None:
    if not run.titles_name:
        return None
    if run.titles_place == Place.UPLOAD:
        return files.titles_of(run.key, run.titles_name)
    return files.on_the_server(run.titles_name)


def _import(run: CurationRun) -> None:
    with Beat(run):
        try:
            with transaction.atomic():
                # The record and what it brings are stored with the move, or not at all: never twice.
                record = import_file(
                    run.project,
                    read_bytes(files.output(run.key)),
                    file_name=f"{run.source_name}.jsonl",
                    imported_by=run.import_asked_by,
                    curation=run.report,
                )
                run.move_to(Status.IMPORTED, imported_as=record, ended_at=timezone.now())
        except LostRace:
            logger.warning("%s was imported by another job", run)
        except FileError as error:
            _end(run, Status.DONE, problem=in_words(error.sentence))
        except Exception:
            logger.exception("%s could not be imported", run)
            _end(run, Status.DONE, problem=_("It could not be imported. The log of the jobs says why."))
        else:
            files.forget_source(run.key)


def _end(run: CurationRun, status: str, **changes: Any) -> None:
    # The job may have read for hours meanwhile, and the database given up on a connection that said nothing.
    connection.close_if_unusable_or_obsolete()
    try:
        run.move_to(status, ended_at=timezone.now(), **changes)
    except LostRace:
        logger.warning("%s had been cancelled or taken over before it ended", run)


def due() -> list[int]:
    """The runs that a job should take: the oldest that waits, where none is running, and imports that nobody does.

    A run whose job was killed waits again from here on; one that has killed ``MOST_ATTEMPTS`` of them is given up.
    """
    now = timezone.now()
    for run in CurationRun.objects.filter(status=Status.RUNNING, heard_at__lt=now - SILENCE):
        if run.attempts < MOST_ATTEMPTS:
            _silently(run, Status.WAITING)
        else:
            problem = _("Its job was killed %(count)s times, as for lack of memory. The log of the jobs may say why.")
            _silently(run, Status.FAILED, problem=problem % {"count": run.attempts}, ended_at=now)
    for run in CurationRun.objects.filter(_unheard(now), status=Status.IMPORTING, attempts__gte=MOST_ATTEMPTS):
        _silently(run, Status.DONE, problem=_("Its job was killed again and again. The log of the jobs may say why."))
    rows = CurationRun.objects.order_by("pk")
    importing = rows.filter(_unheard(now), status=Status.IMPORTING)
    keys = list(importing.values_list("pk", flat=True))
    if not rows.filter(status=Status.RUNNING).exists():
        keys += rows.filter(status=Status.WAITING).values_list("pk", flat=True)[:1]
    return keys


def forget_old_sources() -> None:
    """Delete what was sent over for runs that ended ``KEPT`` ago, or up to a day before that, and were not imported:
    who wants to go on with one sends it again."""
    long_ago = timezone.now() - KEPT
    ended = CurationRun.objects.filter(ended_at__range=(long_ago - timedelta(days=1), long_ago))
    for key in ended.filter(status__in=[Status.CANCELLED, Status.FAILED, Status.DONE]).values_list("key", flat=True):
        files.forget_source(key)


def _silently(run: CurationRun, new: str, **changes: Any) -> None:
    try:
        run.move_to(new, **changes)
    except LostRace:
        logger.info("%s lives after all", run)
