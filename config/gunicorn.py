"""How gunicorn serves either site. Every number may be overridden by a command-line option or ``GUNICORN_CMD_ARGS``."""

import os
from typing import Any

from gunicorn.glogging import Logger

# WEB_PROCESSES x WEB_THREADS requests are worked on at once, each with a database connection of its own.
workers = int(os.environ.get("WEB_PROCESSES", "2"))
threads = int(os.environ.get("WEB_THREADS", "4"))
worker_class = "gthread"

# The site is loaded once and then forked: quicker to start, and the processes share its memory.
preload_app = True

# Seconds. A request that takes longer than ``timeout`` is stuck; work under way at a stop gets ``graceful_timeout``.
timeout = 60
graceful_timeout = 10
keepalive = 5

# Both sites may run under one user, so neither opens gunicorn's control socket in the home folder.
control_socket_disable = True


class NoQueries(Logger):
    """Gunicorn's log without what stands behind the ? of an address: a work page's has the ids of a worker there."""

    def exception(self, msg: object, *args: Any, **kwargs: Any) -> None:
        super().exception(msg, *(_without_query(arg) for arg in args), **kwargs)

    def warning(self, msg: object, *args: Any, **kwargs: Any) -> None:
        super().warning(_without_query(msg), *(_without_query(arg) for arg in args), **kwargs)


def _without_query(part: object) -> object:
    address, mark, _query = part.partition("?") if isinstance(part, str) else (part, "", "")
    return f"{address}?…" if mark else part


logger_class = NoQueries
# The access log stays off: it would hold the same.
accesslog = None
