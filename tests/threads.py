"""Threads that a live server of the tests keeps, and with them its connections to the database."""

import queue
import threading
from collections.abc import Callable


class KeptThreads:
    """Runs each piece of work at once: in a thread that is done with another, or in a new one.

    There is no limit, as each browser may hold several connections open. The threads are daemons: one that waits for
    a browser's next request keeps nobody from ending.
    """

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)

    def run(self, work: Callable[[], None]) -> None:
        self._work.put(work)
        if not self._idle.acquire(blocking=False):
            threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._work.get()()
            self._idle.release()
