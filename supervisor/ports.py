"""Ports: reserved by listening at once, so that nobody can take one between the check and the use."""

import socket
from contextlib import suppress
from typing import Self

import psutil

from supervisor.processes import ServerError

BACKLOG = 2048  # connections that wait for gunicorn; its own default


class Listener:
    """A listening TCP socket on 127.0.0.1, made here and handed to the site that will answer on it."""

    def __init__(self, listening: socket.socket) -> None:
        self._socket = listening
        self.port: int = listening.getsockname()[1]

    @classmethod
    def open(cls, port: int = 0, *, host: str = "127.0.0.1", variable: str = "") -> Self:
        """Listen on ``port``, or on any free one for 0.

        ``host`` is the name that browsers will use. ``variable`` names the setting that changes the port; it is
        mentioned when the port is taken. Raises ServerError.
        """
        if not 0 <= port <= 65535:
            raise ServerError(f"{variable or 'The port'} must be a number from 1 to 65535, not {port}.")
        # Browsers try ::1 first for "localhost": whoever listens there would be shown instead of us.
        if port and host == "localhost" and is_taken(port, "::1"):
            raise ServerError(taken_sentence(port, variable))
        listening = socket.socket()
        # Connections of an earlier run that still linger do not keep the port from us.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
            listening.listen(BACKLOG)
        except PermissionError as error:
            listening.close()
            raise ServerError(
                f"Port {port} needs root; choose another, for example {variable}={port + 8000}."
            ) from error
        except OSError as error:
            listening.close()
            raise ServerError(taken_sentence(port, variable)) from error
        return cls(listening)

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        """Close our copy; whoever got the socket handed over goes on listening."""
        self._socket.close()


def free_port() -> int:
    """A loopback port nobody listens on right now, for servers that insist on opening their own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_taken(port: int, host: str = "127.0.0.1") -> bool:
    """Whether somebody answers on ``port``; a machine without IPv6 has nobody on ``::1``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with suppress(OSError), socket.socket(family) as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((host, port)) == 0
    return False


def taken_sentence(port: int, variable: str) -> str:
    holder = holder_of(port)
    by = f", probably by {holder}" if holder else ""
    remedy = f"; stop that, or choose another port, for example {variable}={port + 100}" if variable else ""
    return f"Port {port} is taken{by}{remedy}."


def holder_of(port: int) -> str:
    """Who listens on ``port``, as ``command (process 123)``; empty where the system does not tell us."""
    with suppress(psutil.Error, OSError):
        for connection in psutil.net_connections("tcp"):
            listens = connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            if listens and connection.pid is not None:
                command = " ".join(psutil.Process(connection.pid).cmdline())
                shortened = command if len(command) <= 60 else f"{command[:57]}..."
                return f'"{shortened}" (process {connection.pid})'
    return ""
