"""How gunicorn serves either site. Every number may be overridden by a command-line option or ``GUNICORN_CMD_ARGS``."""

import os
from typing import Any

from gunicorn.glogging import Logger

from config.logs import MASK, masked

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


class NoSecrets(Logger):
    """Gunicorn's log without what stands behind the ? of an address (a work page's has the ids of a worker there), and
    without the secrets in it. The access log, where somebody turns it on, is held to the same."""

    def exception(self, msg: object, *args: Any, **kwargs: Any) -> None:
        super().exception(msg, *(_clean(arg) for arg in args), **kwargs)

    def warning(self, msg: object, *args: Any, **kwargs: Any) -> None:
        super().warning(_clean(msg), *(_clean(arg) for arg in args), **kwargs)

    def atoms(self, *args: Any) -> dict[str, Any]:
        return {name: _clean(value) for name, value in super().atoms(*args).items()}


def _clean(part: object) -> object:
    if not isinstance(part, str):
        return part
    address, mark, _query = masked(part).partition("?")
    return f"{address}?{MASK}" if mark else address


logger_class = NoSecrets
# The access log stays off: nobody needs it for the sites to work.
accesslog = None
