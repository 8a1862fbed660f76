"""How gunicorn serves either site. Every number may be overridden by a command-line option or ``GUNICORN_CMD_ARGS``."""

import os

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
