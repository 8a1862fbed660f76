"""The sign of life of a curation's job: every few seconds, from a thread of its own, so that it goes on while one long
article is read. By the same sign the job learns that it is no longer wanted."""

from __future__ import annotations

import logging
import threading
from types import TracebackType
from typing import Self

from django.db import Error, connection
from django.utils import timezone

from annotation.models import CurationRun
from curation.pipeline import Standing

logger = logging.getLogger(__name__)
BEAT_SECONDS = 2.0


class NotWanted(Exception):
    """Somebody cancelled the run, or another job has taken it."""


class Beat:
    """While it is entered, the row of ``run`` says that its job lives and how far it is."""

    def __init__(self, run: CurationRun) -> None:
        self._run = run
        self._standing: Standing | None = None
        self._is_lost, self._ended = False, threading.Event()
        self._thread = threading.Thread(target=self._go_on, name=f"beat of curation {run.pk}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def hear(self, standing: Standing) -> None:
        """Take note of how far the run is. Raises NotWanted."""
        self._standing = standing
        self.check()

    def check(self) -> None:
        """Raises NotWanted."""
        if self._is_lost:
            raise NotWanted

    def wait(self, seconds: float) -> None:
        """Let ``seconds`` pass. Raises NotWanted."""
        self._ended.wait(seconds)
        self.check()

    def progress(self) -> dict[str, int]:
        """How far the run is, as its row has it."""
        names = ("articles_read", "articles_kept", "paragraphs_kept", "done_bytes", "total_bytes")
        standing = self._standing
        return {} if standing is None else {name: getattr(standing, name) for name in names}

    def _go_on(self) -> None:
        try:
            while not self._ended.wait(BEAT_SECONDS):
                self._say()
        finally:
            connection.close()

    def _say(self) -> None:
        status = CurationRun.Status
        rows = CurationRun.objects.filter(pk=self._run.pk, claim=self._run.claim)
        try:
            ours = rows.filter(status__in=[status.RUNNING, status.IMPORTING])
            self._is_lost = not ours.update(heard_at=timezone.now(), **self.progress())
        except Error:  # the next one tries again; after a long silence another job takes over
            logger.warning("Curation %s could not say that it lives", self._run.pk, exc_info=True)
            connection.close()
